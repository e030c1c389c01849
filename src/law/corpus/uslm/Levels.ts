/**
 * The levels of a USLM text that are open around a section: titles, chapters, parts.
 */
import type { Opened } from "../Reader.ts"
import { step, titled, withoutStop } from "../written.ts"
import { type Element, isElement, textOf } from "../Xml.ts"
import { isMark } from "./rules.ts"

export interface Level {
  readonly name: string
  readonly identifier: string
  /** "Title", "Chapter". */
  kind: string
  /** "17", "I", "A"; "" where it is not numbered. */
  number: string
  heading: string
  readonly line: number
  /** Whether there is a section in it. */
  isFull: boolean
}

/** Elements that hold sections and other levels. */
export const names: ReadonlySet<string> = new Set([
  "main",
  "preliminary",
  "title",
  "subtitle",
  "division",
  "subdivision",
  "chapter",
  "subchapter",
  "part",
  "subpart",
  "article",
  "subarticle",
  "level",
  "compiledAct",
  "courtRules",
  "courtRule"
])

export class Levels {
  private readonly open: Array<Level> = []

  push({ attributes, line, name }: Opened): void {
    const identifier = attributes.identifier ?? ""
    this.open.push({ name, identifier, kind: titled(name), number: "", heading: "", line, isFull: false })
  }

  /** A section comes in all that is open. */
  fill(): void {
    for (const level of this.open) level.isFull = true
  }

  pop(): Level | undefined {
    return this.open.pop()
  }

  /** The number or heading of the innermost level. */
  took(element: Element): void {
    const top = this.open.at(-1)
    if (top === undefined) return
    const children = element.children.filter((node) => !isElement(node) || !isMark(node))
    const text = textOf({ ...element, children }, marks)
    if (element.name === "num") {
      const [, kind = "", number = ""] = /^([A-Za-z]+)\s+(\S+)$/.exec(text.replace(/(?<![\s—–.-])[\s—–.-]+$/, "")) ?? []
      top.kind = kind === "" ? top.kind : titled(kind.toLowerCase()).replace(/^./, (first) => first.toUpperCase())
      top.number = number === "" ? (element.attributes.value ?? "") : number
    } else if (element.name === "heading" && top.heading === "") top.heading = text
  }

  nearest(name: string): Level | undefined {
    return this.open.findLast((level) => level.name === name)
  }

  path(): ReadonlyArray<string> {
    return this.open
      .filter(({ number, heading }) => number !== "" || heading !== "")
      .map(({ kind, number, heading }) => stepOf(kind, number, heading))
  }
}

const stepOf = (kind: string, number: string, heading: string): string =>
  number === "" ? titled(withoutStop(heading)) : step(kind, number, heading)

const marks = new Set(["footnote", "note"])
