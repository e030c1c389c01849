/**
 * The webdata connector: what a web data service crawls, extracts, searches and lets agents find, as tables.
 *
 * It speaks to whatever service the `WebData` client is given: hosted, on a port, or embedded.
 */
import type { WebData } from "../../src/client/WebData.ts"
import * as Connector from "../../src/pipeline/Connector.ts"
import type { Inboxes } from "../../src/pipeline/Inbox.ts"
import { agent } from "./agent.ts"
import { crawl } from "./crawl.ts"
import { extract } from "./extract.ts"
import { monitor } from "./monitor/monitor.ts"
import { searchGov } from "./searchGov.ts"

export { agent } from "./agent.ts"
export { crawl } from "./crawl.ts"
export { extract } from "./extract.ts"
export { monitor } from "./monitor/monitor.ts"
export { searchGov } from "./searchGov.ts"
export * as tables from "./tables.ts"

export const connector = Connector.make<WebData | Inboxes>({
  name: "webdata",
  sources: [crawl, extract, agent, searchGov, monitor]
})
