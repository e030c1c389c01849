/** Turtle as a graph, read by n3, and graphs as items. */
import { shortName } from "../../src/extract/page/Names.ts"
import { peer } from "../contestants/peer.ts"
import type { Item } from "./Expected.ts"

export interface Graph {
  /** By subject; objects are `{ id }` or texts. */
  readonly nodes: Map<string, Array<readonly [predicate: string, object: { readonly id: string } | string]>>
}

/** What n3 says of a statement, as far as it is read here; its typings are a package of their own. */
interface Term {
  readonly termType: string
  readonly value: string
}
interface Statement {
  readonly subject: Term
  readonly predicate: Term
  readonly object: Term
}

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

const {
  Parser
}: {
  readonly Parser: new (options: { readonly baseIRI: string }) => { parse(turtle: string): ReadonlyArray<Statement> }
} = await peer("n3")

export const parse = (turtle: string, base: string): Graph => {
  const nodes: Graph["nodes"] = new Map()
  for (const { subject, predicate, object } of new Parser({ baseIRI: base }).parse(turtle)) {
    const said = nodes.get(idOf(subject)) ?? []
    nodes.set(idOf(subject), said)
    said.push([predicate.value, object.termType === "Literal" ? object.value : { id: idOf(object) }])
  }
  return { nodes }
}

const idOf = ({ termType, value }: Term): string => (termType === "BlankNode" ? `_:${value}` : value)

/** The nodes that no other node names, with what they say; a node in a node where it is described. */
export const itemsOf = ({ nodes }: Graph, without: (predicate: string) => boolean): ReadonlyArray<Item> => {
  const kept = new Map([...nodes].map(([id, said]) => [id, said.filter(([predicate]) => !without(predicate))] as const))
  const named = new Set(
    [...kept].flatMap(([id, said]) =>
      said.flatMap(([, object]) => (typeof object === "string" || object.id === id ? [] : [object.id]))
    )
  )
  const itemOf = (id: string, open: ReadonlyArray<string>): Item => {
    const properties = new Map<string, Array<Item | string>>()
    const types: Array<string> = []
    for (const [predicate, object] of kept.get(id) ?? []) {
      if (predicate === `${RDF}type` && typeof object !== "string") types.push(object.id)
      else {
        const name = shortName(predicate)
        const isInner =
          typeof object !== "string" && kept.has(object.id) && object.id !== id && !open.includes(object.id)
        const value = typeof object === "string" ? object : isInner ? itemOf(object.id, [...open, id]) : object.id
        properties.set(name, [...(properties.get(name) ?? []), value])
      }
    }
    return { types, id: id.startsWith("_:") ? undefined : id, properties }
  }
  const roots = [...kept.keys()].filter((id) =>
    !named.has(id) && (nodes.get(id)?.length ?? 0) === 0 ? true : !named.has(id) && (kept.get(id)?.length ?? 0) > 0
  )
  return roots.map((id) => itemOf(id, []))
}
