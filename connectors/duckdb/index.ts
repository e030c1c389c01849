/**
 * The DuckDB connector: rows into tables of a DuckDB file.
 *
 * A commit is one transaction: rows, child tables, checkpoint and the run's record, or nothing. With `publish`, readers
 * have a copy of their own, which no run locks.
 */
import * as Connector from "../../src/pipeline/Connector.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import { differences } from "./diff.ts"
import { Options } from "./options.ts"
import { owners, ranOnce, rows, runs } from "./read.ts"
import { open } from "./sink.ts"

export { Options } from "./options.ts"

export const duckdb = Sink.make<Options, typeof Options.Encoded, never>({
  type: "duckdb",
  description: "tables of a DuckDB file, each commit one transaction",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: Sink.mergeWhereKeyed,
  runs,
  ranOnce,
  rows,
  owners,
  differences,
  open
})

export const connector = Connector.make({ name: "duckdb", sinks: [duckdb] })
