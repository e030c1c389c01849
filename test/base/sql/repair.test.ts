/** A SQLite file of our own with damaged values and pages: what is lost is named, and all else is there. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "#base/SqliteClient"
import * as SqliteRepair from "#base/SqliteRepair"

const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, text TEXT, at BIGINT)`
  yield* SqliteRepair.guard
})

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* create
  for (let id = 0; id < 200; id++)
    yield* sql`INSERT INTO jobs (id, text, at) VALUES (${`job ${id}`}, ${"x".repeat(200)}, ${id})`
})

const look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* create
  const jobs = yield* sql<{ id: string }>`SELECT id FROM jobs`
  return { ids: new Set(jobs.map(({ id }) => id)), lost: yield* SqliteRepair.unreported }
})

const on = <A, E>(file: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(use, SqliteClient.layer(file, { repairs: true }))

const filled = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-test-repair-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const file = join(folder, "own.sqlite")
  yield* on(file, fill)
  return { folder, file }
})

/** The messages of an error and of its causes. */
const reasonsOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${reasonsOf(error.cause)}` : ""

/** Where a text is in a file. */
const placeOf = (bytes: Buffer, text: string): number => bytes.indexOf(text)

it.effect("a row with a changed value is set aside and named until somebody was told, and the others stay", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const bytes = readFileSync(file)
    bytes[placeOf(bytes, `job 7${"x".repeat(50)}`) + 20] = "y".charCodeAt(0)
    writeFileSync(file, bytes)

    for (let open = 0; open < 2; open++) {
      const { ids, lost } = yield* on(file, look)
      expect(ids.size).toBe(199)
      expect(ids.has("job 7")).toBe(false)
      expect(lost.map(SqliteRepair.inWords)).toEqual(["jobs id job 7: a value of it was changed"])
      expect(lost[0]?.cells["text"]).toMatch(/^x+yx+$/)
    }
    yield* on(file, Effect.flatMap(SqliteRepair.unreported, SqliteRepair.markReported))
    expect((yield* on(file, look)).lost).toEqual([])
  })
)

it.effect("of a page that cannot be read the rows are named by their index, and all others are in a new file", () =>
  Effect.gen(function* () {
    const { file, folder } = yield* filled
    const bytes = readFileSync(file)
    const page = Math.floor(placeOf(bytes, `job 90${"x".repeat(50)}`) / 4096)
    writeFileSync(file, bytes.fill(0, page * 4096, (page + 1) * 4096))

    const { ids, lost } = yield* on(file, look)
    const [whole, ...rows] = lost
    expect(whole?.reason).toMatch(
      /own\.sqlite is damaged: .*; what could be read is in a new file, and the old one is .*own\.sqlite\.damaged$/
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(ids.size + rows.length).toBe(200)
    expect(rows.map(({ cells }) => cells["id"])).toContain("job 90")
    expect(rows.some(({ cells }) => ids.has(String(cells["id"])))).toBe(false)
    expect(readdirSync(folder)).toContain("own.sqlite.damaged")
    expect((yield* on(file, look)).lost).toEqual(lost)
  })
)

it.effect("of a file that is cut off the rows before the cut are in a new file, and the old one is beside it", () =>
  Effect.gen(function* () {
    const { file, folder } = yield* filled
    const cut = readFileSync(file).subarray(0, Math.floor(readFileSync(file).length * 0.7))
    writeFileSync(file, cut)

    const { ids, lost } = yield* on(file, look)
    expect(ids.size).toBeGreaterThan(80)
    expect(ids.size).toBeLessThan(200)
    expect(lost[0]?.reason).toMatch(/what could be read is in a new file/)
    expect(lost.slice(1).map(({ table }) => table)).toContain("jobs")
    // Its first hundred bytes count changes.
    expect(readFileSync(join(folder, "own.sqlite.damaged")).subarray(100)).toEqual(cut.subarray(100))
    expect((yield* on(file, look)).lost).toEqual(lost)
  })
)

it.effect("a table of words that no digest guards is copied as it is", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const made = new DatabaseSync(file)
    made.exec("CREATE VIRTUAL TABLE words USING fts5(text, content = '', contentless_delete = 1)")
    for (let id = 0; id < 50; id++)
      made.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)").run(id, `word${id} all`)
    made.close()
    const bytes = readFileSync(file)
    const page = Math.floor(placeOf(bytes, `job 90${"x".repeat(50)}`) / 4096)
    writeFileSync(file, bytes.fill(0, page * 4096, (page + 1) * 4096))
    const words = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT rowid FROM words WHERE words MATCH 'word7'`)
    expect(yield* on(file, words)).toEqual([{ rowid: 7 }])
    expect((yield* on(file, look)).lost.filter(({ table }) => table === "words")).toEqual([])
  })
)

