/**
 * A code that is published as HTML pages.
 *
 * A heading without text is an entry of a table of contents if its section is elsewhere on the page, and not a section.
 * The page or a setting names the jurisdiction; if neither does, the page is left out.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { GovDocument, GovSection } from "../../GovText.ts"
import { type TitledCode, titledCodes } from "../../text/titledCodes.ts"
import { levelOf, numbersOf, saysGone, saysOnlyGone, type Term, termOf } from "../Heading.ts"
import * as Jurisdiction from "../Jurisdiction.ts"
import type { Around } from "../openLaw/Surroundings.ts"
import { plain } from "../plain.ts"
import type { FileContext, Reader } from "../Reader.ts"
import { alone, type Standing, standings } from "../Twins.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import { type Element, findAll, isElement, textOf, tidy } from "../Xml.ts"
import { outline, type Part } from "./outline.ts"
import { counted, rules } from "./rules.ts"

export const readerOf = (place: FileContext, around: Around): Reader => {
  const head: Array<Element> = []
  let body: Element | undefined
  return {
    open: ({ name }) => {
      if (name === "html" || name === "head") return "walk"
      return name === "body" || headParts.has(name) ? "take" : "skip"
    },
    took: (element) => {
      if (element.name === "body") body ??= element
      else head.push(element)
    },
    close: () => undefined,
    end: () => read(pageOf(head), body, place, around)
  }
}

const headParts = new Set(["title", "meta", "link", "script"])

const read = (page: Page, body: Element | undefined, place: FileContext, around: Around): void => {
  const skip = (why: string, line?: number): void =>
    place.say({ _tag: "Skipped", file: place.file, ...(line === undefined ? {} : { line }), why })
  const parts = body === undefined ? [] : outline(body)
  const sections = parts.filter(({ kind }) => kind === "section")
  if (body === undefined || sections.length === 0) return skip("it has no section with a number")
  const whose = placeOf(page, place)
  if (whose === undefined) return skip(Jurisdiction.unsaid)
  const full = new Set(sections.filter(hasText).map(({ number }) => number))
  const gone = new Set(sections.filter((part) => !full.has(part.number) && isGone(part)).map(({ number }) => number))
  if (full.size + gone.size === 0) return skip("it lists sections that stand elsewhere")
  const own = new Set(sections.map(({ number }) => number))
  const code = codeOf({ page, body, parts, whose }, place, around)
  place.say(code.document)
  const levels = new Levels()
  const listed = new Set<string>()
  const found: Array<Found> = []
  for (const [at, part] of parts.entries()) {
    if (part.kind !== "section") {
      if (part.kind === "level" && isEmpty(part, parts[at + 1]))
        skip(`a level without sections: ${part.prefix} ${part.number}`, part.line)
      else levels.besides.push(...[...part.body, ...part.history].filter((node) => !isContents(node)))
      if (part.kind === "level") levels.enter(part)
      continue
    }
    const isWhole = hasText(part) || (gone.has(part.number) && isGone(part))
    if (!isWhole) {
      const isKnown = full.has(part.number) || gone.has(part.number) || listed.has(part.number)
      listed.add(part.number)
      // A heading that says only "Repealed." or "[Reserved]" is such a section, if no other heading has its number.
      const isPast = !isKnown && saysGone(part.heading)
      const isNew = !isKnown || part.history.length > 0
      if (!isPast && isNew) skip(`a heading without text: ${part.number}`, part.line)
      if (!isPast) continue
    }
    const { key } = partName(part.number, [...code.above, ...levels.named], code.document.collectionName, code.named)
    found.push({ part, key, said: saidOf(part), term: termOf(part.heading), ...levels.around() })
  }
  const stand = standings(found, code.released)
  for (const [at, one] of found.entries()) place.say(sectionOf(code, one, stand[at] ?? alone, own))
}

/** A section, and the levels around it. */
interface Found {
  readonly part: Part
  readonly key: string
  readonly said: string
  readonly term: Term
  readonly levels: ReadonlyArray<Part>
  readonly path: ReadonlyArray<Part>
  /** What is said of a level that begins with it. */
  readonly besides: ReadonlyArray<Element | string>
}

/** Whether the level ends before a section comes. */
const isEmpty = ({ depth, prefix }: Part, next: Part | undefined): boolean =>
  next === undefined ||
  (next.kind === "level" && (next.depth < depth || (next.depth === depth && next.prefix === prefix)))

