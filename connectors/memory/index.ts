/**
 * The memory connector: rows in a named database of this process, for tests and previews. It is also the shortest complete
 * sink: copy it to begin your own. `millrace` exports everything that it imports.
 */
import * as Connector from "#engine/Connector"
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
