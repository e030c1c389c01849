/**
 * What names mean in a JSON-LD document, as far as the document says it itself: nothing is fetched.
 */
import { shortName } from "../../page/Names.ts"
import type { Node, ObjectNode } from "./JsonNode.ts"

interface Term {
  /** A short name, or a keyword: "@id", "@type", "@reverse". */
  readonly name: string
  readonly isAddress: boolean
  /** Its value is an object whose keys say the language, the index or the id of each value. */
  readonly isMap: boolean
}

export class JsonLdContext {
  private readonly terms: ReadonlyMap<string, Term>

  private constructor(terms: ReadonlyMap<string, Term>) {
    this.terms = terms
  }

  static readonly empty = new JsonLdContext(new Map())

  /** This context and what an object adds to it. */
  with(node: ObjectNode): JsonLdContext {
    const own = node.entries.find(([name]) => name === "@context")?.[1]
    if (own === undefined) return this
    const terms = new Map(this.terms)
    for (const part of own._tag === "List" ? own.items : [own]) {
      if (part._tag === "Plain" && schemaOrg.test(String(part.data)))
        for (const [name, term] of ofSchemaOrg) terms.set(name, term)
      if (part._tag !== "Object") continue
      for (const [name, definition] of part.entries.slice(0, maxTerms)) {
        const term = name.startsWith("@") ? undefined : termOf(name, definition)
        if (term !== undefined) terms.set(name, term)
      }
    }
    return terms.size === 0 ? this : new JsonLdContext(terms)
  }

  /** The short name of a property, or a keyword. */
  nameOf(key: string): string {
    return this.terms.get(key)?.name ?? (key.startsWith("@") ? key : shortName(key))
  }

  typeOf(type: string): string {
    return this.terms.get(type)?.name ?? shortName(type)
  }

  isAddress(key: string): boolean {
    return this.terms.get(key)?.isAddress ?? false
  }

  isMap(key: string): boolean {
    return this.terms.get(key)?.isMap ?? false
  }
}

const maxTerms = 1000

/** What the context of schema.org says about keywords, known without fetching it. */
const schemaOrg = /^https?:\/\/(?:www\.)?schema\.org(?:\/|$)/
const ofSchemaOrg = new Map<string, Term>([
  ["type", { name: "@type", isAddress: false, isMap: false }],
  ["id", { name: "@id", isAddress: true, isMap: false }]
])

const termOf = (name: string, definition: Node): Term | undefined => {
  if (definition._tag === "Plain") {
    const { data } = definition
    return typeof data === "string" ? { name: meaning(data, name), isAddress: false, isMap: false } : undefined
  }
  if (definition._tag === "List") return undefined
  const text = (key: string): string | undefined => {
    const found = definition.entries.find(([own]) => own === key)?.[1]
    return found?._tag === "Plain" && typeof found.data === "string" ? found.data : undefined
  }
  const container = text("@container")
  const isReverse = definition.entries.some(([own]) => own === "@reverse")
  return {
    name: isReverse ? "@reverse" : meaning(text("@id") ?? name, name),
    isAddress: text("@type") === "@id",
    isMap: container === "@language" || container === "@index" || container === "@id" || container === "@type"
  }
}

/** A term that only stands for a vocabulary, "schema", keeps its name. */
const meaning = (iri: string, name: string): string =>
  iri.startsWith("@") ? iri : /[/#:]$/.test(iri) ? name : shortName(iri)