/** Whether a text lists sections and levels that stand elsewhere. */
const isContents = (node: Element | string): boolean => {
  if (!isElement(node)) return false
  const items = findAll(node, "li", "tr", "dt", "dd").map((item) => textOf(item))
  return items.length > 0 && items.every((text) => text === "" || isNumbered(text))
}

const isNumbered = (text: string): boolean =>
  numbersOf(text) !== undefined || levelOf(text, () => undefined) !== undefined

/** The levels that are open. */
class Levels {
  /** Those that a section may be named by. */
  named: Array<Part> = []
  besides: Array<Element | string> = []
  private path: Array<Part> = []
  /** Whether a level is open that has no section yet. */
  private isBare = false

  enter(part: Part): void {
    this.named = entered(this.named, part, false)
    this.path = entered(this.path, part, this.isBare)
    this.isBare = true
  }

  /** What is around the section that comes. */
  around(): Pick<Found, "besides" | "levels" | "path"> {
    const { besides, named, path } = this
    this.besides = []
    this.isBare = false
    return { besides, levels: named, path }
  }
}

/**
 * Chapters and their articles may have headings of one depth: the first article then is in the chapter before it. So is a level
 * that comes before any section of the one before it (`isBare`).
 */
const entered = (open: ReadonlyArray<Part>, part: Part, isBare: boolean): Array<Part> => {
  const levels = open.slice(0, open.findLastIndex(({ depth }) => depth <= part.depth) + 1)
  const beside = levels.findIndex(({ depth }) => depth === part.depth)
  const like = levels.findIndex(
    ({ depth, prefix }) => depth === part.depth && prefix.toLowerCase() === part.prefix.toLowerCase()
  )
  const isFirst = /^(?:0*1|I|A)$/.test(part.number)
  const end = like >= 0 ? like : beside >= 0 && !isFirst && !isBare ? beside : levels.length
  return [...levels.slice(0, end), part]
}

/** What a page shows, and whose law it is. */
interface Shown {
  readonly page: Page
  readonly body: Element
  readonly parts: ReadonlyArray<Part>
  readonly whose: Jurisdiction.Jurisdiction
}

type Code = ReturnType<typeof codeOf>

/** The code that a page is of, and the document that the page is. */
const codeOf = ({ body, page, parts, whose }: Shown, place: FileContext, around: Around) => {
  const { settings } = place
  const root = `${whose.root}/code`
  const url = urlOf(page, place, around)
  const named = titledCodes.find((one) => one.root === whose.root)
  const collectionName =
    page.site ||
    settings.collectionName ||
    (whose.level === "state"
      ? (named?.name ?? `${whose.name} Code`)
      : `${whose.name.replace(/,.*$/, "")} Municipal Code`)
  const ownTitle = parts.find((part) => part.kind === "level" && isTitle(part))
  const title = ownTitle ?? titleOf(body, page, place)
  const top = title ?? parts.find(({ kind }) => kind === "level")
  const dated = day(page.legislation?.dateModified ?? page.legislation?.legislationDateVersion)
  const release = dated === undefined ? releaseOf(page, place.file) : undefined
  const released = dated ?? releasedOf(page)
  const versioned = { version: dated ?? release ?? "", ...present({ versionDate: day(released) }) }
  const identity = top === undefined ? root : `${root}/${keyOf(top)}`
  /** Tells the releases of a page apart that has no address. */
  const urn = (of: string): string =>
    `urn:x-gov:${of}${release === undefined ? "" : `/${release.toLowerCase().replaceAll(" ", "-")}`}`
  const document: GovDocument = {
    _tag: "Document",
    identity,
    title:
      top === undefined
        ? page.title || collectionName
        : `${titled(top.prefix)} ${top.number}${top.heading === "" ? "" : `, ${titled(withoutStop(top.heading))}`}`,
    issuer: jurisdictionOf(page) ?? settings.issuer ?? whose.name,
    level: whose.level,
    jurisdiction: whose.name,
    collection: settings.collection ?? (whose.level === "state" ? "state-code" : "municipal-code"),
    collectionName,
    names: [],
    ...versioned,
    url: url ?? urn(identity)
  }
  // If the title of the page is not in its outline, it is the title around all sections.
  const above = title === undefined || ownTitle !== undefined ? [] : [title]
  return { root, named, document, versioned, released, above, url: url ?? urn(root) }
}

