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
const openWith = Effect.fnUntraced(function* (limits: { readonly mostBytes?: number }) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-queries-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const file = join(folder, "answer.parquet")
  const settings = { threads: 1, memory: "128MB", spill: join(folder, "spill") }
  const asked = yield* queries(yield* Database.open(settings), { files: [], out: file, ...limits }, failure)
  const reader = yield* Database.open(settings)
  return {
    ...asked,
    rows: (sql: string) =>
      Effect.flatMap(asked.ask(sql), ({ rows }) => Effect.map(Stream.runCollect(rows), (chunks) => chunks.flat())),
    stored: (expression: string) =>
      Effect.map(reader.values(`SELECT ${expression} FROM read_parquet(${Database.literal(file)})`), ([row]) => row)
  }
})
const open = openWith({})

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

it.effect("large rows come in parts, and a row that no reader could hold is refused with its size", () =>
  Effect.gen(function* () {
    const { ask, rows } = yield* open
    const text = (bytes: number) => `repeat('x', ${bytes}) AS a`
    const { rows: parts } = yield* ask(`SELECT ${text(30_000_000)}, [{ b: 'y' }] AS l FROM range(5)`)
    const sizes = yield* Stream.runCollect(Stream.map(parts, (some) => some.length))

    expect(Array.from(sizes)).toEqual([2, 2, 1])
    expect((yield* Effect.flip(rows(`SELECT 1 AS n, ${text(300_000_000)}`))).message).toBe(
      "the query failed: a row of the answer has 300000000 bytes, and at most 268435456 are read: ask for less of it, such as left(column, 1000)"
    )
    expect(yield* rows("SELECT 1.5 AS a, NULL AS b WHERE true")).toEqual([{ a: "1.5", b: null }])
  })
)

it.live("a query that takes the memory of the machine is ended, and the next one is answered", () =>
  Effect.gen(function* () {
    const { rows, toParquet } = yield* openWith({ mostBytes: 200 * 1024 * 1024 })
    // Each step needs more than the one before: what an earlier query gave back may still be with this process.
    const large = "SELECT count(*) AS n FROM range(20000000) WHERE strlen(repeat('x', range * 50) || range) > 0"
    const refused = "it needs more than 200 MB of memory: ask for fewer or shorter values at a time"

    expect((yield* Effect.flip(rows(large))).message).toBe(`the query failed: ${refused}`)
    expect((yield* Effect.flip(toParquet(large))).message).toBe(`the query failed: ${refused}`)
    expect(yield* rows("SELECT 1::BIGINT AS n")).toEqual([{ n: 1n }])
  })
)
