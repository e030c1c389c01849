import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as SqliteFile from "#base/SqliteFile"

const tables = "CREATE TABLE IF NOT EXISTS kept (value TEXT PRIMARY KEY) STRICT"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millrace-test-sqlite-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("a small database in a file", () => {
  it("is made with the folders on the way, and read by its owner alone", () => {
    const path = join(folder, "a", "b", "small.db")
    SqliteFile.open(path, tables).close()

    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it("has what it had when it is opened again", () => {
    const path = join(folder, "small.db")
    const first = SqliteFile.open(path, tables)
    SqliteFile.whole(first, () => first.exec("INSERT INTO kept VALUES ('a')"))
    first.close()
    const again = SqliteFile.open(path, tables)

    expect(again.prepare("SELECT value FROM kept").all()).toMatchObject([{ value: "a" }])
    again.close()
  })

  it("is changed whole or not at all, and says why not", () => {
    const database = SqliteFile.open(":memory:", tables)
    const change = () =>
      SqliteFile.whole(database, () => {
        database.exec("INSERT INTO kept VALUES ('a')")
        database.exec("INSERT INTO kept VALUES ('a')")
      })

    expect(change).toThrow("UNIQUE constraint failed")
    expect(database.prepare("SELECT count(*) AS n FROM kept").get()).toMatchObject({ n: 0 })
    expect(SqliteFile.whole(database, () => 1)).toBe(1)
    database.close()
  })

  it("is not left open where its tables cannot be made", () => {
    const path = join(folder, "small.db")

    expect(() => SqliteFile.open(path, "CREATE TABLE")).toThrow("incomplete input")
    SqliteFile.open(path, tables).close()
  })
})
