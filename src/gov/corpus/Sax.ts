/**
 * One XML file through a reader: elements that are walked, taken as trees, or left out.
 *
 * The law: a file is hostile until it is read. Nothing it declares is expanded or fetched; how deep it goes, how long one tag
 * and how big one tree may be are limited; what does not close as it opened stops the reading with its line. HTML closes as
 * browsers close it.
 */
import { type Handler, Parser, type ParserOptions } from "htmlparser2"
import type { Course, Opened, Reader } from "./Reader.ts"
import type { Element } from "./Xml.ts"

export interface Options {
  readonly html?: boolean
}

/** What is wrong with a file, and where. */
export interface Fault {
  readonly line: number
  readonly message: string
}

export interface Sax {
  /** Reads on. A fault is told once; after it nothing more is read. */
  readonly write: (text: string) => Fault | undefined
  readonly end: () => Fault | undefined
}

interface Growing extends Element {
  readonly children: Array<Element | string>
}

interface Open {
  readonly element: Opened
  readonly course: Course
  /** The tree it grows in, where it is taken. */
  readonly tree: Growing | undefined
}

export const limits = { depth: 400, tag: 4_000_000, tree: 16_000_000 }

export const make = (reader: Reader, { html = false }: Options = {}): Sax => {
  const open: Array<Open> = []
  const within: Array<Opened> = []
  const lines = new Lines()
  let fault: Fault | undefined
  /** Characters since the last thing that was read, and in the tree that grows. */
  let silent = 0
  let grown = 0
  let seen = false
  /** Where the last start tag ends: an end tag that ends there too is that of `<a/>`. */
  let openedAt = -1
  let closed = 0

  const fail = (message: string, at = parser.startIndex): void => {
    fault ??= { line: lines.at(at), message }
  }

  const parser = new Strict(
    {
      onopentag: (name, attributes) => {
        silent = 0
        openedAt = parser.endIndex
        if (fault !== undefined) return
        if (open.length >= limits.depth) return fail(`elements are more than ${limits.depth} deep; it is left out`)
        if (!html && open.length === 0 && seen) return fail(`<${name}> stands after the end of the document`)
        seen = true
        const top = open.at(-1)
        const line = lines.at(parser.startIndex)
        const plain = localName(name)
        if (top?.course === "skip") {
          open.push({ element: { name, attributes: none, line }, course: "skip", tree: undefined })
          return
        }
        const element = { name: plain, attributes, line }
        if (top?.tree !== undefined) {
          const tree = { ...element, children: [] }
          top.tree.children.push(tree)
          open.push({ element: { ...element, name }, course: "take", tree })
          return
        }
        const course = reader.open(element, within)
        if (course === "walk") within.push(element)
        grown = 0
        open.push({
          element: course === "walk" ? element : { ...element, name },
          course,
          tree: course === "take" ? { ...element, children: [] } : undefined
        })
      },
      ontext: (text) => {
        silent = 0
        const top = open.at(-1)
        if (fault !== undefined) return
        if (top?.tree === undefined) {
          if (!html && open.length === 0 && !aside.test(text))
            fail("text stands outside of the document", parser.endIndex)
          return
        }
        grown += text.length
        if (grown > limits.tree) return fail(`one section is more than ${limits.tree} characters; it is left out`)
        top.tree.children.push(text)
      },
      onclosetag: (name, implied) => {
        silent = 0
        closed++
        if (fault !== undefined) return
        const top = open.pop()
        if (top === undefined) return
        if (implied && !html && parser.endIndex !== openedAt)
          return fail(`<${name}>, which opens in line ${top.element.line}, is not closed`)
        if (top.course === "walk") {
          within.pop()
          reader.close(top.element, within)
        } else if (top.tree !== undefined && open.at(-1)?.tree === undefined) reader.took(top.tree, within)
      },
      oncomment: () => {
        silent = 0
      },
      onprocessinginstruction: () => {
        silent = 0
      }
    },
    { xmlMode: !html, decodeEntities: true },
    (read) => {
      const before = closed
      read()
      if (!html && closed === before) fail("an end tag closes nothing that is open")
    }
  )

  return {
    write: (text) => {
      if (fault !== undefined) return undefined
      lines.add(text)
      silent += text.length
      parser.write(text)
      if (silent > limits.tag) fail(`one tag or comment is more than ${limits.tag} characters`)
      return fault
    },
    end: () => {
      if (fault !== undefined) return undefined
      parser.end()
      if (fault === undefined && !seen) fail("there is no element in it")
      if (fault === undefined) reader.end()
      return fault
    }
  }
}

/** The parser passes over end tags that close nothing; here they are told. */
class Strict extends Parser {
  private readonly closing: (read: () => void) => void

  constructor(handler: Partial<Handler>, options: ParserOptions, closing: (read: () => void) => void) {
    super(handler, options)
    this.closing = closing
  }

  override onclosetag(start: number, end: number): void {
    this.closing(() => super.onclosetag(start, end))
  }
}

/** Names without the prefixes of formats whose names are our own; Dublin Core and the drafting namespaces keep theirs. */
const localName = (name: string): string => (name.includes(":") ? name.replace(prefixes, "") : name)
const prefixes = /^(xhtml|html|uslm|eregs):/

/** What may stand outside of the document: white space, a mark of bytes, the end of a list of declarations. */
const aside = /^[\s\ufeff\]>]*$/

const none: Readonly<Record<string, string>> = {}

/** Which line a character stands in. Asked in the order of the file. */
class Lines {
  private chunk = ""
  private start = 0
  private asked = 0
  private line = 1

  add(text: string): void {
    this.at(this.start + this.chunk.length)
    this.start += this.chunk.length
    this.chunk = text
  }

  at(index: number): number {
    const end = Math.min(index - this.start, this.chunk.length)
    for (let at = this.asked - this.start; at < end; at++) {
      if (this.chunk.charCodeAt(at) === 10) this.line++
    }
    this.asked = Math.max(this.asked, this.start + end)
    return this.line
  }
}
