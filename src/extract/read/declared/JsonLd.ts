/**
 * JSON-LD in scripts.
 *
 * A node that is only named, `{"@id": "#maker"}`, is read as what the page says of it elsewhere, to a limited depth and
 * never inside itself; if the page says nothing of it, it is an address. A node of a @graph is a thing of the page even
 * if others refer to it. @reverse is ignored.
 */
import { decodeHTML } from "entities/decode"
import type { Property, Source, Thing, Value } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { isAddressName, isRelative, shortName } from "../../page/Names.ts"
import { type Growing, type Page, thing, valueOf } from "../../page/Page.ts"
import { JsonParser, type Node, type ObjectNode, type PlainNode } from "./JsonParser.ts"

export const read = (page: Page): ReadonlyArray<Thing> => {
  const reader = new Reader(page)
  for (const { name, attributes, children } of page.elements) {
    if (name !== "script" || !/^\s*application\/ld\+json/i.test(attributes.get("type") ?? "")) continue
    const [text] = children
    if (text?._tag !== "Text") continue
    for (const node of documents(text.text, text.from)) reader.gather(node, JsonLdContext.empty, 0)
  }
  return reader.things()
}

const maxDepth = 32
/** Values of copies: each thing may stand once more where another names it, and so often where many do. */
const maxCopied = 12_000
const maxJoins = 3

interface Placed {
  readonly node: ObjectNode
  readonly context: JsonLdContext
}

class Reader {
  private readonly page: Page
  private readonly tops: Array<Placed> = []
  private readonly byId = new Map<string, Placed>()
  private readonly room = new Budget(maxValues, () => this.page.cut())
  private readonly copied = new Budget(maxCopied, () => this.page.cut())
  /** The ids of the nodes that are being read, outermost first. */
  private readonly open: Array<string> = []
  private joins = 0
  /** The ids of things that stand where another names them, and whether one is being read that stands there again. */
  private readonly copies = new Set<string>()
  private isCopying = false

  constructor(page: Page) {
    this.page = page
  }

  /** Keeps the nodes of a document, and which ids they have. */
  gather(node: Node, context: JsonLdContext, depth: number): void {
    if (depth > maxDepth) return
    if (node._tag === "List") for (const item of node.items) this.gather(item, context, depth + 1)
    else if (node._tag === "Object") {
      const own = context.with(node)
      if (node.entries.some(([name]) => own.nameOf(name) !== "@context" && own.nameOf(name) !== "@graph")) {
        if (node.entries.some(([name]) => !name.startsWith("@") || own.nameOf(name) === "@type")) {
          this.tops.push({ node, context: own })
        }
      }
      this.index(node, own, depth)
      for (const [name, part] of node.entries) if (own.nameOf(name) === "@graph") this.gather(part, own, depth + 1)
    }
  }

  things(): ReadonlyArray<Thing> {
    return this.tops.flatMap((top) => (this.room.isFull ? [] : [this.thing(top, "", 0)]))
  }

  private index(node: Node, context: JsonLdContext, depth: number): void {
    if (depth > maxDepth) return
    if (node._tag === "List") for (const item of node.items) this.index(item, context, depth + 1)
    else if (node._tag === "Object") {
      const own = context.with(node)
      const id = this.idOf(node, own)
      const known = id === undefined ? undefined : this.byId.get(id)
      if (id !== undefined && !isReference(node, own) && (known?.node.entries.length ?? 0) < node.entries.length) {
        this.byId.set(id, { node, context: own })
      }
      for (const [name, part] of node.entries) {
        if (part._tag !== "Plain" && name !== "@context") this.index(part, own, depth + 1)
      }
    }
  }

  private idOf(node: ObjectNode, context: JsonLdContext): string | undefined {
    const id = node.entries.find(([name]) => context.nameOf(name) === "@id")?.[1]
    if (id?._tag !== "Plain" || typeof id.data !== "string") return undefined
    return id.data.startsWith("_:") ? id.data : (this.page.resolve(id.data) ?? id.data)
  }

  private thing({ node, context }: Placed, before: string, depth: number): Growing {
    const id = this.idOf(node, context)
    const types = typesOf(node, context)
    const path = before === "" ? (types[0] ?? "item") : before
    const made = thing(sourceOf(node, path), types, id?.startsWith("_:") ? undefined : id)
    this.open.push(id ?? "")
    for (const [key, value] of node.entries) {
      const name = context.nameOf(key)
      if (name.startsWith("@") || name === "") continue
      this.add(made.properties, name, value, { key, context, path: `${path}/${name}`, depth: depth + 1 })
    }
    this.open.pop()
    return made
  }

  private take(): boolean {
    return this.room.take() && (!this.isCopying || this.copied.take())
  }

  private mayCopy(id: string): boolean {
    return !this.copies.has(id) || this.copied.take()
  }

  private add(into: Array<Property>, name: string, node: Node, place: NodePosition): void {
    if (place.depth > maxDepth || this.room.isFull) return
    if (node._tag === "List") {
      const isLong = node.items.length > 1
      for (const [i, item] of node.items.entries()) {
        const path = isLong ? `${place.path}[${i + 1}]` : place.path
        this.add(into, name, item, { ...place, path, depth: place.depth + 1 })
      }
      return
    }
    if (node._tag === "Object") return this.addObject(into, name, node, place)
    const value = this.value(node, name, place)
    if (value !== undefined && this.take()) into.push({ name, value })
  }

