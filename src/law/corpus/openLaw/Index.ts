/**
 * An index of the Open Law Library: the files that it includes, and the headings that each stands under.
 */
import type { Reader } from "../Reader.ts"
import * as Sax from "../Sax.ts"
import { child, type Element, find, textOf } from "../Xml.ts"

export interface Heading {
  /** "Title", "Chapter". */
  readonly prefix: string
  readonly num: string
  readonly heading: string
}

export interface Index {
  readonly head: {
    readonly root: string
    /** "D.C. Code", "City of San Mateo, Cal., Code". */
    readonly id: string
    readonly heading: string
    /** The day to which it is up to date. */
    readonly through?: string
    /** The site where the library is published. */
    readonly home?: string
    /** The headings of its outermost container. */
    readonly container?: Heading
  }
  readonly entries: ReadonlyArray<{ readonly href: string; readonly trail: ReadonlyArray<Heading> }>
}

/** Undefined: the file is not an index, or it is broken. */
export const readIndex = (xml: string): Index | undefined => {
  const entries: Array<Index["entries"][number]> = []
  const headings = new Headings()
  let root = ""
  let id = ""
  let heading = ""
  let container: Heading | undefined
  let meta: Element | undefined
  const reader: Reader = {
    open: ({ name, attributes }, within) => {
      if (within.length === 0) {
        root = name
        id = attributes.id ?? attributes["containing-doc"] ?? ""
      }
      if (within.length === 0 || name === "container" || name === "collection") {
        headings.open()
        return "walk"
      }
      return taken.has(name) ? "take" : "skip"
    },
    took: (element, within) => {
      if (element.name === "meta") meta ??= element
      else if (element.name === "xi:include") {
        entries.push({ href: element.attributes.href ?? "", trail: headings.trail() })
      } else {
        headings.took(element)
        if (within.length === 1 && element.name === "heading" && heading === "") heading = textOf(element)
      }
      if (within[within.length - 1]?.name === "container" && within.length === 1) container = headings.trail()[0]
    },
    close: () => headings.close(),
    end: () => undefined
  }
  const sax = Sax.parserFor(reader)
  if ((sax.write(xml) ?? sax.end()) !== undefined) return undefined
  const through = find(meta, "recency")?.attributes.through
  const home = textOf(child(find(find(meta, "canonical-urls"), "html"), "current"))
  return {
    head: {
      root,
      id,
      heading,
      ...(through === undefined ? {} : { through }),
      ...(home === "" ? {} : { home }),
      ...(container === undefined ? {} : { container })
    },
    entries
  }
}

const taken = new Set(["prefix", "num", "heading", "subheading", "meta", "xi:include"])

interface Frame {
  prefix: string
  num: string
  heading: string
  /** A heading within it that holds until the next one. */
  group: string
}

/** The headings of the containers that are open. */
export class Headings {
  private readonly frames: Array<Frame> = []

  open(): void {
    this.frames.push({ prefix: "", num: "", heading: "", group: "" })
  }

  close(): void {
    this.frames.pop()
  }

  took(element: Element): void {
    const top = this.frames.at(-1)
    if (top === undefined) return
    const text = textOf(element, annotations)
    if (element.name === "prefix") top.prefix = text
    else if (element.name === "num") top.num = text
    else if (element.name === "heading" && top.heading === "") top.heading = text
    else if (element.name === "subheading") top.group = text
  }

  trail(): ReadonlyArray<Heading> {
    return this.frames.flatMap(({ prefix, num, heading, group }) => [
      ...(prefix === "" ? [] : [{ prefix, num, heading }]),
      ...(group === "" ? [] : [{ prefix: "", num: "", heading: group }])
    ])
  }
}

const annotations = new Set(["annotation"])
