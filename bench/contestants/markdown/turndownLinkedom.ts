/** Turndown over a document of linkedom: its README takes any DOM node. */
import { peer } from "../peer.ts"
import type { Convert } from "./Convert.ts"
import { service } from "./turndown.ts"

const { parseHTML } = await peer("linkedom")

export const convert: Convert = (body) =>
  service.turndown(parseHTML(Buffer.from(body).toString()).document.documentElement)
