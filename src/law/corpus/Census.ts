/**
 * The census of a file: the headings of sections in it and all its words, counted from raw tags, beside what its reader has said.
 *
 * It knows neither the readers nor their outline, so what a wrong reader loses is seen. What is no law in a file by the name of
 * its element is furniture (`formats`). All other words must be in what was read, in runs of three: those of a section in that
 * section, and those between sections in any text, path or title of the file.
 */
import * as Schema from "effect/Schema"
import type { GovSection, GovText } from "../GovText.ts"
import type { Format } from "./sniff.ts"

export const Census = Schema.Struct({
  _tag: Schema.Literal("Census"),
  file: Schema.String,
  /** Headings of sections. A list or a range of sections is one; what only repeats another section is none. */
  headings: Schema.Int,
  /** The headings that are sections. */
  sections: Schema.Int,
  /** The headings that are left out or rejected, each with its reason. */
  exceptions: Schema.Int,
  /** All words of the file: those that were read, furniture, those that are left out with a reason, and those of differences. */
  words: Schema.Int,
  /** Words that are in its sections, their notes, their paths, or the titles of its documents. */
  wordsRead: Schema.Int,
  /** Words in elements that are no law by their name, such as a table of contents. */
  wordsFurniture: Schema.Int,
  /** Words of what is left out or rejected with its reason. */
  wordsLeft: Schema.Int,
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
  const reading = new Reading(scan)
  return {
    write: (text) => scan.write(text),
    took: (text) => reading.took(text),
    end: () => {
      scan.end()
      reading.end()
      return { _tag: "Census", file, ...tallyOf(scan, reading) }
    }
  }
}

/** How much of the raw file is in what was said. */
const tallyOf = (scan: Scan, reading: Reading): Omit<Census, "_tag" | "file"> => {
  const differences: Array<string> = []
  const count = { headings: 0, sections: 0, exceptions: 0, words: scan.furniture, wordsRead: 0, wordsLeft: 0 }
  const leave = (run: Run): void => {
    count.words += run.words.length
    count.wordsLeft += run.words.length
  }
  const compare = (run: Run, where: string): void => {
    const lost = run.words.length - run.read.size
    count.words += run.words.length
    count.wordsRead += run.read.size
    if (lost > 0) differences.push(`${run.line}: ${lost} of ${run.words.length} words ${where} are lost: ${run.start}`)
  }
  for (const { heading, isEntry, line, runs } of entriesOf(scan.pieces)) {
    const isRead = reading.sections.has(line)
    const leftOut = reading.leftOut.get(line)
    if (isRead || (leftOut === undefined && !isEntry) || leftOut === "exception") count.headings++
    if (isRead) {
      count.sections++
      for (const run of runs) compare(run, `of "${heading}"`)
      continue
    }
    for (const run of runs) leave(run)
    if (leftOut === "exception") count.exceptions++
    else if (leftOut === undefined && !isEntry) differences.push(`${line}: a heading that is no section: ${heading}`)
  }
  for (const run of scan.between) {
    mark(run, reading.elsewhere)
    if (reading.isLeft || run.within.some((line) => reading.leftOut.has(line))) leave(run)
    else compare(run, "between sections")
  }
  return { ...count, wordsFurniture: scan.furniture, differences }
}

/** An entry of a table of contents has the heading of a section, and no text. */
const entriesOf = (pieces: ReadonlyArray<Piece>) => {
  const full = new Set(pieces.filter(({ runs }) => runs.length > 1).map(({ heading }) => numberOf(heading)))
  const listed = new Set<string>()
  return pieces.map((piece) => {
    const number = numberOf(piece.heading)
    const isEntry = piece.runs.length <= 1 && (full.has(number) || listed.has(number))
    listed.add(number)
    return { ...piece, isEntry }
  })
}

const numberOf = (heading: string): string => /\d[^\s,]*/.exec(heading)?.[0].replace(/[.:]$/, "") ?? ""

/** What a reader has said of its file. */
class Reading {
  /** The lines of its sections. */
  readonly sections = new Set<number>()
  /** The lines of what it left out. */
  readonly leftOut = new Map<number, "exception" | "again">()
  /** Whether it left out the file, or what it said is only that the file lists others. */
  isLeft = false
  /** Runs of words between sections, and whether they were said. */
  readonly elsewhere = { has: (run: number): boolean => this.scan.wanted.get(run) === true }
  private readonly scan: Scan
  /** Of sections that the scan has not finished yet. */
  private late: Array<{ readonly line: number; readonly words: ReadonlyArray<number> }> = []
  private readonly seen = new Set<string>()

  constructor(scan: Scan) {
    this.scan = scan
  }

  took(text: GovText): void {
    if (text._tag === "Document") {
      const { collectionName, issuer, jurisdiction, names, title, version } = text
      for (const one of [title, issuer, collectionName, jurisdiction, version, ...names]) this.hear(one)
    } else if (text._tag === "Section") this.section(text)
    else if (text.line === undefined) this.isLeft = true
    else this.leftOut.set(text.line, text._tag === "Skipped" && text.isAgain === true ? "again" : "exception")
  }

  end(): void {
    for (const { line, words } of this.late) this.scan.read(line, words)
    if (this.sections.size === 0 && this.scan.pieces.length === 0) this.isLeft = true
  }

  private section(section: GovSection): void {
    const { alsoCited, citation, heading, line, notes, number, path, text, version } = section
    for (const one of [citation, ...alsoCited, ...path]) this.hear(one)
    const words = wordsOf([citation, ...alsoCited, version, number, heading, text, notes].join("\n"))
    each(words, longest, (run) => this.found(run))
    if (line === undefined) return
    this.sections.add(line)
    if (!this.scan.read(line, words)) this.late.push({ line, words })
  }

  /** A text that comes with many sections. */
  private hear(text: string): void {
    if (this.seen.has(text)) return
    this.seen.add(text)
    each(wordsOf(text), longest, (run) => this.found(run))
  }

  private found(run: number): void {
    if (this.scan.wanted.has(run)) this.scan.wanted.set(run, true)
  }
}

/** Text between two tags, but not tags within a line. */
interface Run {
  readonly line: number
  readonly start: string
  /** The lines of the elements around it, if it is between sections. */
  readonly within: ReadonlyArray<number>
  /** By number. */
  readonly words: ReadonlyArray<number>
  /** The places of those that were found in what was said. */
  readonly read: Set<number>
}

/** A section as the file has it. */
interface Piece {
  readonly line: number
  readonly heading: string
  readonly runs: ReadonlyArray<Run>
}

/** Words are found in runs of as many. */
const longest = 3

/** Calls with a number for each run of words of these lengths. */
const each = (words: ReadonlyArray<number>, length: number, see: (run: number, at: number, length: number) => void) => {
  for (let at = 0; at < words.length; at++) {
    let run = 0
    for (let size = 1; size <= length && at + size <= words.length; size++) {
      run = (Math.imul(run, 0x01_00_01_93) + (words[at + size - 1] ?? 0)) | 0
      see(run, at, size)
    }
  }
}

const mark = (run: Run, known: { readonly has: (run: number) => boolean }, most = longest): void => {
  const length = Math.min(most, run.words.length)
  each(run.words, length, (sequence, at, size) => {
    if (size < length || !known.has(sequence)) return
    for (let next = at; next < at + size; next++) run.read.add(next)
  })
}

const wordsOf = (text: string): ReadonlyArray<number> => (text.match(word) ?? []).map(numberOfWord)
const word = /[\p{L}\p{N}]+/gu

const numberOfWord = (text: string): number => {
  let number = 0x81_1c_9d_c5
  for (const letter of text.toLowerCase()) number = Math.imul(number ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93)
  return number | 0
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
    furniture: set("meta toc img figure ear leftRunningHead rightRunningHead page findingAidsNote"),
    between: set(
      "preface frontMatter backMatter index explanationNote longTitle enactingFormula resolvingClause signatures attestation endorsement"
    )
  },
  ecfr: { sections: set("DIV8 DIV9"), furniture: set("HEADER CFRTOC img PRTPAGE AMDDATE"), between: none },
  "federal-register": {
    sections: set("RULE PRORULE NOTICE PRESDOCU"),
    furniture: set("CNTNTS GPH PRTPAGE PTITLE"),
    between: set("VOL NO DATE UNITNAME")
  },
  regml: {
    sections: set("section appendix interpSection"),
    furniture: set("fdsys preamble tableOfContents graphic analysis"),
    between: none
  },
  "open-law": { sections: set("section"), furniture: set("meta prefix"), between: none },
  html: {
    sections: set(""),
    furniture: set("head script style noscript template nav footer form aside button select iframe svg object"),
    between: none
  }
}

