import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Database from "#engine/Duckdb"
import { queries } from "#engine/duckdbQueries"
import * as Sink from "#engine/Sink"

const failure = (doing: string) => (cause?: Database.DatabaseError) =>
  new Sink.SinkError({ sink: "test", message: `${doing}: ${cause?.message ?? ""}`, retryable: false })

/** Questions to a database, and one that reads the file that an answer was written to. */
const open = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-queries-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const file = join(folder, "answer.parquet")
  const settings = { threads: 1, memory: "128MB", spill: join(folder, "spill") }
  const asked = yield* queries(yield* Database.open(settings), { files: [], out: file }, failure)
  const reader = yield* Database.open(settings)
  return {
    ...asked,
    rows: (sql: string) =>
      Effect.flatMap(asked.ask(sql), ({ rows }) => Effect.map(Stream.runCollect(rows), (chunks) => chunks.flat())),
    stored: (expression: string) =>
      Effect.map(reader.values(`SELECT ${expression} FROM read_parquet(${Database.literal(file)})`), ([row]) => row)
  }
})

it.effect("whole numbers of any size are their digits", () =>
  Effect.gen(function* () {
    const { rows, stored, toParquet } = yield* open
    const large = "170141183460469231731687303715884105727"
    const larger = "340282366920938463463374607431768211455"

    expect(
      yield* rows(`SELECT ${large}::HUGEINT AS a, ${larger}::UHUGEINT AS b, sum(7) AS c, NULL::HUGEINT AS d`)
    ).toEqual([{ a: large, b: larger, c: "7", d: null }])
    expect((yield* Effect.flip(toParquet(`SELECT ${large}::HUGEINT AS a`))).message).toContain(
      "files have no whole numbers of more than 38 digits: ask for it as text, CAST(a AS VARCHAR)"
    )
    yield* toParquet("SELECT sum(7) AS c")
    expect(yield* stored("typeof(c), c::VARCHAR")).toEqual(["DECIMAL(38,0)", "7"])
  })
)

it.effect("days and moments without an end, before the year 1 and after 9999 are shown as what they are", () =>
  Effect.gen(function* () {
    const { rows } = yield* open
    const [row] = yield* rows(`SELECT 'infinity'::DATE AS a, ['-infinity'::DATE, '0001-03-15 (BC)'::DATE] AS b,
      '50000-01-01'::DATE AS c, 'infinity'::TIMESTAMPTZ AS d`)
    expect(row).toEqual({
      a: "infinity",
      b: ["-infinity", "0000-03-15"],
      c: "+050000-01-01",
      d: 9_223_372_036_854_775_807n
    })
  })
)

it.effect("JSON with a NaN in it, which DuckDB makes, is text", () =>
  Effect.gen(function* () {
    const { rows } = yield* open
    expect(yield* rows("SELECT to_json(['nan'::DOUBLE]) AS a, to_json([1]) AS b")).toEqual([{ a: "[NaN]", b: [1] }])
  })
)

it.effect("a byte order mark at the beginning of a text is in a file once", () =>
  Effect.gen(function* () {
    const { stored, toParquet } = yield* open
    yield* toParquet("SELECT chr(65279) || 'a' AS a, [chr(65279)] AS b")
    expect(yield* stored("length(a), length(b[1])")).toEqual([2n, 1n])
  })
)
