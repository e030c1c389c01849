/** node-html-markdown as its README has it for many pages: one instance that is used again. */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"

const { NodeHtmlMarkdown } = await peer("node-html-markdown")
const converter = new NodeHtmlMarkdown({ maxConsecutiveNewlines: 2 })

export const convert: Convert = (body) => converter.translate(Buffer.from(body).toString())
