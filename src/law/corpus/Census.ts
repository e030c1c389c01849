/**
 * The census of a file: the headings of sections in it and their words, counted from raw tags, beside what its reader has said.
 *
 * It knows neither the readers nor their outline, so what a wrong reader loses is seen. What is no law in a file by the name of
 * its element is not counted (`formats`).
 */
import * as Schema from "effect/Schema"
import type { GovSection, GovText } from "../GovText.ts"
import type { Format } from "./sniff.ts"

export const Census = Schema.Struct({
  _tag: Schema.Literal("Census"),
  file: Schema.String,
  /** Headings of sections. A list or a range of sections is one. */
  headings: Schema.Int,
  /** The headings that are sections. */
  sections: Schema.Int,
  /** The headings that are left out or rejected, each with its reason. */
  exceptions: Schema.Int,
  /** Under those that are sections, in the file and in what was read. */
  words: Schema.Int,
  wordsRead: Schema.Int,
  /** What differs, each with its line: "12: a heading that is no section: 9-5-12. Dogs". */
  differences: Schema.Array(Schema.String)
})
export type Census = typeof Census.Type

interface Counter {
  /** The next piece of the file. */
  readonly write: (text: string) => void
  readonly took: (text: GovText) => void
  /** Call when the file is read. */
  readonly end: () => Census
}

export const counterFor = (format: Format, file: string): Counter => {
  const scan = new Scan(format)
  const read = new Map<number, { sections: number; words: number }>()
  const left = new Set<number>()
  return {
    write: (text) => scan.write(text),
    took: (text) => {
      if (text._tag === "Section" && text.line !== undefined) {
        const before = read.get(text.line) ?? { sections: 0, words: 0 }
        read.set(text.line, { sections: before.sections + 1, words: before.words + wordsOfSection(text) })
      } else if (text._tag !== "Document" && text.line !== undefined) left.add(text.line)
    },
    end: () => {
      const raw = scan.end()
      const differences: Array<string> = []
      const count = { headings: 0, sections: 0, exceptions: 0, words: 0, wordsRead: 0 }
      const full = new Set(raw.filter(({ words }) => words > 0).map(({ heading }) => numberOf(heading)))
      const listed = new Set<string>()
      for (const { heading, line, own, words } of raw) {
        const found = read.get(line)
        // An entry of a table of contents has the heading of a section, and no text.
        const isEntry = words === 0 && (full.has(numberOf(heading)) || listed.has(numberOf(heading)))
        listed.add(numberOf(heading))
        if (found === undefined && !left.has(line) && isEntry) continue
        count.headings++
        if (found !== undefined) {
          count.sections++
          count.words += words + own
          count.wordsRead += found.words
          const lost = words + own - found.words
          if (lost > Math.max(few, share * (words + own)))
            differences.push(`${line}: ${found.words} of ${words + own} words: ${heading}`)
        } else if (left.has(line)) count.exceptions++
        else differences.push(`${line}: a heading that is no section: ${heading}`)
      }
      return { _tag: "Census", file, ...count, differences }
    }
  }
}

/** Words that a section may lose: numbers and marks that its reader has in another place. */
const few = 8
const share = 0.02
const numberOf = (heading: string): string => /\d[^\s,]*/.exec(heading)?.[0].replace(/[.:]$/, "") ?? ""

const wordsOfSection = ({ alsoCited, heading, notes, number, text }: GovSection): number =>
  [number, heading, text, notes].reduce((sum, one) => sum + countWords(one), 0) + (alsoCited.length > 0 ? 1 : 0)

const countWords = (text: string): number => text.match(word)?.length ?? 0
const word = /[\p{L}\p{N}]+/gu

/** A heading of a section as the file has it. */
interface Raw {
  readonly line: number
  readonly heading: string
  /** Words of the heading, and those behind it. */
  readonly own: number
  readonly words: number
}

