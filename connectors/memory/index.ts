/**
 * The memory connector: rows into a named database of this process. For tests, for previews, and as the shortest complete
 * sink: copy it to begin one of your own. All that it imports is exported by `millrace`.
 */
import * as Connector from "../../src/pipeline/Connector.ts"
import { memory } from "./sink.ts"

export * as Database from "./Database.ts"
export { Options } from "./options.ts"
export { memory } from "./sink.ts"

/**
 * The connector of memory: its sink.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/memory"
 *
 * console.log(connector.sinks.map(({ type }) => type)) // ["memory"]
 * ```
 */
export const connector = Connector.make({ name: "memory", sinks: [memory] })
