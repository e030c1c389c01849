/** The tests of microformats: versions 1 and 2, mixed, and the units of version 2. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Page } from "../../src/extract/page/Page.ts"
import * as Microformats from "../../src/extract/read/declared/Microformats.ts"
import { difference, type Item } from "./Expected.ts"
import { isObject, type Json } from "./Json.ts"
import type { Case, Suite } from "./Suite.ts"

export const suites = (folder: string): ReadonlyArray<Suite> =>
  ["microformats-v2", "microformats-v2-unit", "microformats-v1", "microformats-mixed"].map((version) => {
    const root = join(folder, "tests", version)
    const cases = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".html") && existsSync(join(root, path.replace(/html$/, "json"))))
      .sort()
      .map((path) => {
        const name = path.replace(/\.html$/, "")
        const url = version === "microformats-v2-unit" ? "http://example.test/" : "http://example.com/"
        // the files of the suite hold JSON
        const expected = JSON.parse(readFileSync(join(root, `${name}.json`), "utf8")) as { items: Json }
        return caseOf(name, readFileSync(join(root, path), "utf8"), expected.items, url)
      })
    return { name: `microformats: ${version.slice(13)}`, cases }
  })

export const caseOf = (name: string, html: string, expected: Json, url: string): Case => {
  const items = Array.isArray(expected) ? expected.map(itemOf) : []
  const miss = difference(Microformats.read(new Page(html, url)), items, { ordered: true, ids: false })
  return {
    name,
    miss,
    apart: items.length === 0 && name.startsWith("rel/") ? "relations of links are read as meta" : undefined
  }
}

/** Markup, the picture's other text and the text of an item in an item are left out: they are not read. */
const itemOf = (json: Json): Item => {
  if (!isObject(json)) return { types: [], properties: new Map() }
  const properties = new Map<string, Array<Item | string>>()
  const add = (name: string, values: Json | undefined): void => {
    for (const value of Array.isArray(values) ? values : []) {
      const item = isObject(value) ? ("type" in value ? itemOf(value) : String(value["value"])) : String(value)
      properties.set(name, [...(properties.get(name) ?? []), item])
    }
  }
  for (const [name, values] of isObject(json["properties"]) ? Object.entries(json["properties"]) : []) add(name, values)
  add("children", json["children"])
  const types = Array.isArray(json["type"]) ? json["type"].map((type) => String(type).replace(/^h-/, "")) : []
  return { types, properties }
}
