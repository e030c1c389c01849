/**
 * The DuckDB connector: rows into tables of a DuckDB file.
 *
 * A commit is one transaction: rows, child tables, checkpoint and the run's record, or nothing. With `publish`, readers
 * have a separate copy, which no run locks.
 */
import * as Connector from "#engine/Connector"
import { duckdb } from "./sink.ts"

export { Options } from "./options.ts"
export { duckdb } from "./sink.ts"

/**
 * The connector of DuckDB: its sink.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/duckdb"
 *
 * console.log(connector.sinks.map(({ type }) => type)) // ["duckdb"]
 * ```
 */
export const connector = Connector.make({ name: "duckdb", sinks: [duckdb] })