  private addObject(into: Array<Property>, name: string, node: ObjectNode, place: NodePosition): void {
    const context = place.context.with(node)
    for (const [key, inner] of node.entries) {
      const keyword = context.nameOf(key)
      if (keyword !== "@value" && keyword !== "@list" && keyword !== "@set") continue
      return this.add(into, name, inner, { ...place, depth: place.depth + 1 })
    }
    if (place.context.isMap(place.key)) {
      for (const [, inner] of node.entries) this.add(into, name, inner, { ...place, key: "", depth: place.depth + 1 })
      return
    }
    if (!this.take()) return
    if (!isReference(node, context)) {
      into.push({ name, value: this.thing({ node, context }, place.path, place.depth) })
      return
    }
    const id = this.idOf(node, context)
    const known = id === undefined ? undefined : this.byId.get(id)
    if (id === undefined) return
    if (known !== undefined && !this.open.includes(id) && this.joins < maxJoins && this.mayCopy(id)) {
      const before = this.isCopying
      this.isCopying = before || this.copies.has(id)
      this.copies.add(id)
      this.joins++
      into.push({ name, value: this.thing(known, place.path, place.depth) })
      this.joins--
      this.isCopying = before
    } else if (typesOf(node, context).length > 0) {
      into.push({ name, value: this.thing({ node, context }, place.path, place.depth) })
    } else if (!id.startsWith("_:")) into.push({ name, value: valueOf(id, sourceOf(node, place.path)) })
  }

  private value(node: PlainNode, name: string, { key, context, path }: NodePosition): Value | undefined {
    const { data } = node
    if (data === null) return undefined
    if (typeof data !== "string") return valueOf(data, sourceOf(node, path))
    const text = data.includes("&") ? decodeHTML(data) : data
    const isAddress = context.isAddress(key) || (isAddressName(name) && isRelative(text))
    if (isAddress) return valueOf(this.page.resolve(text) ?? text, sourceOf(node, path))
    return valueOf(text, sourceOf(node, path), plain.test(text) ? this.page.resolve(text) : undefined)
  }
}

/** What can only be an address that leads from the page, whatever it is called. */
const plain = /^\.{0,2}\/[\w%~-]\S{2,}$/

interface NodePosition {
  readonly key: string
  readonly context: JsonLdContext
  readonly path: string
  readonly depth: number
}

const sourceOf = ({ from, to }: Node, path: string): Source => ({ kind: "json-ld", path, span: [from, to] })

/** Whether a node is only named: it has an id and at most a type. */
const isReference = (node: ObjectNode, context: JsonLdContext): boolean => {
  let named = false
  for (const [key] of node.entries) {
    const name = context.nameOf(key)
    if (name === "@id") named = true
    else if (name !== "@type" && name !== "@context") return false
  }
  return named
}

const typesOf = (node: ObjectNode, context: JsonLdContext): ReadonlyArray<string> => {
  const types: Array<string> = []
  for (const [key, value] of node.entries) {
    if (context.nameOf(key) !== "@type") continue
    for (const part of value._tag === "List" ? value.items : [value]) {
      if (part._tag === "Plain" && typeof part.data === "string" && part.data !== "")
        types.push(context.typeOf(part.data))
    }
  }
  return types
}

interface Term {
  /** A short name, or a keyword: "@id", "@type", "@reverse". */
  readonly name: string
  readonly isAddress: boolean
  /** Its value is an object whose keys say the language, the index or the id of each value. */
  readonly isMap: boolean
}

/** What names mean in a JSON-LD document, as far as the document says it itself: nothing is fetched. */
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

/*
 * JSON as pages hold it, with the place of every value.
 *
 * Valid JSON is read as JSON. Broken JSON is repaired only if its meaning is plain: comments, CDATA and HTML comments
 * around it, too many or too few commas, raw line ends and quotes in texts, names without quotes, a missing end, several
 * documents in a row. Unclear parts are left out. Each character is read once, with a limited look ahead.
 */

/** The documents in a text that begins at `offset`. */
export const documents = (text: string, offset: number): ReadonlyArray<Node> => {
  const strict = new JsonParser(text, offset, false)
  const read = strict.all()
  if (!strict.failed) return read
  // References stand for the quotes: the text went through something that writes HTML.
  if (!text.includes('"') && text.includes("&quot;")) {
    const decoded = documents(decodeHTML(text).replaceAll("&quot;", "'"), 0)
    return decoded.map((node) => moved(node, offset, offset + text.length))
  }
  return new JsonParser(text, offset, true).all()
}

/** All of a text that was decoded stands where the text stands. */
const moved = (node: Node, from: number, to: number): Node => {
  if (node._tag === "Object") {
    return { ...node, from, to, entries: node.entries.map(([name, value]) => [name, moved(value, from, to)]) }
  }
  return node._tag === "List"
    ? { ...node, from, to, items: node.items.map((item) => moved(item, from, to)) }
    : { ...node, from, to }
}
