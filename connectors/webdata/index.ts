/** The connector to web data services: what they crawl, as tables. */
import type { WebData } from "../../src/client/WebData.ts"
import * as Connector from "../../src/pipeline/Connector.ts"
import { crawl } from "./crawl.ts"

export { crawl }

export const webdata = Connector.make<WebData>({ name: "webdata", sources: [crawl] })
