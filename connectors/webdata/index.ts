/**
 * The webdata connector: what a web data service crawls, extracts, searches and finds with agents, as tables.
 *
 * It uses the service of the client `WebData`: hosted, on a port, or embedded.
 */
import type { WebData } from "#contract/WebData"
import * as Connector from "#engine/Connector"
import type { Inboxes } from "#engine/Inbox"
import { crawl } from "./crawl/crawl.ts"
import { searchGov } from "./gov/searchGov.ts"
import { agent } from "./jobs/agent.ts"
import { extract } from "./jobs/extract.ts"
import { monitor } from "./monitor/monitor.ts"

export { crawl } from "./crawl/crawl.ts"
export * as tables from "./crawl/tables.ts"
export { searchGov } from "./gov/searchGov.ts"
export { agent } from "./jobs/agent.ts"
export { extract } from "./jobs/extract.ts"
export { monitor } from "./monitor/monitor.ts"

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
