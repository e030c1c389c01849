/**
 * RDFa as things.
 *
 * A node that the page describes is placed where the page refers to it, never inside itself, and is a thing of the page
 * if no other thing refers to it; a node that is only named is an address.
 */
import type { Property, Thing } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { type Growing, type Page, thing } from "../../page/Page.ts"
import { graphOf, type Node, type Statement } from "./RdfaGraph.ts"

interface Rdfa {
  readonly things: ReadonlyArray<Thing>
  /** What the page says of itself in its text. */
  readonly loose: ReadonlyArray<Property>
  /** And in meta and link, which `Meta` reads as well. */
  readonly head: ReadonlyArray<Property>
}

export const read = (page: Page): Rdfa => {
  const { self, nodes } = graphOf(page)
  const isThing = self.types.size > 0
  const described = nodes.filter((node) => isDescribed(node) && (node !== self || isThing))
  const named = new Set<Node>()
  for (const node of described) {
    for (const { object } of node.statements) if ("statements" in object && object !== node) named.add(object)
  }
  const reader = new Reader(page)
  const roots = described.filter((node) => !named.has(node))
  const things = roots.map((node) => reader.thing(node, ""))
  // Things that only speak of one another.
  for (const node of described) if (!reader.read.has(node)) things.push(reader.thing(node, ""))
  const own = isThing ? [] : self.statements.filter(({ object }) => !("statements" in object) || !isDescribed(object))
  const of = (statements: ReadonlyArray<Statement>): ReadonlyArray<Property> => reader.properties(statements, "")
  return {
    things,
    loose: of(own.filter(({ element }) => !heads.has(element.name))),
    head: of(own.filter(({ element }) => heads.has(element.name)))
  }
}

const maxDepth = 32
const heads = new Set(["meta", "link", "head", "html"])

const isDescribed = ({ types, statements }: Node): boolean => types.size > 0 || statements.length > 0

class Reader {
  readonly read = new Set<Node>()
  private readonly page: Page
  private readonly open = new Set<Node>()
  private readonly room = new Budget(maxValues, () => this.page.cut())

  constructor(page: Page) {
    this.page = page
  }

  thing(node: Node, before: string): Growing {
    const types = [...node.types]
    const path = before === "" ? (types[0] ?? "item") : before
    const id = node.id.startsWith("_:") ? undefined : node.id
    const made = thing(this.page.source("rdfa", node.element, path), types, id)
    this.read.add(node)
    this.open.add(node)
    for (const property of this.properties(node.statements, path)) made.properties.push(property)
    this.open.delete(node)
    return made
  }

  properties(statements: ReadonlyArray<Statement>, before: string): ReadonlyArray<Property> {
    const found: Array<Property> = []
    for (const { name, element, object } of statements) {
      if (!this.room.take()) break
      const path = before === "" ? name : `${before}/${name}`
      if (!("statements" in object)) found.push({ name, value: { ...object, source: { ...object.source, path } } })
      else if (isDescribed(object) && !this.open.has(object) && this.open.size < maxDepth) {
        found.push({ name, value: this.thing(object, path) })
      } else if (!object.id.startsWith("_:")) {
        found.push({ name, value: this.page.attribute("rdfa", object.id, element, path) })
      }
    }
    return found
  }
}
