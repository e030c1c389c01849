/**
 * What a page says in a form that a program can take: objects (JSON-LD, microdata), tables, and values with a label
 * (definition lists, rows of two cells, "Label: value", meta). One pass, no tree.
 *
 * The law: everything is limited in number and length; nothing is made up, so each value stands in the page.
 */

import { Addresses } from "../crawl/page/Address.ts"
import type { Attributes } from "../crawl/page/Attributes.ts"
import { BLOCK } from "../crawl/page/Elements.ts"
import { tokenize } from "../crawl/page/Tokenizer.ts"
import { type Element, type Reader, Tree } from "../crawl/page/Tree.ts"
import { isSchema, type Json } from "./JsonSchema.ts"

export type Thing = { readonly [name: string]: Json }

export interface Pair {
  readonly label: string
  readonly value: string
}

export interface Facts {
  /** JSON-LD and microdata: objects with names, parts of others included. */
  readonly things: ReadonlyArray<Thing>
  readonly pairs: ReadonlyArray<Pair>
  /** Rows by the names of their columns. */
  readonly tables: ReadonlyArray<ReadonlyArray<Thing>>
  /** Of the first heading. */
  readonly heading: string | undefined
}

export const gather = (html: string, url: string): Facts => {
  const reader = new FactReader(url)
  const tree = new Tree(reader, false)
  tokenize(html, tree)
  tree.end()
  return reader.finish()
}

const maxThings = 2000
const maxPairs = 5000
const maxText = 5000

interface Item {
  readonly element: Element
  readonly thing: Record<string, Json>
}

interface Capture {
  readonly element: Element
  readonly done: (text: string) => void
  text: string
}

class FactReader implements Reader {
  private readonly addresses: Addresses
  private readonly things: Array<Thing> = []
  private readonly pairs: Array<Pair> = []
  private readonly tables: Array<{ readonly element: Element; readonly rows: Array<Array<string>>; headers: boolean }> =
    []
  private readonly finished: Array<ReadonlyArray<Thing>> = []
  private readonly items: Array<Item> = []
  private captures: Array<Capture> = []
  private heading: string | undefined
  private term: string | undefined
  private block = ""
  private silent = 0

  constructor(url: string) {
    this.addresses = new Addresses(url)
  }

  open(element: Element, attributes: Attributes): void {
    const { name, flags } = element.kind
    if (name === "script" || name === "style") this.silent++
    if (name === "script" && /ld\+json/i.test(attributes.get("type") ?? "")) {
      this.capture(element, (text) => this.readJson(text))
    }
    if ((flags & BLOCK) !== 0) this.endBlock()
    this.openItem(element, attributes)
    switch (name) {
      case "base":
        this.addresses.rebase(attributes.get("href") ?? "")
        break
      case "h1":
        if (this.heading === undefined) this.capture(element, (text) => (this.heading ??= text))
        break
      case "dt":
        this.capture(element, (text) => (this.term = text))
        break
      case "dd":
        this.capture(element, (text) => this.pair(this.term ?? "", text))
        break
      case "table":
        this.tables.push({ element, rows: [], headers: false })
        break
      case "tr":
        this.table?.rows.push([])
        break
      case "td":
      case "th": {
        const { table } = this
        if (table === undefined) break
        if (table.rows.length <= 1 && name === "th") table.headers = true
        const row = table.rows[table.rows.length - 1]
        this.capture(element, (text) => void row?.push(text))
      }
    }
  }

  close(element: Element): void {
    const { name, flags } = element.kind
    if (name === "script" || name === "style") this.silent--
    if ((flags & BLOCK) !== 0) this.endBlock()
    if (this.captures.some((capture) => capture.element === element)) this.endCaptures(element)
    if (this.items[this.items.length - 1]?.element === element) this.items.pop()
    if (this.table?.element === element) this.closeTable()
  }

  text(value: string): void {
    for (const capture of this.captures) {
      if (capture.text.length < (capture.element.name === "script" ? 2_000_000 : maxText)) capture.text += value
    }
    if (this.silent === 0 && this.block.length < maxBlock) this.block += value
  }

