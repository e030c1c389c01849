/** Turndown over a document of jsdom: its README takes any DOM node. */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"
import { service } from "./turndown.ts"

const { JSDOM, VirtualConsole } = await peer("jsdom")

export const convert: Convert = (body) => {
  const dom = new JSDOM(Buffer.from(body).toString(), { virtualConsole: new VirtualConsole() })
  const markdown = service.turndown(dom.window.document)
  dom.window.close()
  return markdown
}
