import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"

const open = Database.open({ threads: 1, memory: "128MB", spill: join(tmpdir(), "millrace-unused.spill") })
/** One that spills soon. */
const openSmall = Effect.gen(function* () {
  const spill = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-spill-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  return yield* Database.open({ threads: 1, memory: "16MB", spill })
})
const n: ReadonlyArray<Column.Column> = [{ name: "n", type: { _tag: "BIGINT" }, nullable: true }]

it.effect("an interrupted statement is stopped, and the connection goes on", () =>
  Effect.gen(function* () {
    const database = yield* open
    const fiber = yield* Effect.forkChild(
      database.query("SELECT count(*) FROM range(10000000000) a, range(10000000000) b", n)
    )
    yield* Effect.yieldNow

    yield* Fiber.interrupt(fiber)

    expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
    expect(yield* database.query("SELECT 1::BIGINT", n)).toEqual([{ n: 1n }])
  })
)

it.effect("a database that closes while it parses waits for the end, which would otherwise end the process", () =>
  Effect.gen(function* () {
    const long = "SELECT 1;".repeat(100_000)
    for (let times = 0; times < 5; times++) {
      const scope = yield* Scope.make()
      const database = yield* Scope.provide(open, scope)
      const parsing = yield* Effect.forkChild(database.countStatements(long), { startImmediately: true })
      yield* Fiber.interrupt(parsing)
      yield* Scope.close(scope, Exit.void)
      expect(Exit.hasInterrupts(yield* Fiber.await(parsing))).toBe(true)
    }
  })
)

it.effect("a feed gives each statement the rows that were loaded for it, in order, over many chunks", () =>
  Effect.gen(function* () {
    const database = yield* open
    const feed = yield* database.feed(n)
    yield* database.run("CREATE TABLE t (n BIGINT)")

    feed.load(Array.from({ length: 5000 }, (_, at) => ({ n: at })))
    expect(yield* database.run(`INSERT INTO t FROM ${feed.call}`)).toBe(5000)
    feed.load([{ n: 5000 }])
    // A statement that is run again reads the same rows.
    expect(yield* database.query(`SELECT count(*) FROM ${feed.call}`, n)).toEqual([{ n: 1n }])
    expect(yield* database.run(`INSERT INTO t FROM ${feed.call}`)).toBe(1)
    feed.load([])
    expect(yield* database.run(`INSERT INTO t FROM ${feed.call}`)).toBe(0)

    const rows = yield* database.query("FROM t", n)
    expect(rows).toEqual(Array.from({ length: 5001 }, (_, at) => ({ n: BigInt(at) })))
  })
)

it.effect("a cell that does not fit fails the statement with its column, and the next one is fine", () =>
  Effect.gen(function* () {
    const database = yield* open
    const feed = yield* database.feed(n)

    feed.load([{ n: 1 }, { n: "two" }])
    const error = yield* Effect.flip(database.query(`FROM ${feed.call}`, n))
    feed.load([{ n: 3 }])

    expect(error.message).toBe(`column n: a string is not a valid BIGINT: "two"`)
    expect(yield* database.query(`FROM ${feed.call}`, n)).toEqual([{ n: 3n }])
  })
)

it("a text is one literal whatever is in it", () => {
  expect(Database.literal("it's; DROP TABLE x --")).toBe("'it''s; DROP TABLE x --'")
})

it.effect("more keys than a database may hold are joined amply, and it holds as little as before afterwards", () =>
  Effect.gen(function* () {
    const database = yield* openSmall
    yield* database.run(
      "CREATE TABLE keys AS SELECT 'https://example.com/page/' || i AS url FROM range(500000) AS t(i)"
    )
    const doubles = database.run(
      "CREATE OR REPLACE TABLE doubles AS SELECT url FROM keys GROUP BY url HAVING count(*) > 1"
    )
    const limit = database.values("SELECT current_setting('memory_limit')")

    expect((yield* Effect.flip(doubles)).message).toContain("Out of Memory")
    const before = yield* limit
    yield* database.withRaisedMemoryLimit(doubles)

    expect(yield* database.query("SELECT count(*) FROM doubles", n)).toEqual([{ n: 0n }])
    expect(yield* limit).toEqual(before)
  })
)

it.effect("a transaction goes on where it holds more than there is to be afterwards", () =>
  Effect.gen(function* () {
    const database = yield* openSmall
    yield* database.run("BEGIN")
    yield* database.withRaisedMemoryLimit(
      database
        .run("CREATE TABLE keys AS SELECT i, i::VARCHAR AS text FROM range(4000000) AS t(i)")
        .pipe(Effect.andThen(database.run("DELETE FROM keys WHERE i % 3 = 0")))
    )

    yield* database.run("INSERT INTO keys VALUES (-1, 'after')")
    yield* database.run("COMMIT")

    expect(yield* database.query("SELECT count(*) AS n FROM keys", n)).toEqual([{ n: 2_666_667n }])
  })
)

it.effect("a table of more columns than it may hold blocks of is written, since each column makes room", () =>
  Effect.gen(function* () {
    const database = yield* openSmall
    const columns = Array.from({ length: 200 }, (_, at): Column.Column => {
      return { name: `c${at}`, type: { _tag: "BIGINT" }, nullable: true }
    })
    const feed = yield* database.feed(columns)
    yield* database.run(`CREATE TABLE wide (${columns.map(({ name }) => `${name} BIGINT`).join(", ")})`)
    yield* database.run("BEGIN")
    for (let from = 0; from < 3; from += 1) {
      feed.load(Array.from({ length: 1024 }, (_, at) => Object.fromEntries(columns.map(({ name }) => [name, at]))))
      yield* database.run(`INSERT INTO wide FROM ${feed.call}`)
    }
    yield* database.run("COMMIT")

    expect(yield* database.query("SELECT count(*) AS n FROM wide", n)).toEqual([{ n: 3072n }])
  })
)
