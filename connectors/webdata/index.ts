/**
 * The webdata connector: what a web data service crawls, as tables.
 *
 * It speaks to whatever service the `WebData` client is given: hosted, on a port, or embedded.
 */
import type { WebData } from "../../src/client/WebData.ts"
import * as Connector from "../../src/pipeline/Connector.ts"
import { crawl } from "./crawl.ts"

export { crawl } from "./crawl.ts"
export * as tables from "./tables.ts"

export const connector = Connector.make<WebData>({ name: "webdata", sources: [crawl] })
