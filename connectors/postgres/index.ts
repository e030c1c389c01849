/**
 * The Postgres connector: rows into tables of a database, by COPY.
 *
 * A commit is one transaction: rows, child tables, checkpoint and the run's record, or nothing.
 */
import * as Connector from "../../src/pipeline/Connector.ts"
import { postgres } from "./sink.ts"

export { Options } from "./options.ts"
export { postgres } from "./sink.ts"

export const connector = Connector.make({ name: "postgres", sinks: [postgres] })
