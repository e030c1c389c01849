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
import { isAddressName, isRelative } from "../../page/Names.ts"
import { type Growing, type Page, thing, valueOf } from "../../page/Page.ts"
import { JsonLdContext } from "./JsonLdContext.ts"
import type { Node, ObjectNode, PlainNode } from "./JsonNode.ts"
import { documents } from "./PlacedJson.ts"

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
