/**
 * Turndown as its README has it: a string of HTML, which it parses with domino; its GFM plugin for tables, headings with
 * `#` and fenced code; `remove` for what is not the page's text.
 */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"

const [{ default: Turndown }, { gfm }] = await Promise.all([peer("turndown"), peer("@joplin/turndown-plugin-gfm")])

/** For a string, or a document of another DOM. */
export const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" })
  .use(gfm)
  .remove(["head", "title", "script", "style", "noscript", "template"])

export const convert: Convert = (body) => service.turndown(Buffer.from(body).toString())
