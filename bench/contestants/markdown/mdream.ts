/** mdream's own engine in Rust, with its defaults: the Markdown of the whole page. */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"

const { htmlToMarkdown } = await peer("mdream")

export const convert: Convert = (body, url) =>
  htmlToMarkdown(Buffer.from(body).toString(), { origin: new URL(url).origin })
