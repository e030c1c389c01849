import { expect, it } from "vitest"
import { DatabaseError } from "#engine/DuckdbError"

const said = (message: string) => DatabaseError.from(new Error(message)).message

it("says in words what the system refused, with its code and the file", () => {
  expect(said('IO Error: Cannot open file "/a b/w.duckdb": Read-only file system')).toBe(
    "/a b/w.duckdb: its disk can only be read (EROFS)"
  )
  expect(
    said('TransactionContext Error: Failed to commit: Could not write file "/w.duckdb.wal": No space left on device')
  ).toBe("/w.duckdb.wal: the disk is full; make room, then run again (ENOSPC)")
})

it("says what to do with a file that is damaged, or that ends too early", () => {
  for (const message of [
    "IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2 in block at location 12288",
    'IO Error: Could not read enough bytes from file "/w.duckdb": attempted to read 174432 bytes from location 100000'
  ])
    expect(said(message)).toContain("the database file is damaged; put a good copy of it back")
})

it("leaves what DuckDB says of statements as it is", () => {
  expect(said('Binder Error: column "No space left on device" is not there')).toContain("Binder Error")
})
