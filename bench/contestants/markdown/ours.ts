/** Our reader of pages, asked for the Markdown of the whole page, as the peers make it. */
import * as Page from "../../../src/page/Page.ts"
import type { Convert } from "./Convert.ts"

const options: Page.PageOptions = { ...Page.defaults, onlyMainContent: false, removeBase64Images: false }

export const convert: Convert = (body, url) =>
  Page.parse({ url, body, contentType: "text/html; charset=utf-8" }, options).markdown ?? ""
