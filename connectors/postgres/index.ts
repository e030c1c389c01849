/**
 * The Postgres connector: rows into tables of a database, by COPY.
 *
 * A commit is one transaction: rows, child tables, checkpoint and the run's record, or nothing.
 */
import * as Connector from "#engine/Connector"
import { postgres } from "./sink.ts"

export { Options } from "./options.ts"
export { postgres } from "./sink.ts"

/**
 * The connector of Postgres: its sink.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/postgres"
 *
 * console.log(connector.sinks.map(({ type }) => type)) // ["postgres"]
 * ```
 */
export const connector = Connector.make({ name: "postgres", sinks: [postgres] })
