import { mkdtempSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Database, memory } from "#connectors/memory/index"
import * as Checkpoint from "#engine/Checkpoint"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { run } from "#library/run"
import * as Source from "#library/Source"
import { folder } from "#testing/folder"
import * as SourceSuite from "#testing/SourceSuite"

const lines = Source.simple({
  type: "lines",
  options: Schema.Struct({ path: Schema.String }),
  columns: { name: "VARCHAR NOT NULL", length: "BIGINT" },
  rows: async function* ({ path }, { resolve }) {
    for (const name of (await readFile(resolve(path), "utf8")).trim().split("\n")) yield { name, length: name.length }
  }
})

const directory = mkdtempSync(join(tmpdir(), "millrace-lines-"))

SourceSuite.suite("a source of one function", {
  continues: false,
  directory,
  reader: Effect.promise(async () => {
    await writeFile(join(directory, "names.txt"), Array.from({ length: 1500 }, (_, at) => `name ${at}\n`).join(""))
    return lines.with({ path: "names.txt" })
  })
})

it.effect("goes on behind the rows that it had read, and only where they come again as they were", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const names = Array.from({ length: 1500 }, (_, at) => `name ${at}`)
    const written = (lines: ReadonlyArray<string>) =>
      Effect.promise(() => writeFile(join(directory, "names.txt"), `${lines.join("\n")}\n`))
    const answers = (after: Option.Option<unknown>) =>
      Stream.runCollect(
        lines.with({ path: "names.txt" }).fetch({ start: Option.none(), after, key: "run", limits: {}, directory })
      )
    yield* written(names)
    const [first] = yield* answers(Option.none())
    const after = Option.some(first?.cursor)

    const rest = yield* answers(after)
    yield* written(["the newest first", ...names])
    const shifted = yield* Effect.flip(answers(after))
    yield* written(names.slice(0, 900))
    const shorter = yield* Effect.flip(answers(after))

    expect(rest.map(({ text }) => text.split("\n").filter((line) => line !== "").length)).toEqual([500, 0])
    expect(rest[0]?.text).toContain('"name 1000"')
    expect([shifted.over, shorter.over]).toEqual([true, true])
  })
)

it.effect("finds paths in the folder of the pipeline, and fails with what was thrown", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const read = (path: string) => Stream.runCollect(Source.read(lines.with({ path }), { directory }))
    yield* Effect.promise(() => writeFile(join(directory, "a.txt"), "Ada\nGrace\n"))

    const batches = [...(yield* read("a.txt"))].flatMap((element) => (element._tag === "Batch" ? element.rows : []))
    const error = yield* Effect.flip(read("b.txt"))

    expect(batches).toEqual([
      { name: "Ada", length: 3 },
      { name: "Grace", length: 5 }
    ])
    expect(error.message).toContain(
      `the rows cannot be read: ENOENT: no such file or directory, open '${directory}/b.txt'`
    )
  })
)

it.effect("is told by its signal where the run stops", () =>
  Effect.gen(function* () {
    const began = yield* Deferred.make<AbortSignal>()
    const source = Source.simple({
      type: "endless",
      columns: { n: "BIGINT" },
      rows: async function* (_, { signal }) {
        Deferred.doneUnsafe(began, Effect.succeed(signal))
        for (let n = 0; ; n++) {
          yield { n }
          if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
        }
      }
    })
    const fiber = yield* Effect.forkScoped(Stream.runDrain(Source.read(source.with({}))))
    const signal = yield* Deferred.await(began)
    expect(signal.aborted).toBe(false)

    yield* Fiber.interrupt(fiber)

    expect(signal.aborted).toBe(true)
  })
)

it.effect("refuses options that its schema does not have, all at once", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(lines.decode({ pth: "a" }))

    expect(error.message).toContain("path")
    expect(error.message).toContain("pth")
  })
)

it.effect("takes a bigint for a moment, in microseconds, and for a decimal", () =>
  Effect.gen(function* () {
    const source = Source.simple({
      type: "exact",
      columns: { at: "TIMESTAMP", price: "DECIMAL(38, 2)" },
      rows: () => [{ at: 1_760_000_000_000_001n, price: 2n ** 64n }]
    })
    const elements = yield* Stream.runCollect(Source.read(source.with({}), { directory: yield* folder }))

    expect(elements.flatMap((element) => (element._tag === "Batch" ? element.rows : []))).toEqual([
      { at: 1_760_000_000_000_001n, price: "18446744073709551616" }
    ])
  })
)

it("takes dates of JavaScript where a schema has Schema.Date, at any depth, from a source of answers too", async () => {
  const at = new Date("2026-11-29T07:00:00.250Z")
  const schema = Schema.Struct({
    id: Schema.Int,
    at: Schema.Date,
    visits: Schema.Array(Schema.Struct({ on: Schema.NullOr(Schema.Date) }))
  })
  const table = Table.make({ name: "moments", description: "moments", key: ["id"], schema })
  const moments = Source.make({
    type: "moments",
    description: "moments",
    options: Schema.Struct({}),
    state: Schema.Null,
    cursor: Schema.Null,
    incremental: false,
    tables: () => [table],
    fetch: () => Stream.make({ kind: "all", at: 0, text: "", cursor: null }),
    decode: () =>
      Effect.succeed([
        ...Table.batches(table, [
          { id: 1, at, visits: [{ on: at }, { on: null }] },
          { id: 2, at: new Date(Number.NaN), visits: [] }
        ]),
        Checkpoint.make(null)
      ])
  })

  const report = await run(
    { source: moments.with({}), sinks: { out: memory.with({ name: "dates" }) } },
    { journal: "temporary" }
  )

  expect(table.columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`)).toEqual([
    "id BIGINT",
    "at TIMESTAMP",
    'visits STRUCT("on" TIMESTAMP)[]'
  ])
  expect(report.rows).toMatchObject({ moments: 1, moments__rejects: 1 })
  const micros = BigInt(at.getTime()) * 1000n
  expect(Database.rows("dates", "moments")).toMatchObject([
    { id: 1, at: micros, visits: [{ on: micros }, { on: null }] }
  ])
})