/** `own`: the numbers of all sections of the page. */
const sectionOf = (
  { above, document, named, root, url, versioned }: Code,
  { besides, levels, part, path, term }: Found,
  { isLaw, variant, version }: Standing,
  own: ReadonlySet<string>
): GovSection => {
  const within = [...above, ...levels]
  const nameOf = (number: string) => partName(number, within, document.collectionName, named)
  const { alsoCited, citation, key } = nameOf(part.number)
  // A section of its own in a range that was repealed is found by its number, and the range is not.
  const others = part.others.filter((number) => !own.has(number)).map(nameOf)
  const { text } = plain(part.body.map(counted), rules)
  // A text that a day in the heading will end is still law.
  const isRepealed = saysGone(part.heading) ? term.until === undefined || text === "" : saysOnlyGone(text)
  return {
    _tag: "Section",
    document: document.identity,
    identity: `${root}/${key}${variant}`,
    number: part.number,
    citation,
    alsoCited: [...alsoCited, ...others.flatMap((other) => [other.citation, ...other.alsoCited])],
    heading: withoutStop(part.heading),
    path: [...above, ...path].map((level) => step(level.prefix, level.number, level.heading)),
    text,
    notes: plain([...part.history, ...besides].map(counted), rules).text,
    status: isLaw && !isRepealed ? "in force" : "historical",
    ...versioned,
    version: [versioned.version, version].filter((one) => one !== "").join(", "),
    ...present({ effective: term.from, effectiveUntil: term.until }),
    url: `${url}#${part.anchor === "" ? part.number : encodeURI(part.anchor)}`,
    line: part.line
  }
}

/** What tells it from another text of its section. */
const saidOf = ({ body, heading, history }: Part): string =>
  `${withoutStop(heading)}\n${plain(body, rules).text || plain(history, rules).text}`

const hasText = ({ body }: Part): boolean => plain(body, rules).text !== ""

/** Whether a heading says that the section is no longer law, and its history follows. */
const isGone = (part: Part): boolean => saysGone(part.heading) && plain(part.history, rules).text !== ""

type Level = Pick<Part, "prefix" | "number" | "heading">

/** The title that a page is of, where its outline does not say it: over its menu, in its head, in the name of its file. */
const titleOf = (body: Element, page: Page, { file }: FileContext): Level | undefined => {
  const heading = findAll(body, "h1", "h2")
    .map((one) => textOf(one))
    .find((text) => /^title\s+\d/i.test(text))
  const [, number = "", rest = ""] =
    /^title\s+(\d+[a-z]?)\b[\s:.—–-]*(.*)$/i.exec(heading ?? "") ??
    /\btitle[\s._-]*(\d+[a-z]?)\b/i.exec(page.title) ??
    /\btitle[\s._-]*(\d+[a-z]?)\b[^/]*$/i.exec(file) ??
    []
  return number === "" ? undefined : { prefix: "Title", number, heading: rest }
}

/** The jurisdiction that the page names, or that of the settings if the page names none or no known state. */
const placeOf = (page: Page, { settings }: FileContext): Jurisdiction.Jurisdiction | undefined => {
  const written = jurisdictionOf(page)
  const own = written === undefined ? undefined : Jurisdiction.parse(written)
  if (settings.jurisdiction === undefined) return own
  return own === undefined || own.root.startsWith("us/local/") ? Jurisdiction.parse(settings.jurisdiction) : own
}

const urlOf = (page: Page, { settings, beneath }: FileContext, around: Around): string | undefined => {
  const base = settings.baseUrl?.replace(/\/+$/, "")
  return page.canonical ?? around.url ?? (base === undefined ? undefined : `${base}/${encodeURI(beneath)}`)
}

/** What an HTML page says of itself: its head, and JSON-LD of the type Legislation. */
interface Page {
  readonly title: string
  /** What the title says behind a bar: "Spanish Fork Municipal Code". */
  readonly site: string
  readonly canonical?: string
  /** What its head says in a sentence; "" where it says none. */
  readonly description: string
  readonly legislation?: typeof Legislation.Type
}

const Named = Schema.Union([Schema.String, Schema.Struct({ name: Schema.optionalKey(Schema.String) })])
const Legislation = Schema.Struct({
  "@type": Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  name: Schema.optionalKey(Schema.String),
  legislationType: Schema.optionalKey(Schema.Unknown),
  jurisdiction: Schema.optionalKey(Named),
  legislationJurisdiction: Schema.optionalKey(Named),
  dateModified: Schema.optionalKey(Schema.String),
  legislationDateVersion: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Legislation, Schema.Array(Legislation)])))

