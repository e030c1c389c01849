/**
 * Feeds, and XML of any other kind, as things: an element with parts is a thing, and its name is its type.
 *
 * Prefixes differ from file to file, so names are local. A link without text is where it leads. Text that is HTML, as feeds
 * have it, is what a reader sees of it.
 */
import type { Attributes } from "#page/Attributes"
import { parse, textOf } from "#page/Dom"
import { type Sink, tokenize } from "#page/Tokenizer"
import type { Property, Source, Thing } from "../../Candidates.ts"
import type { Budget } from "../../page/Budget.ts"
import { thing, valueOf } from "../../page/Page.ts"

/** Undefined: the text is not XML, or it is XML that a browser shows as a page or a picture. */
export const read = (text: string, room: Budget): ReadonlyArray<Thing> | undefined => {
  if (!begins.test(text)) return undefined
  const root = localName(/<([\p{L}][^\s/>]*)/u.exec(text)?.[1] ?? "")
  if (root === "" || shownRoots.has(root.toLowerCase())) return undefined
  const reader = new Reader(room)
  tokenize(text, reader, { xml: true })
  return reader.finish(text.length)
}

const begins = /^\ufeff?\s*<(?:\?xml\b|rss\b|feed\b|rdf:RDF\b)/i
const shownRoots: ReadonlySet<string> = new Set(["html", "svg"])
const maxDepth = 64
const maxText = 100_000

/** An element that has not ended. */
interface Open {
  readonly name: string
  readonly written: string
  readonly path: string
  readonly from: number
  /** Its attributes, as properties. */
  readonly attributes: ReadonlyArray<Property>
  readonly parts: Array<Property>
  readonly counts: Map<string, number>
  text: string
}

class Reader implements Sink {
  readonly foreign = false
  private readonly room: Budget
  private readonly path: Array<Open> = []
  private readonly tops: Array<Thing> = []

  constructor(room: Budget) {
    this.room = room
  }

  open(written: string, attributes: Attributes, from: number, to: number): void {
    if (this.path.length >= maxDepth || this.room.isFull) return
    const name = localName(written)
    const parent = this.path.at(-1)
    const count = (parent?.counts.get(name) ?? 0) + 1
    parent?.counts.set(name, count)
    const path = `${parent === undefined ? "" : `${parent.path}/`}${name}${count === 1 ? "" : `[${count}]`}`
    const source: Source = { kind: "data", path, span: [from, to] }
    const stated = this.stated(attributes, source)
    this.path.push({ name, written, path, from, attributes: stated, parts: [], counts: new Map(), text: "" })
    if (attributes.selfClosing) this.close(written, from, to)
  }

  close(written: string, _: number, to: number): void {
    const at = this.path.findLastIndex((open) => open.written === written)
    if (at !== -1) while (this.path.length > at) this.end(to)
  }

  text(value: string): void {
    const open = this.path.at(-1)
    if (open !== undefined && open.text.length < maxText) open.text += value
  }

  /** What has not ended ends with the text. */
  finish(to: number): ReadonlyArray<Thing> {
    while (this.path.length > 0) this.end(to)
    return this.tops
  }

  private end(to: number): void {
    const open = this.path.pop()
    if (open === undefined) return
    const source: Source = { kind: "data", path: open.path, span: [open.from, to] }
    const parent = this.path.at(-1)
    if (parent === undefined) this.tops.push(thingOf(open, source))
    else parent.parts.push(...this.propertiesOf(open, source))
  }

  private propertiesOf(open: Open, source: Source): ReadonlyArray<Property> {
    const { attributes, name, parts } = open
    const text = plain(open.text)
    if (parts.length === 0 && text !== "") return this.room.take() ? [{ name, value: valueOf(text, source) }] : []
    const link = name === "link" && parts.length === 0 ? attributes.find((one) => one.name === "url") : undefined
    if (link !== undefined) return [{ name: nameOfLink(attributes), value: link.value }]
    return parts.length + attributes.length === 0 ? [] : [{ name, value: thingOf(open, source) }]
  }

  private stated(attributes: Attributes, source: Source): ReadonlyArray<Property> {
    const found: Array<Property> = []
    for (let i = 0; i < attributes.length; i++) {
      const name = attributes.nameAt(i)
      const data = attributes.valueAt(i).trim()
      if (data === "" || name.startsWith("xmlns") || !this.room.take()) continue
      const own = localName(name)
      found.push({
        name: own === "href" ? "url" : own,
        value: valueOf(data, { ...source, path: `${source.path}/@${own}` })
      })
    }
    return found
  }
}

const thingOf = ({ attributes, name, parts }: Open, source: Source): Thing => {
  const made = thing(source, [name])
  made.properties.push(...attributes, ...parts)
  return made
}

/** A link to the thing itself has no prefix. */
const nameOfLink = (attributes: ReadonlyArray<Property>): string => {
  const value = attributes.find(({ name }) => name === "rel")?.value
  const rel = value?._tag === "Value" ? String(value.data) : "alternate"
  return rel === "alternate" ? "link" : `${rel} link`
}

/** "dc:creator" is a creator; the text of `content:encoded` is the content. */
const localName = (written: string): string =>
  written === "content:encoded" ? "content" : written.slice(written.indexOf(":") + 1)

const plain = (written: string): string => {
  const text = written.trim()
  return /<\/?[a-z][^<>]*>/i.test(text) ? textOf(parse(text), maxText) : text
}