it.effect("an index that is damaged costs no row", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const bytes = readFileSync(file)
    const page = Array.from({ length: bytes.length / 4096 }, (_, at) => at).findLast((at) => bytes[at * 4096] === 10)
    expect(page).toBeDefined()
    bytes.fill(0, (page ?? 0) * 4096 + 100, (page ?? 0) * 4096 + 4096)
    writeFileSync(file, bytes)
    const { ids, lost } = yield* on(file, look)
    expect([ids.size, lost.length]).toEqual([200, 1])
  })
)

it.effect("a row that another program changed is no damage, and its digest returns with the next write", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const other = new DatabaseSync(file)
    other.exec(
      "UPDATE jobs SET text = 'mine' WHERE id = 'job 3'; INSERT INTO jobs (id, text, at) VALUES ('new', 'mine', 1)"
    )
    other.close()
    const { ids, lost } = yield* on(file, look)
    expect([ids.size, lost]).toEqual([201, []])
    const rewrite = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.andThen(create, sql`UPDATE jobs SET at = 5 WHERE id IN ('new', 'job 3')`)
    )
    yield* on(file, rewrite)
    const again = new DatabaseSync(file)
    expect(again.prepare("SELECT count(*) AS n FROM jobs WHERE row_digest IS NULL").get()).toEqual({ n: 0 })
    again.close()
  })
)

it.effect("a table that gets a column later has digests of all columns after the next write", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const sqlOf = (use: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
      Effect.flatMap(SqlClient.SqlClient, use)
    // A process that is killed after its migration and before it guards the table.
    yield* on(
      file,
      sqlOf((sql) => sql`ALTER TABLE jobs ADD COLUMN note TEXT NOT NULL DEFAULT 'a note'`)
    )
    expect((yield* on(file, look)).lost).toEqual([])
    yield* on(
      file,
      Effect.andThen(
        create,
        sqlOf((sql) => sql`UPDATE jobs SET note = 'kept note' WHERE id = 'job 9'`)
      )
    )
    const bytes = readFileSync(file)
    bytes[placeOf(bytes, "kept note")] = "w".charCodeAt(0)
    writeFileSync(file, bytes)
    expect((yield* on(file, look)).lost.map(({ cells }) => cells["note"])).toEqual(["wept note"])
  })
)

it.effect("a damaged file that another process has open is left as it is", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const other = new DatabaseSync(file)
    expect(other.prepare("SELECT count(*) AS n FROM jobs").get()).toEqual({ n: 200 })
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0, 3 * 4096, 4 * 4096))
    const error = yield* Effect.flip(on(file, look))
    expect(reasonsOf(error)).toMatch(
      /own\.sqlite is damaged: .*; another process uses it: stop that one, and what can be read is saved/
    )
    other.close()
    expect((yield* on(file, look)).lost.length).toBeGreaterThan(0)
  })
)

it.effect("an empty file begins anew and says so; a file without a readable schema is refused", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const bytes = readFileSync(file)
    writeFileSync(file, "")
    expect((yield* on(file, look)).lost.map(SqliteRepair.inWords)).toEqual([
      "the file was empty: all that was in it is lost"
    ])
    writeFileSync(file, bytes.fill(0, 0, 4096))
    const error = yield* Effect.flip(on(file, look))
    expect(reasonsOf(error)).toMatch(/own\.sqlite is damaged: .*; restore it from a backup, or move it away/)
  })
)

it.effect("a changed text of a table is refused in words, and a table that somebody made is not", () =>
  Effect.gen(function* () {
    const { file } = yield* filled
    const other = new DatabaseSync(file)
    other.exec("CREATE TABLE mine (id INTEGER)")
    other.close()
    expect((yield* on(file, look)).lost).toEqual([])
    const bytes = readFileSync(file)
    bytes[placeOf(bytes, "text TEXT, at") + 2] = "s".charCodeAt(0)
    writeFileSync(file, bytes)
    const error = yield* Effect.flip(on(file, look))
    expect(reasonsOf(error)).toMatch(/is damaged: .*; restore it from a backup, or move it away/)
  })
)
