/** The W3C's tests of microdata as RDF. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Page } from "../../src/extract/page/Page.ts"
import * as Microdata from "../../src/extract/read/declared/Microdata.ts"
import { difference } from "./Expected.ts"
import type { Suite } from "./Suite.ts"
import { itemsOf, parse } from "./Turtle.ts"

export const suite = (folder: string): Suite => {
  const root = join(folder, "tests")
  const cases = readdirSync(root)
    .filter((file) => /^(?:\d{4}|sdo_.*)\.html$/.test(file) && existsSync(join(root, file.replace(/html$/, "ttl"))))
    .sort()
    .map((file) => {
      const name = file.replace(/\.html$/, "")
      const url = `http://w3c.github.io/microdata-rdf/tests/${file}`
      const graph = parse(readFileSync(join(root, `${name}.ttl`), "utf8"), url)
      const { things } = Microdata.read(new Page(readFileSync(join(root, file), "utf8"), url))
      const items = itemsOf(graph, (predicate) => /ns\/md#item$|usesVocabulary$/.test(predicate))
      return { name, miss: difference(things, items, { ordered: false, ids: true }), apart: apart.get(name) }
    })
  return { name: "W3C: microdata", cases }
}

const expansion = "a vocabulary that gives items further types"
const reverse = "itemprop-reverse, which is no part of the HTML standard"
const relative = "a type that is no address is kept as a type"

const apart = new Map([
  ["0054", relative],
  ["0059", relative],
  ["0071", expansion],
  ["0073", expansion],
  ["0074", expansion],
  ["0081", reverse],
  ["0082", reverse],
  ["0084", reverse]
])