  finish(): Facts {
    this.endBlock()
    return { things: this.things, pairs: this.pairs, tables: this.finished, heading: this.heading }
  }

  private get table() {
    return this.tables[this.tables.length - 1]
  }

  private capture(element: Element, done: (text: string) => void): void {
    if (this.captures.length < maxCaptures) this.captures.push({ element, done, text: "" })
  }

  private endCaptures(element: Element): void {
    const ended = this.captures.filter((capture) => capture.element === element)
    this.captures = this.captures.filter((capture) => capture.element !== element)
    for (const { done, text } of ended) done(element.name === "script" ? text : clean(text))
  }

  private pair(label: string, value: string): void {
    if (label !== "" && value !== "" && this.pairs.length < maxPairs) this.pairs.push({ label, value })
  }

  /** "Opening hours: 9 to 5": a short label, a colon, a value. */
  private endBlock(): void {
    const found = labelled.exec(clean(this.block))
    this.block = ""
    if (found?.[1] !== undefined && found[2] !== undefined) this.pair(found[1], found[2])
  }

  private closeTable(): void {
    const table = this.tables.pop()
    if (table === undefined) return
    const [names, ...rows] = table.rows.filter((row) => row.length > 0)
    if (names === undefined) return
    if (table.headers && names.length > 1 && rows.length > 0) {
      this.finished.push(rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]))))
    }
    for (const row of table.rows) if (row.length === 2) this.pair((row[0] ?? "").replace(/\s*:$/, ""), row[1] ?? "")
  }

  /** Microdata: an item with its type, or a property of the item around it. */
  private openItem(element: Element, attributes: Attributes): void {
    if (attributes.length === 0) return
    const property = attributes.get("itemprop")?.trim()
    const parent = this.items[this.items.length - 1]?.thing
    if (attributes.has("itemscope")) {
      const thing: Record<string, Json> = Object.create(null)
      const type = attributes.get("itemtype")?.split("/").at(-1)
      if (type !== undefined) thing["@type"] = type
      if (property !== undefined && parent !== undefined) add(parent, property, thing)
      this.addThing(thing)
      this.items.push({ element, thing })
    } else if (property !== undefined && property !== "" && parent !== undefined) {
      const written = attributes.get("content") ?? attributes.get("datetime") ?? attributes.get("value")
      const link = attributes.get("href") ?? attributes.get("src")
      if (written !== undefined) add(parent, property, clean(written))
      else if (link !== undefined) add(parent, property, this.addresses.resolve(link) ?? link)
      else this.capture(element, (text) => add(parent, property, text))
    }
  }

  private readJson(text: string): void {
    try {
      this.collect(JSON.parse(text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[)/, "").replace(/(?:-->|\/\/\]\]>)\s*$/, "")), 0)
    } catch {
      // Broken JSON-LD says nothing.
    }
  }

  private collect(value: Json, depth: number): void {
    if (depth > maxDepth) return
    if (Array.isArray(value)) for (const part of value) this.collect(part, depth + 1)
    else if (isSchema(value)) {
      this.addThing(value)
      for (const part of Object.values(value))
        if (typeof part === "object" && part !== null) this.collect(part, depth + 1)
    }
  }

  private addThing(thing: Thing): void {
    if (this.things.length < maxThings) this.things.push(thing)
  }
}

const maxCaptures = 64
const maxDepth = 16
const maxBlock = 2000

const labelled = /^([\p{L}\p{N}][\p{L}\p{N} ()/.&'-]{0,40}?)\s*[:：]\s*(\S.{0,500})$/u

const clean = (text: string): string => text.slice(0, maxText).replaceAll(/\s+/g, " ").trim()

/** A property that comes again is a list. */
const add = (thing: Record<string, Json>, names: string, value: Json): void => {
  for (const name of names.split(/\s+/)) {
    const before = thing[name]
    if (before === undefined) thing[name] = value
    else if (Array.isArray(before)) thing[name] = [...before, value].slice(0, maxThings)
    else thing[name] = [before, value]
  }
}
