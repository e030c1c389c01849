import { expect, it } from "vitest"
import { failure } from "#connectors/duckdb/failure"

it.each([
  ["/data/site.duckdb", "/data/site.duckdb: the disk is full", "cannot open /data/site.duckdb: the disk is full"],
  ["/my data/a b.duckdb", "/my data/a b.duckdb: the disk is full", "cannot open /my data/a b.duckdb: the disk is full"],
  ["/data/site.duckdb", "/other: the disk is full", "cannot open /data/site.duckdb: /other: the disk is full"],
  ["/data/site.duckdb", "the file is damaged", "cannot open /data/site.duckdb: the file is damaged"]
])("a failure of %s names each file once, where DuckDB says %s", (path, said, message) => {
  expect(failure(`cannot open ${path}`)(new Error(said)).message).toBe(message)
})