interface Names {
  /** Elements that are a section. */
  readonly sections: ReadonlySet<string>
  /** Elements that have no law, or law that is of another text. */
  readonly furniture: ReadonlySet<string>
  /** The same, if they are in no section. */
  readonly between: ReadonlySet<string>
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

const none: ReadonlySet<string> = new Set()

const formats: Readonly<Record<Format, Names>> = {
  uslm: {
    sections: set("section appendix rule proposedRule notice presidentialDoc presidentialDocument correction"),
    furniture: set("meta toc img figure ear leftRunningHead rightRunningHead page"),
    between: set("quotedContent notes note")
  },
  ecfr: { sections: set("DIV8 DIV9"), furniture: set("HEADER CFRTOC img PRTPAGE"), between: none },
  "federal-register": {
    sections: set("RULE PRORULE NOTICE PRESDOCU"),
    furniture: set("CNTNTS GPH PRTPAGE PTITLE"),
    between: none
  },
  regml: {
    sections: set("section appendix interpSection"),
    furniture: set("fdsys preamble tableOfContents graphic analysis"),
    between: none
  },
  "open-law": { sections: set("section"), furniture: set("meta annotations annotation find-replace"), between: none },
  html: {
    sections: set(""),
    furniture: set("head script style noscript template nav footer form aside button select iframe svg object"),
    between: none
  }
}

interface Growing {
  line: number
  /** The text of its heading; undefined: it is not complete yet. */
  heading: string | undefined
  text: string
  /** 1 to 6, and 7 for a paragraph; of HTML. */
  depth: number
  /** The elements that are open around it. */
  readonly within: number
}

/** Reads tags one by one. */
class Scan {
  private rest = ""
  private line = 1
  private readonly found: Array<Raw> = []
  private open: Growing | undefined
  /** The furniture that is open, and how deep in itself. */
  private out: { readonly name: string; depth: number } | undefined
  /** In XML, sections in the section that is open; in HTML, open elements that end what begins in them. */
  private depth = 0
  /** The heading of HTML that is being read. */
  private heading: { readonly name: string; readonly line: number; text: string } | undefined
  private isAtStart = false
  /** The element that has just opened. */
  private last = ""
  private readonly isHtml: boolean
  private readonly names: Names

  constructor(format: Format) {
    this.isHtml = format === "html"
    this.names = formats[format]
  }

  write(text: string): void {
    const all = this.rest + text
    let at = 0
    for (;;) {
      const next = all.indexOf("<", at)
      if (next < 0) break
      token.lastIndex = next
      const match = token.exec(all)
      if (match === null) {
        // It is the beginning of a tag, unless the text goes on without its end.
        if (!all.includes(">", next)) break
        this.text(all.slice(at, next + 1))
        at = next + 1
        continue
      }
      this.text(all.slice(at, next))
      const [whole, cdata, slash, name, attributes = ""] = match
      if (name === undefined) this.text(cdata ?? "")
      else if (slash === "/") this.close(localOf(name, this.isHtml))
      else {
        this.start(localOf(name, this.isHtml))
        if (attributes.endsWith("/") && !this.isHtml) this.close(localOf(name, this.isHtml))
      }
      this.line += lines(whole) - (name === undefined ? lines(cdata ?? "") : 0)
      at = next + whole.length
    }
    this.rest = all.slice(at)
  }

  end(): ReadonlyArray<Raw> {
    this.finish()
    return this.found
  }

  private text(text: string): void {
    // The figure that leads to a footnote is no word.
    const isMark = (this.last === "ref" || this.last === "sup") && /^\s*[\d*†‡]{1,3}\s*$/.test(text)
    if (this.out === undefined && text !== "" && !isMark) {
      if (/\S/.test(text) && this.heading === undefined) this.isAtStart = false
      if (this.heading !== undefined) this.heading.text += text
      else if (this.open !== undefined) this.open.text += text
    }
    this.line += lines(text)
  }

  private start(name: string): void {
    this.last = name
    if (this.out !== undefined) {
      if (this.out.name === name) this.out.depth++
      return
    }
    if (this.names.furniture.has(name) || (this.depth === 0 && this.names.between.has(name)))
      this.out = { name, depth: 1 }
    else if (this.isHtml) this.startInPage(name)
    else if (this.names.sections.has(name)) {
      if (this.depth === 0) this.open = { line: this.line, heading: "", text: "", depth: 0, within: 0 }
      this.depth++
    }
    this.space(name)
  }

