/**
 * The webdata connector: what a web data service crawls, extracts, searches and finds with agents, as tables.
 *
 * It uses the service of the client `WebData`: hosted, on a port, or embedded.
 */
import type { WebData } from "#contract/WebData"
import * as Connector from "#engine/Connector"
import type { Inboxes } from "#engine/Inbox"
import { agent } from "./agent.ts"
import { crawl } from "./crawl.ts"
import { extract } from "./extract.ts"
import { monitor } from "./monitor.ts"
import { searchGov } from "./searchGov.ts"

export { agent } from "./agent.ts"
export * as tables from "./crawl/tables.ts"
export { crawl } from "./crawl.ts"
export { extract } from "./extract.ts"
export { monitor } from "./monitor.ts"
export { searchGov } from "./searchGov.ts"

/**
 * The connector of the web data service: its sources. They need the client `WebData`, and `Inboxes` for webhooks.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/webdata"
 *
 * console.log(connector.sources.map(({ type }) => type)) // ["crawl", "extract", "agent", "search_gov", "monitor"]
 * ```
 */
export const connector = Connector.make<WebData | Inboxes>({
  name: "webdata",
  sources: [crawl, extract, agent, searchGov, monitor]
})
