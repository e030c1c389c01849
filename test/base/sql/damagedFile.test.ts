import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "#base/SqliteClient"

/** A database with some pages. */
const filled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE jobs (id INTEGER PRIMARY KEY, text TEXT)`
  for (let id = 0; id < 200; id++) yield* sql`INSERT INTO jobs VALUES (${id}, ${"x".repeat(200)})`
})

const counted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT count(*) AS n FROM jobs`
})

it.effect("a database with a zeroed page is refused when it is opened, with its file and what to do", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-test-damaged-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const file = join(folder, "service.sqlite")
    yield* Effect.provide(filled, SqliteClient.layer(file))
    expect(yield* Effect.provide(counted, SqliteClient.layer(file))).toEqual([{ n: 200 }])
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0, 2 * 4096, 3 * 4096))

    const error = yield* Effect.flip(Effect.provide(counted, SqliteClient.layer(file)))

    const reasons: Array<string> = []
    for (let one: unknown = error; one instanceof Error && reasons.length < 5; one = one.cause)
      reasons.push(one.message)
    expect(reasons.join("\n")).toMatch(new RegExp(`${file} is damaged: .*; restore it from a backup, or move it away`))
  })
)