const pageOf = (parts: ReadonlyArray<Element>): Page => {
  const titles = parts.filter(({ name }) => name === "title").map((title) => textOf(title))
  const [title = "", ...rest] = (titles[0] ?? "").split(/\s+[|·]\s+/)
  const canonical = parts.find(({ name, attributes }) => name === "link" && attributes.rel === "canonical")?.attributes
    .href
  const legislation = parts
    .filter(({ name, attributes }) => name === "script" && attributes.type === "application/ld+json")
    .flatMap((script) =>
      Option.match(decode(script.children.join("")), { onNone: () => [], onSome: (found) => [found].flat() })
    )
    .find((found) => [found["@type"]].flat().includes("Legislation"))
  return {
    title,
    site: rest.at(-1) ?? "",
    description: tidy(
      parts.find(({ name, attributes }) => name === "meta" && attributes.name === "description")?.attributes.content ??
        ""
    ),
    ...(canonical !== undefined && /^https?:/.test(canonical) ? { canonical } : {}),
    ...(legislation === undefined ? {} : { legislation })
  }
}

/** Whose law it is, as the page says it. */
const jurisdictionOf = ({ description, legislation }: Page): string | undefined => {
  const named = legislation?.jurisdiction ?? legislation?.legislationJurisdiction
  return (typeof named === "string" ? named : named?.name) ?? Jurisdiction.ofCode(description)
}

/** The release that a page is of, as it says itself: "Release 81 of the Official Code of …"; else its folder, "r81". */
const releaseOf = ({ description }: Page, file: string): string | undefined => {
  const number =
    /\brelease\s+(\d+)\b/i.exec(description)?.[1] ?? /(?:^|\/)r(?:elease)?[-_ ]?(\d{1,4})\//i.exec(file)?.[1]
  return number === undefined ? undefined : `Release ${number}`
}

/** The day of that release, or its month: "released 2021.12". */
const releasedOf = ({ description }: Page): string | undefined =>
  /\breleased (?:on )?(\d{4}[.-]\d{2}(?:[.-]\d{2})?)(?![.\d-]*\d)/i.exec(description)?.[1]?.replaceAll(".", "-")

interface PartName {
  /** The part of its identity after that of its code. */
  readonly key: string
  readonly citation: string
  readonly alsoCited: ReadonlyArray<string>
}

/**
 * The name of a section in a code that is published as HTML: the key in its identity, and its citation.
 *
 * A number with several parts, such as 6.08.010, is unique in its code. A number that is unique only in its title follows the
 * title: section 2451 of title 9 has the key t9/s2451, and is cited as its state cites it, "9 V.S.A. § 2451".
 *
 * `levels`: the titles and chapters around it, outermost first. `collectionName`: the name of its code.
 */
export const partName = (
  number: string,
  levels: ReadonlyArray<Level>,
  collectionName: string,
  code: TitledCode | undefined
): PartName => {
  const title = levels.find(isTitle)
  const places = title === undefined ? levels : [title, ...(isAppendix(title) ? levels.filter(isChapter) : [])]
  const path = places.map(keyOf)
  if (title !== undefined && code !== undefined) {
    const chapters = places.slice(1).map(({ number: chapter }) => `ch. ${chapter}, `)
    const own = `${titleNumber(title)}${isAppendix(title) ? " App." : ""}`
    return {
      key: [...path, `s${number}`].join("/"),
      citation: `${own} ${code.cited} ${chapters.join("")}§ ${number}`,
      alsoCited: [`${code.long} tit. ${own}, ${chapters.join("")}§ ${number}`]
    }
  }
  if (places.length === 0 || !/^\d+[a-z]{0,4}$/i.test(number)) {
    return { key: number, citation: `${collectionName} § ${number}`, alsoCited: [] }
  }
  const steps = places.map((place) => `, ${titled(place.prefix)} ${place.number}`)
  return {
    key: [...path, `s${number}`].join("/"),
    citation: `${collectionName}${steps.join("")}, § ${number}`,
    alsoCited: []
  }
}

/** "t9", "ch4.05", "t24-app". */
const keyOf = (level: Level): string => {
  const kind = level.prefix.toLowerCase()
  const number = isTitle(level) ? titleNumber(level) : level.number
  return `${letters[kind] ?? `${kind}-`}${number.toLowerCase()}${isTitle(level) && isAppendix(level) ? "-app" : ""}`
}

const isTitle = ({ prefix }: Level): boolean => /^title$/i.test(prefix)
const isChapter = ({ prefix }: Level): boolean => /^chapter$/i.test(prefix)

/** Whether it is the appendix of a title, which has the same number as the title. In Vermont, it contains the charters. */
const isAppendix = ({ heading }: Level): boolean => /^appendix\b/i.test(heading)

const titleNumber = ({ number }: Level): string => number.replace(/^0+(?=\d)/, "")

const letters: Readonly<Record<string, string>> = {
  title: "t",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}
