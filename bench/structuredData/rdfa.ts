/** RDFa as extruct's samples expect it: expanded JSON-LD, which is a graph. */

import { shortName } from "../../src/extract/page/Names.ts"
import type { Page } from "../../src/extract/page/Page.ts"
import * as Rdfa from "../../src/extract/read/declared/Rdfa.ts"
import { contentOf, parse } from "../../src/page/Dom.ts"
import { difference, type Item, ofProperties } from "./Expected.ts"
import { isObject, type Json, type JsonObject, list } from "./Json.ts"
import { type Graph, itemsOf } from "./Turtle.ts"

/** What is read otherwise than expected, of things and of what the page says of itself. */
export const missOf = (page: Page, expected: Json, url: string): string | undefined => {
  const { things, loose, head } = Rdfa.read(page)
  const nodes: Graph["nodes"] = new Map()
  for (const node of list(expected).filter(isObject)) {
    const said = Object.entries(node).flatMap(([name, values]) =>
      name === "@id" || name.endsWith("usesVocabulary")
        ? []
        : list(values).map((value): readonly [string, { readonly id: string } | string] =>
            name === "@type"
              ? [typeOf, { id: String(value) }]
              : [
                  name,
                  isObject(value)
                    ? value["@id"] === undefined
                      ? plain(value)
                      : { id: String(value["@id"]) }
                    : String(value)
                ]
          )
    )
    nodes.set(String(node["@id"]), said)
  }
  const own = nodes.get(url) ?? []
  const isThing = own.some(([name]) => name === typeOf)
  if (!isThing) nodes.delete(url)
  // What only the page itself names is a thing of the page.
  const items = itemsOf({ nodes }, () => false)
  const self = new Map<string, Array<Item | string>>()
  for (const [name, object] of isThing ? [] : own) {
    if (typeof object !== "string" && nodes.has(object.id)) continue
    // A namespace without an end: its names begin where it ends.
    const key = shortName(name.replace(/^https?:\/\/www\.facebook\.com\/2008\/fbml/, ""))
    self.set(key, [...(self.get(key) ?? []), typeof object === "string" ? object : object.id])
  }
  const options = { ordered: false, ids: false }
  return difference(things, items, options) ?? ofProperties([...loose, ...head], self, options)
}

/** An XML literal is read as its text. */
const plain = (value: JsonObject): string => {
  const text = String(value["@value"])
  return String(value["@type"]).endsWith("XMLLiteral") ? contentOf(parse(text)) : text
}

const typeOf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