interface Growing {
  readonly line: number
  /** The text of its heading; "": it is not known. */
  readonly heading: string
  /** 1 to 6, and 7 for a paragraph; of HTML. */
  readonly depth: number
  /** The elements that are open around it. */
  readonly within: number
  readonly runs: Array<Run>
}

/** Reads tags one by one. */
class Scan {
  readonly pieces: Array<Piece> = []
  readonly between: Array<Run> = []
  /** Runs of words that stand between sections, and whether they were said. */
  readonly wanted = new Map<number, boolean>()
  /** Words in furniture. */
  furniture = 0
  private rest = ""
  private line = 1
  private readonly byLine = new Map<number, Piece>()
  private open: Growing | undefined
  /** The furniture that is open, and how deep in itself. */
  private out: { readonly name: string; depth: number } | undefined
  /** In XML, sections in the section that is open; in HTML, open elements that end what begins in them. */
  private depth = 0
  /** The lines of the elements of XML that are open; the line of the last heading of HTML. */
  private lines: Array<number> = []
  /** The heading of HTML that is being read. */
  private heading: { readonly name: string; readonly line: number; readonly runs: Array<Run> } | undefined
  private quotes = 0
  private isAtStart = false
  private paragraph = 1
  private isInParagraph = false
  /** The run that is being read. */
  private run = { line: 0, text: "" }
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
        this.start(localOf(name, this.isHtml), isHidden(name, attributes))
        if (attributes.endsWith("/") && !this.isHtml) this.close(localOf(name, this.isHtml))
      }
      this.line += lines(whole) - (name === undefined ? lines(cdata ?? "") : 0)
      at = next + whole.length
    }
    this.rest = all.slice(at)
  }

  end(): void {
    this.flush()
    this.finish()
  }

  /** Looks for the words of the section that begins in a line among these. False: there is none yet. */
  read(line: number, words: ReadonlyArray<number>): boolean {
    const piece = this.byLine.get(line)
    if (piece === undefined) return false
    const known = new Set<number>()
    each(words, longest, (run) => known.add(run))
    // The numbers of a heading are written in other ways: its words count one by one.
    for (const [at, run] of piece.runs.entries()) mark(run, known, at === 0 ? 1 : longest)
    return true
  }

  private text(text: string): void {
    if (this.out !== undefined && inline.has(this.out.name)) this.furniture += wordsOf(text).length
    else if (text !== "") {
      if (/\S/.test(text)) {
        if (this.heading === undefined) this.isAtStart = false
        if (this.run.text === "") this.run.line = this.line + lines(/^\s*/.exec(text)?.[0] ?? "")
      }
      if (this.run.text !== "" || /\S/.test(text)) this.run.text += text
    }
    this.line += lines(text)
  }

  /** Ends a run. */
  private flush(): void {
    const { line, text } = this.run
    if (text === "") return
    this.run = { line: 0, text: "" }
    const plain = decoded(text)
    const words = wordsOf(plain)
    if (words.length === 0) return
    // What is before any heading of a page, but no paragraph, is of the page.
    const isOfPage = this.isHtml && this.heading === undefined && this.lines.length === 0 && !this.isInParagraph
    if (this.out !== undefined || isOfPage) {
      this.furniture += words.length
      return
    }
    const start = tidy(plain).slice(0, 80)
    const own = this.heading?.runs ?? this.open?.runs
    // What a number or a note is called is no word of it: "Sec. 5", "History:".
    const called = (label.exec(start) ?? (own?.length === 0 ? sign.exec(start) : null))?.[0]
    const before = called === undefined ? 0 : wordsOf(called).length
    const end = words.length - wordsOf(volume.exec(plain)?.[0] ?? "").length
    this.furniture += before + words.length - end
    if (before === end) return
    const run: Run = {
      line,
      start,
      within: own === undefined ? [...this.lines] : [],
      words: words.slice(before, end),
      read: new Set()
    }
    if (own === undefined) this.beside(run)
    else own.push(run)
  }

  private beside(run: Run): void {
    this.between.push(run)
    each(run.words, longest, (one) => {
      if (!this.wanted.has(one)) this.wanted.set(one, false)
    })
  }

  private start(name: string, isOut: boolean): void {
    if (!inline.has(name)) this.flush()
    if (this.out !== undefined) {
      if (this.out.name === name) this.out.depth++
      return
    }
    if (isOut || this.names.furniture.has(name) || (this.depth === 0 && this.names.between.has(name))) {
      this.out = { name, depth: 1 }
      return
    }
    if (this.isHtml) return this.startInPage(name)
    this.lines.push(this.line)
    if (name === quoted) this.quotes++
    if (this.quotes > 0 || !this.names.sections.has(name)) return
    if (this.depth === 0) this.open = { line: this.line, heading: "", depth: 0, within: 0, runs: [] }
    this.depth++
  }

  private close(name: string): void {
    if (!inline.has(name) || name === this.heading?.name) this.flush()
    if (this.out !== undefined) {
      if (this.out.name === name && --this.out.depth === 0) this.out = undefined
      return
    }
    if (this.isHtml) return this.closeInPage(name)
    this.lines.pop()
    if (name === quoted) this.quotes--
    if (this.quotes > 0) return
    if (this.names.sections.has(name) && this.depth > 0 && --this.depth === 0) this.finish()
  }

  private startInPage(name: string): void {
    if (name === "section" || name === "article") this.depth++
    if (/^h[1-6]$/.test(name)) this.heading = { name, line: this.line, runs: [] }
    else if (paragraphs.has(name)) this.isAtStart = true
    else if (this.isAtStart && (name === "b" || name === "strong") && this.heading === undefined) {
      this.heading = { name, line: this.paragraph, runs: [] }
    }
    if (paragraphs.has(name)) this.paragraph = this.line
    if (!inline.has(name)) this.isInParagraph = name === "p"
  }

  private closeInPage(name: string): void {
    if (name === "section" || name === "article") {
      if (this.open !== undefined && this.open.within === this.depth) this.finish()
      this.depth--
    }
    if (this.heading?.name !== name) return
    const { line, runs } = this.heading
    this.heading = undefined
    this.isAtStart = false
    const depth = name.startsWith("h") ? Number(name.slice(1)) : 7
    if (depth < 7) this.lines = [line]
    const plain = runs.map(({ start }) => start).join(" ")
    const isInside = this.open !== undefined && depth > this.open.depth && !/^\D*\d+\w*[.:-]\d/.test(plain)
    if (isNumbered(plain, depth) && !isInside) {
      this.finish()
      this.open = { line, heading: plain, depth, within: this.depth, runs: [...runs] }
      return
    }
    // Compacts have articles below the heading of their section.
    const isLevel = this.open !== undefined && levelNumber.test(plain)
    if (isLevel && (depth <= (this.open?.depth ?? 0) || !/^article/i.test(plain))) this.finish()
    for (const run of runs) {
      if (this.open === undefined) this.beside({ ...run, within: [line] })
      else this.open.runs.push(run)
    }
  }

  private finish(): void {
    if (this.open === undefined) return
    const { heading, line, runs } = this.open
    this.open = undefined
    const piece = {
      line,
      heading:
        heading === ""
          ? runs
              .map(({ start }) => start)
              .join(" ")
              .slice(0, 80)
          : heading,
      runs
    }
    this.pieces.push(piece)
    this.byLine.set(line, piece)
  }
}

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!](?:[^<>"'[]|"[^"]*"|'[^']*'|\[[^\]]*\])*>|<(\/?)([A-Za-z][\w:.-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/y

/** What its publisher does not show, the figure that leads to a footnote, and drafting marks, which say what is done to a text that is there in its place as well. */
const isHidden = (name: string, attributes: string): boolean =>
  name.startsWith("codify:") ||
  (name === "ref" && /\b(?:class=["']footnoteRef["']|idref=)/.test(attributes)) ||
  /\bdisplay=["']false["']/.test(attributes)

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
  "E I SU FR AC B dash a abbr b big cite code del dfn em font i ins kbd mark q s small span strike strong sub sup tt u var ref date inline term def"
)

/** A number in several parts, or any number behind a sign; of a paragraph, only that. */
const sign = /^\W*(?:§[§\s]*|sec(?:tion)?s?\b\.?\s*)/i
const label = /^(?:history:?$|sec(?:tion)?s?\b\.?(?=\s*[\d[]\S*(?:\s*\[\S*)?$))/i
const volume = /--Volume \d+\s*$/
/** Its sections are text of what is around it. */
const quoted = "quotedContent"
const isNumbered = (text: string, depth: number): boolean => {
  const sign = /^(?:§[§\s]*|sec(?:tion)?s?\.?\s+)/i.exec(text)?.[0] ?? ""
  const rest = text.slice(sign.length, sign.length + 40)
  if (sign !== "") return /^[^\s\d]*\d/.test(rest)
  return depth < 7 && /^\d+[a-z]{0,4}(?:[.:–-]\w+)+/i.test(rest)
}

const levelNumber = /^(?:(?:sub)?title|(?:sub)?chapter|(?:sub)?part|article|division)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)/i
