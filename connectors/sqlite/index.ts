/**
 * The SQLite connector: rows into tables of a SQLite file.
 *
 * A commit is one transaction: rows, child tables, checkpoint and the run's record, or nothing. It is a dialect of the planner
 * of `Sink.sql`, and the model for your own.
 */
import * as Connector from "#engine/Connector"
import { sqlite } from "./sink.ts"

export { Options } from "./options.ts"
export { sqlite } from "./sink.ts"

/**
 * The connector of SQLite: its sink.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/sqlite"
 *
 * console.log(connector.sinks.map(({ type }) => type)) // ["sqlite"]
 * ```
 */
export const connector = Connector.make({ name: "sqlite", sinks: [sqlite] })
