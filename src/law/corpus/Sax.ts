/**
 * One XML file through a reader: elements that are walked, taken as trees, or left out.
 *
 * A file is treated as hostile. Nothing it declares is expanded or fetched: a reference to an entity of its own stays as
 * it is written. Its depth, the length of a tag and the size of a tree are limited; a file that is not well-formed stops
 * the reading with its line.
 */
import { SaxesParser } from "saxes"
import type { Course, Opened, Reader } from "./Reader.ts"
import type { Element } from "./Xml.ts"

/** What is wrong with a file, and where. */
export interface Fault {
  readonly line: number
  readonly message: string
}

export interface Sax {
  /** Reads the next piece. A fault is reported once; nothing is read after it. */
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

const limits = { depth: 400, tag: 4_000_000, tree: 16_000_000 }

export const parserFor = (reader: Reader): Sax => {
  const parser = new SaxesParser()
  const elements = elementsOf(reader)
  /** The start tag that is being read. */
  let starting: { readonly name: string; readonly line: number } | undefined
  /** Characters since the last thing that was read. */
  let silent = 0
  /** An end tag was read. Whether it is that of the innermost element the parser says behind it: `misplaced`. */
  let closing = false
  let misplaced: Stop | undefined
  const guarded = guard()

  const settle = (): void => {
    if (misplaced !== undefined) throw misplaced
    if (!closing) return
    closing = false
    elements.close()
  }

  const onText = (text: string): void => {
    settle()
    silent = 0
    elements.add(text, parser)
  }

  // No more than seven handlers: with the eighth V8 makes a dictionary of the parser, which is 2.7 times as slow.
  parser.on("opentagstart", ({ name }) => {
    settle()
    silent = 0
    // A line feed that ends the name is read already.
    starting = { name, line: parser.column === 0 ? parser.line - 1 : parser.line }
  })
  parser.on("opentag", ({ name, attributes }) => {
    silent = 0
    elements.open(name, attributes, starting?.line ?? parser.line)
    starting = undefined
  })
  parser.on("closetag", () => {
    silent = 0
    if (misplaced !== undefined) return
    settle()
    closing = true
  })
  parser.on("text", onText)
  parser.on("cdata", onText)
  parser.on("error", ({ message }) => {
    const [, column = "", what = message] = /^\d+:(\d+): (.*?)\.?$/.exec(message) ?? []
    const stop = (text: string): Stop => new Stop(starting?.line ?? parser.line, text)
    if (what === "unexpected close tag") {
      misplaced ??= stop(unclosed(elements.innermost()))
      return
    }
    if (what.startsWith("unmatched closing tag")) {
      if (misplaced === undefined) settle()
      throw stop("an end tag closes nothing that is open")
    }
    settle()
    if (what === "undefined entity") return
    const isUnclosed = what.startsWith("unclosed tag")
    throw stop(isUnclosed ? unclosed(elements.innermost()) : brokenText(what, column, starting?.name))
  })

  return {
    write: (text) =>
      guarded(() => {
        silent += text.length
        parser.write(text)
        settle()
        if (starting !== undefined && silent > limits.tag) {
          throw new Stop(starting.line, `one tag or comment is more than ${limits.tag} characters`)
        }
        if (silent > limits.tree) throw new Stop(parser.line, `one text is more than ${limits.tree} characters`)
      }),
    end: () =>
      guarded(() => {
        parser.close()
        reader.end()
      })
  }
}

/** The elements that are open, and the tree that grows. It says to the reader what comes. */
const elementsOf = (reader: Reader) => {
  const open: Array<Open> = []
  const within: Array<Opened> = []
  /** Characters in the tree that grows. */
  let grown = 0
  return {
    innermost: (): Opened | undefined => open.at(-1)?.element,
    open: (name: string, attributes: Element["attributes"], line: number): void => {
      if (open.length >= limits.depth) {
        throw new Stop(line, `elements are more than ${limits.depth} deep; it is left out`)
      }
      const top = open.at(-1)
      if (top?.course === "skip") {
        open.push({ element: { name, attributes: none, line }, course: "skip", tree: undefined })
        return
      }
      const element = { name: localName(name), attributes, line }
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
    add: (text: string, at: { readonly line: number }): void => {
      const tree = open.at(-1)?.tree
      if (tree === undefined) return
      grown += text.length
      if (grown > limits.tree) {
        throw new Stop(at.line, `one section is more than ${limits.tree} characters; it is left out`)
      }
      tree.children.push(text)
    },
    close: (): void => {
      const top = open.pop()
      if (top === undefined) return
      if (top.course === "walk") {
        within.pop()
        reader.close(top.element, within)
      } else if (top.tree !== undefined && open.at(-1)?.tree === undefined) reader.took(top.tree, within)
    }
  }
}

/** Runs the steps of a reading, up to the first that finds the file broken. */
const guard = () => {
  let stopped = false
  return (read: () => void): Fault | undefined => {
    if (stopped) return undefined
    try {
      read()
      return undefined
    } catch (cause) {
      stopped = true
      if (cause instanceof Stop) return { line: cause.line, message: cause.message }
      throw cause
    }
  }
}

/** Why a file is broken: `what` the parser says of it. */
const brokenText = (what: string, column: string, tag = ""): string => {
  if (what === "document must contain a root element") return "there is no element in it"
  if (what === "text data outside of root node") return "text stands outside of the document"
  if (what === "documents may contain only one root") return `<${tag}> stands after the end of the document`
  return `it is not well-formed XML: ${what}, in column ${column}`
}

/** Ends the reading of a file that is broken, from within the parser. */
class Stop extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const unclosed = (element: Opened | undefined): string =>
  `<${element?.name ?? ""}>, which opens in line ${element?.line ?? 0}, is not closed`

/** Names without the prefixes of formats whose names are our own; Dublin Core and the drafting namespaces keep theirs. */
const localName = (name: string): string => (name.includes(":") ? name.replace(prefixes, "") : name)
const prefixes = /^(xhtml|html|uslm|eregs):/

const none: Readonly<Record<string, string>> = {}
