import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { file, type Options } from "#connectors/file/index"
import * as Column from "#engine/Column"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { everything } from "#testing/specimens"

const formats: ReadonlyArray<Partial<Options> & Pick<Options, "format">> = [
  { format: "jsonl" },
  { format: "csv" },
  { format: "csv", header: false, delimiter: ";" },
  { format: "arrow" },
  { format: "parquet" }
]

const asked = <A>(
  destination: Sink.Destination<never>,
  directory: string,
  request: Queries.QueryRequest,
  use: (queries: Queries.Queries) => Effect.Effect<A, Sink.SinkError>
) =>
  Effect.suspend(() =>
    destination.queries === undefined
      ? Effect.die("it answers")
      : Effect.scoped(Effect.flatMap(destination.queries(directory, request), use))
  )

const answer = (sql: string) => (queries: Queries.Queries) =>
  Effect.flatMap(queries.ask(sql), ({ columns, rows }) =>
    Effect.map(Stream.runCollect(rows), (chunks) => ({
      columns: columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`),
      rows: chunks.flat()
    }))
  )

/** What a question is answered with, where the table is there and has the column; null for a column that is not. */
const readBySql = (options: Options) => (directory: string, table: Table.Table) =>
  asked(file.with(options), directory, {}, (queries) =>
    Effect.gen(function* () {
      const { rows: names } = yield* answer("SHOW TABLES")(queries)
      if (!names.some(({ name }) => name === table.name)) return []
      const { columns, rows } = yield* answer(`FROM ${Column.quote(table.name)}`)(queries)
      const known = columns.map((column) => column.slice(0, column.indexOf(" ")))
      return rows.map((row) =>
        Object.fromEntries(table.columns.map(({ name }) => [name, known.includes(name) ? row[name] : null]))
      )
    })
  ).pipe(
    Effect.catchIf(
      ({ message }) => message.includes("has no tables yet"),
      () => Effect.succeed([])
    ),
    Effect.orDie
  )

for (const options of formats) {
  const place: Options = { path: "out", ...options }
  const subject: SinkSuite.Subject<never> = {
    destination: () => file.with(place),
    read: readBySql(place),
    layer: Layer.empty,
    secondWriter: "fails to open"
  }
  describe(`SQL over ${JSON.stringify(options)}`, () => {
    for (const law of [...SinkSuite.lawsOf.values, ...SinkSuite.lawsOf.schemas, ...SinkSuite.lawsOf.widening]) {
      if (file.writes.includes(law.of)) it.effect(law.sentence, () => SinkSuite.check(law, subject))
    }
  })
}

const longText = "\"long\",\n'text' \u{1F600} ".repeat(300_000)

describe("millrace sql over files", () => {
  it.effect("has the types of the tables, also of rows of many megabytes", () =>
    Effect.gen(function* () {
      for (const options of formats) {
        const directory = yield* folder
        const place: Options = { path: "out", ...options }
        const rows = [
          { id: 1, text: longText, exact: "12.50" },
          { id: 2, text: null, exact: null }
        ]
        yield* loaded(directory, place, rows)
        const { columns, rows: found } = yield* asked(
          file.with(place),
          directory,
          {},
          answer("SELECT id, text, exact, moment, nested FROM everything ORDER BY id")
        )

        expect(columns).toEqual([
          "id BIGINT",
          "text VARCHAR",
          "exact DECIMAL(18, 2)",
          "moment TIMESTAMP",
          'nested STRUCT("name" VARCHAR, "tags" VARCHAR[])'
        ])
        expect(found.map(({ exact }) => exact)).toEqual(["12.50", null])
        expect(found[0]?.["text"] === longText).toBe(true)
      }
    })
  )

  it.effect("finds moments of years beyond 9999, texts that begin with a byte order mark, and halves of pairs", () =>
    Effect.gen(function* () {
      const moments = [253_402_300_800_000_000n, -62_200_000_000_000_000n, 0n]
      const rows = moments.map((moment, id) => ({ id, moment, text: "\ufefftext \ud83d", any: ["\ud83d"] }))
      for (const options of formats) {
        const directory = yield* folder
        const place: Options = { path: "out", ...options }
        yield* loaded(directory, place, rows)
        const found = yield* asked(
          file.with(place),
          directory,
          {},
          answer(`SELECT moment, text, "any" FROM everything ORDER BY id`)
        )

        expect(found.rows).toEqual(moments.map((moment) => ({ moment, text: "\ufefftext \ufffd", any: ["\ufffd"] })))
      }
    })
  )

  it.effect("gives texts as they came, with formulas and with apostrophes of their own", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const texts = [
        "=1",
        "'=1",
        "''=1",
        "\t=1",
        "\ufeff-x",
        "-5",
        "'-5",
        "+1e3%",
        "-5x",
        "it's",
        "'",
        "＠x",
        "\u0000=1",
        "\n- a"
      ]
      const place: Options = { path: "out", format: "csv" }
      yield* loaded(
        directory,
        place,
        texts.map((text, id) => ({ id, text }))
      )
      const found = yield* asked(file.with(place), directory, {}, answer("SELECT text FROM everything ORDER BY id"))

      expect(found.rows).toEqual(texts.map((text) => ({ text })))
    })
  )

  it.effect("needs no more memory for a large file of CSV than for a small one", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const place: Options = { path: "out", format: "csv" }
      const rows = Array.from({ length: 16 }, (_, id) => ({ id, text: longText }))
      yield* loaded(directory, place, rows)
      const found = yield* asked(
        file.with(place),
        directory,
        {},
        answer("SELECT count(*) AS n, sum(length(text)) AS length FROM everything")
      )

      const { length } = Array.from(longText)
      expect(found.rows).toEqual([{ n: 16n, length: String(16 * length) }])
    })
  )

  it.effect("reads no other file, writes nothing, and sees the commit before only by the run that made it", () =>
    Effect.gen(function* () {
      for (const options of formats) {
        const directory = yield* folder
        const place: Options = { path: "out", ...options }
        writeFileSync(join(directory, "secret.csv"), "word\nsecret\n")
        yield* loaded(directory, place, [{ id: 1 }], "run-1")
        yield* loaded(directory, place, [{ id: 1 }, { id: 2 }], "run-2")
        const destination = file.with(place)
        const refused = (sql: string) => Effect.flip(asked(destination, directory, {}, answer(sql)))
        const secret = join(directory, "secret.csv")

        expect((yield* refused(`SELECT * FROM read_csv('${secret}')`)).message).toMatch(/disabled/)
        expect((yield* refused(`SELECT * FROM read_text('${secret}')`)).message).toMatch(/disabled/)
        expect((yield* refused(`COPY everything TO '${join(directory, "copy.csv")}'`)).message).not.toBe("")
        expect((yield* refused("SET enable_external_access = true")).message).not.toBe("")
        expect(existsSync(join(directory, "copy.csv"))).toBe(false)

        const count = answer("SELECT count(*) AS n FROM everything")
        const runs = yield* destination.runs(directory)
        const before = yield* asked(destination, directory, { asOf: runs[0] }, count)
        const now = yield* asked(destination, directory, { asOf: runs[1] }, count)
        expect([before.rows, now.rows]).toEqual([[{ n: 1n }], [{ n: 2n }]])
        yield* loaded(directory, place, [{ id: 3 }], "run-3")
        expect((yield* Effect.flip(asked(destination, directory, { asOf: runs[0] }, count))).message).toContain(
          "does not have run run-1 any more: it keeps the last two commits"
        )
      }
    })
  )
})

const loaded = (directory: string, place: Options, rows: ReadonlyArray<Table.Row>, runId = "run-1") =>
  Effect.scoped(
    Effect.gen(function* () {
      const tables = [{ table: everything, write: "replace" as const }]
      const writer = yield* file.with(place).open({ pipeline: "p", runId, directory, evolve: true, tables })
      yield* writer.write(Table.batch(everything, rows))
      return yield* writer.commit(commitOf(runId, runId))
    })
  )
