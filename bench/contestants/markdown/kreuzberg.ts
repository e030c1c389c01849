/** html-to-markdown of Kreuzberg, in Rust, without what it finds beside the Markdown where that can be turned off. */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"

// A package of CommonJS: what it exports is its default.
const { convert: htmlToMarkdown } = (await peer("@kreuzberg/html-to-markdown-node")).default

export const convert: Convert = (body) =>
  htmlToMarkdown(Buffer.from(body).toString(), { extractMetadata: false }).content ?? ""