  private close(name: string): void {
    this.last = ""
    if (this.out !== undefined) {
      if (this.out.name === name && --this.out.depth === 0) this.out = undefined
      return
    }
    this.space(name)
    if (this.isHtml) this.closeInPage(name)
    else if (this.names.sections.has(name) && this.depth > 0 && --this.depth === 0) this.finish()
  }

  private space(name: string): void {
    if (inline.has(name)) return
    if (this.heading !== undefined) this.heading.text += " "
    else if (this.open !== undefined) this.open.text += " "
  }

  private startInPage(name: string): void {
    if (name === "section" || name === "article") this.depth++
    if (/^h[1-6]$/.test(name)) this.heading = { name, line: this.line, text: "" }
    else if (paragraphs.has(name)) this.isAtStart = true
    else if (this.isAtStart && (name === "b" || name === "strong") && this.heading === undefined) {
      this.heading = { name, line: this.paragraph, text: "" }
    }
    if (paragraphs.has(name)) this.paragraph = this.line
  }

  private paragraph = 1

  private closeInPage(name: string): void {
    if (name === "section" || name === "article") {
      if (this.open !== undefined && this.open.within === this.depth) this.finish()
      this.depth--
    }
    if (this.heading?.name !== name) return
    const { line, text } = this.heading
    this.heading = undefined
    this.isAtStart = false
    const depth = name.startsWith("h") ? Number(name.slice(1)) : 7
    const plain = tidy(text)
    const isInside = this.open !== undefined && depth > this.open.depth && !/^\D*\d+\w*[.:-]\d/.test(plain)
    if (isNumbered(plain, depth) && !isInside) {
      this.finish()
      this.open = { line, heading: plain, text: "", depth, within: this.depth }
    } else if (this.open !== undefined && levelNumber.test(plain)) {
      // Compacts have articles below the heading of their section.
      if (depth <= this.open.depth || !/^article/i.test(plain)) this.finish()
      else this.open.text += `${text} `
    } else if (this.open !== undefined) this.open.text += `${text} `
  }

  private finish(): void {
    if (this.open === undefined) return
    const { heading = "", line, text } = this.open
    const plain = decoded(text)
    const own = countWords(decoded(heading))
    this.found.push({
      line,
      heading: heading === "" ? tidy(plain).slice(0, 80) : heading,
      own,
      words: countWords(plain)
    })
    this.open = undefined
  }
}

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!](?:[^<>"'[]|"[^"]*"|'[^']*'|\[[^\]]*\])*>|<(\/?)([A-Za-z][\w:.-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/y

const lines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

const localOf = (name: string, isHtml: boolean): string => (isHtml ? name.toLowerCase() : name.replace(/^.*:/, ""))

const decoded = (text: string): string =>
  text
    .replaceAll(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, code: string) => {
      const point = Number.parseInt(code, hex === "" ? 10 : 16)
      return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : " "
    })
    .replaceAll(/&([A-Za-z])(?:acute|grave|uml|circ|tilde|cedil);/g, "$1")
    .replaceAll(/&\w+;/g, " ")
    .replaceAll(/[\u00ad\u200b\ufeff]/g, "")

const tidy = (text: string): string => decoded(text).replaceAll(/\s+/g, " ").trim()

const paragraphs = set("p li dd td")
const inline = set(
  "E I SU FR AC B a abbr b big cite code del dfn em font i ins kbd mark q s small span strike strong sub sup tt u var ref date inline term def"
)

/** A number in several parts, or any number behind a sign; of a paragraph, only that. */
const isNumbered = (text: string, depth: number): boolean => {
  const sign = /^(?:§[§\s]*|sec(?:tion)?s?\.?\s+)/i.exec(text)?.[0] ?? ""
  const rest = text.slice(sign.length, sign.length + 40)
  if (sign !== "") return /^[^\s\d]*\d/.test(rest)
  return depth < 7 && /^\d+[a-z]{0,4}(?:[.:–-]\w+)+/i.test(rest)
}

const levelNumber = /^(?:(?:sub)?title|(?:sub)?chapter|(?:sub)?part|article|division)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)/i
