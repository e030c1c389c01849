/**
 * Files of the Open Law Library: a section alone, a title, a charter, an ordinance; and the indexes that list them.
 *
 * The index that includes sections with files of their own names their document; without such an index, each section
 * names it. What an ordinance would insert into a code is text of the ordinance.
 */
import type { Settings } from "../../CorpusSettings.ts"
import type { GovDocument, GovSection, Skipped, Status } from "../../GovText.ts"
import * as Jurisdiction from "../Jurisdiction.ts"
import { plain, type Rules } from "../plain.ts"
import type { FileContext, Opened, Reader } from "../Reader.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import { child, childrenOf, type Element, elements, find, findAll, textOf } from "../Xml.ts"
import { type Heading, Headings } from "./Index.ts"
import type { Around } from "./Surroundings.ts"

export const readerOf = (place: FileContext, around: Around): Reader => {
  const headings = new Headings()
  const meta = new Map<string, string>()
  const citations: Array<string> = []
  let work: Work | undefined
  let root: Opened | undefined
  let heading = ""
  let number = ""
  let reason = ""
  let document: string | undefined
  let includes = 0
  /** What is said of a whole level, or of the work. It comes with the first section behind it. */
  let waiting: Array<string> = []
  let reported = 0

  const skip = (why: string, line?: number): void => {
    const skipped: Skipped = { _tag: "Skipped", file: place.file, ...(line === undefined ? {} : { line }), why }
    place.say(skipped)
  }

  const theWork = (): Work | undefined => {
    work ??= workOf(idOf(root, around), heading, around, place.settings)
    return work
  }

  /** The document that sections belong to; said when the first of them comes. */
  const documentOf = (of: Work, trail: ReadonlyArray<Heading>, saying: boolean): string => {
    if (document !== undefined) return document
    const [outermost] = trail.filter(({ num }) => num !== "")
    const whole = of.collection === "charter" || of.collection === "ordinance"
    document =
      whole || outermost === undefined
        ? of.root
        : `${of.root}/${kindOf(outermost.prefix)}${outermost.num.toLowerCase()}`
    const title = whole ? heading || of.cited : outermost === undefined ? of.collectionName : titleOf(outermost)
    const date = of.version === "" ? (whole ? meta.get("adopted") : undefined) : day(of.version)
    if (saying) {
      place.say({
        _tag: "Document",
        identity: document,
        title: of.collection === "ordinance" ? `Ordinance ${number}, ${title}` : title,
        issuer: of.issuer,
        level: of.level,
        jurisdiction: of.jurisdiction,
        collection: of.collection,
        collectionName: of.collectionName,
        names: whole ? citations : [],
        version: of.version,
        ...present({ versionDate: date }),
        url: whole ? urlOf(of, place.file) : `${of.home.replace(/\/sections$/, "")}/${indexPath(of, outermost)}`
      })
    }
    return document
  }

  const besides = (): ReadonlyArray<string> => {
    const lines = waiting
    waiting = []
    return lines
  }

  const section = (element: Element, trail: ReadonlyArray<Heading>, saying: boolean): void => {
    const of = theWork()
    if (of === undefined) return skip(Jurisdiction.unsaid, element.line)
    const written = textOf(child(element, "num"))
    const permanent = isPermanent(written)
    const bare = written
      .replace(/\s*\(Perm\)$/i, "")
      .replace(/^§+\s*/, "")
      .replace(/\.$/, "")
    if (bare === "") return skip("a section without a number", element.line)
    const ordinance = of.collection === "ordinance"
    const { cited, key, number: num } = sectionNumber(bare, ordinance ? [] : trail)
    const variant = permanent ? "(Perm)" : ""
    const base = documentOf(of, trail, saying)
    const title = withoutStop(textOf(child(element, "heading"), notHeading))
    const standing = standingOf(element, reason)
    const { text, notes } = plain(
      element.children.filter((node) => !isHead(node) && node !== standing.note),
      rules
    )
    const beside = [standing.reason, textOf(standing.note).replaceAll(/^\*|\*$/g, ""), notes]
    const found: GovSection = {
      _tag: "Section",
      document: base,
      identity: ordinance ? `${of.root}/s${num.toLowerCase()}` : `${of.root}/${key}${variant}`,
      number: num,
      citation: ordinance ? `${of.cited}, § ${num}` : `${of.cited}${cited}`,
      alsoCited: ordinance ? citations.filter((one) => one !== of.cited).map((one) => `${one}, § ${num}`) : [],
      heading: title,
      path: trail.map(({ prefix, num, heading }) => step(prefix, num, heading)),
      text,
      notes: [...beside, annotationsOf(child(element, "annotations")), ...besides()]
        .filter((part) => part !== "")
        .join("\n"),
      status: standing.status,
      version: standing.version ?? of.version,
      ...present({
        versionDate: day(of.version),
        adopted: meta.get("adopted"),
        effective: meta.get("effective")
      }),
      url: ordinance
        ? `${urlOf(of, place.file)}#s${num}`
        : `${of.home}/${key.split("/").map(encodeURIComponent).join("/")}${variant}`,
      line: element.line
    }
    reported++
    place.say(found)
  }

  /** Recitals and attachments of an ordinance: parts that are cited by name. */
  const part = (element: Element, key: string, name: string): void => {
    const of = theWork()
    if (of === undefined) return
    const base = documentOf(of, [], true)
    const { text, notes } = plain(element.children, rules)
    if (text === "") return
    reported++
    place.say({
      _tag: "Section",
      document: base,
      identity: `${of.root}/${key}`,
      number: name,
      citation: `${of.cited}, ${name}`,
      alsoCited: [],
      heading: name,
      path: [],
      text,
      notes: [notes, ...besides()].filter((line) => line !== "").join("\n"),
      status: "in force",
      version: of.version,
      ...present({ adopted: meta.get("adopted"), effective: meta.get("effective") }),
      url: `${urlOf(of, place.file)}#${key}`,
      line: element.line
    })
  }

  return {
    open: (element, within) => {
      if (within.length === 0) {
        root = element
        headings.open()
        if (element.name === "section") return "take"
        return "walk"
      }
      if (element.name === "container" || element.name === "collection") {
        headings.open()
        return "walk"
      }
      if (element.name === "xi:include") includes++
      return taken.has(element.name) ? "take" : "skip"
    },
    took: (element, within) => {
      const top = within.length === 1
      if (within.length === 0) {
        return section(element, withFolders(around.trail, [], around.numbers), !around.isListed)
      }
      switch (element.name) {
        case "section":
          return section(
            element,
            number === "" ? withFolders(around.trail, headings.trail(), around.numbers) : headings.trail(),
            true
          )
        case "recitals":
          return part(element, "recitals", "Recitals")
        case "attachment": {
          const name = element.attributes.id ?? "Attachment"
          return part(element, name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"), name)
        }
        case "procedural-data":
          return skip("votes and signatures", element.line)
        case "meta":
          for (const field of ["effective", "adopted"]) {
            const found = day(textOf(find(element, field)))
            if (found !== undefined) meta.set(field, found)
          }
          citations.push(...findAll(element, "citation").map((one) => textOf(one)))
          return
        case "reason":
          reason = top ? textOf(element) : reason
          return
        case "text":
        case "para":
        case "table":
          return skip(`text that stands in no section: ${textOf(element).slice(0, 80)}`, element.line)
        case "annotation":
          waiting.push(textOf(element))
          return
        case "annotations":
          waiting.push(annotationsOf(element))
          return
        default:
          headings.took(element)
          if (top && element.name === "heading") {
            const written = textOf(element, notHeading)
            const isName = heading === "" || element.attributes.type === "short"
            // An ordinance has a long title too.
            if (heading !== "") waiting.push(isName ? heading : written)
            if (isName) heading = written
          }
          if (top && element.name === "num" && root?.name === "document") number = textOf(element)
      }
    },
    close: (element, within) => {
      if (within.length === 0 && includes > 0 && reported === 0 && element.name === "container") {
        const of = theWork()
        if (of !== undefined) documentOf(of, withFolders(around.trail, headings.trail(), around.numbers), true)
      }
      headings.close()
    },
    end: () => {
      if (reported > 0 || document !== undefined || root === undefined || root.name === "section") return
      skip(includes > 0 ? "a list of other files" : `it has no sections: ${heading || root.name}`)
    }
  }
}

const taken = new Set(
  "prefix num heading subheading reason meta annotation annotations section recitals attachment procedural-data text para table xi:include".split(
    " "
  )
)
const heads = new Set(["prefix", "num", "heading", "reason", "annotations"])
const isHead = (node: Element | string): boolean => typeof node !== "string" && heads.has(node.name)
const notHeading = new Set(["annotation"])

const idOf = (root: Opened | undefined, around: Around): string =>
  root?.attributes.id ??
  root?.attributes["containing-doc"] ??
  around.indexes.map(({ id }) => id).find((id) => id !== "") ??
  ""

const titleOf = ({ prefix, num, heading }: Heading): string =>
  `${titled(prefix)} ${num}${heading === "" ? "" : `, ${titled(withoutStop(heading))}`}`

const kindOf = (prefix: string): string => kinds[prefix.toLowerCase()] ?? `${prefix.toLowerCase()}-`
const kinds: Readonly<Record<string, string>> = {
  title: "t",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}

/** What the elements of the Open Law Library are in a text. */
const rules: Rules = {
  inline: new Set(["cite", "em", "strong", "sup", "sub", "s", "u", "b", "i", "span", "code-cite", "font"]),
  numbers: new Set(["num", "conjunction"]),
  headings: new Set(["heading"]),
  rows: new Set(["tr"]),
  cells: new Set(["td", "th"]),
  /** The drafting marks say what is done to a code; what they hold is there in its place as well. */
  dropped: ({ name }) => name.startsWith("codify:") || name === "reason" || name === "annotations" || name === "img",
  notes: ({ name }) => name === "annotation"
}

/**
 * Which work a file of the Open Law Library is of: a code, a charter, an ordinance; whose it is, and how it is cited.
 */
interface Work extends Pick<GovDocument, "issuer" | "level" | "jurisdiction" | "collection" | "collectionName"> {
  /** "us-dc/code", "us-ca/san-mateo/ord/2025-01". */
  readonly root: string
  /** Where it is published: what a path of the site goes behind. */
  readonly home: string
  /** What a citation begins with: "D.C. Code", "City of San Mateo, Cal., Ord. No. 2025-01". */
  readonly cited: string
  readonly version: string
}

/** `id`: the name of the work in the file: "City of San Mateo, Cal., Code". Undefined: the jurisdiction is not known. */
const workOf = (id: string, heading: string, around: Around, settings: Settings): Work | undefined => {
  const [, owner = "", kind = "Code"] =
    /^(.*?)[,\s]*\b((?:Mun(?:icipal|\.) )?Code|Charter|Ord\. No\. .+)$/.exec(id) ?? []
  const whose = owner === "" ? (Jurisdiction.ofCode(id) ?? settings.jurisdiction) : owner
  if (whose === undefined) return undefined
  const place = Jurisdiction.parse(whose)
  const town = place.name.replace(/,.*$/, "")
  const level = place.level
  const library = around.indexes.find(({ home }) => home !== undefined)?.home
  const home =
    library ?? (place.root === "us-dc" ? "https://code.dccouncil.gov" : settings.baseUrl?.replace(/\/+$/, ""))
  const site = level === "local" ? sitePath(place.root) : place.root.replace("us-", "us/")
  const base = {
    issuer: level === "local" ? owner.replace(/,.*$/, "") || (settings.issuer ?? town) : issuerOf(place, settings),
    level,
    jurisdiction: place.name,
    version: around.indexes.find(({ through }) => through !== undefined)?.through ?? ""
  }
  const under = (part: string): string =>
    home === undefined ? `urn:x-gov:${place.root}/${part}` : `${home}/${site}/${part}`
  if (kind === "Charter") {
    const name = settings.collectionName ?? (heading || `${town} Charter`)
    return {
      ...base,
      collection: "charter",
      collectionName: name,
      root: `${place.root}/charter`,
      home: under("charter"),
      cited: name
    }
  }
  const number = /^Ord\. No\. (.+)$/.exec(kind)?.[1]
  if (number !== undefined) {
    return {
      ...base,
      collection: "ordinance",
      collectionName: `${town} Ordinances`,
      root: `${place.root}/ord/${number.replaceAll(/\s+/g, "-")}`,
      home: under("ordinances"),
      cited: id
    }
  }
  const named = around.indexes.find(({ root }) => root === "document")?.heading.replace(/^(City|Town|Village) of /, "")
  const name =
    level === "state"
      ? id || settings.collectionName || `${place.name} Code`
      : named || settings.collectionName || `${town} Municipal Code`
  return {
    ...base,
    collection: level === "state" ? "state-code" : "municipal-code",
    collectionName: name,
    root: `${place.root}/code`,
    home: under(place.root === "us-dc" ? "council/code/sections" : "code"),
    cited: name
  }
}

const sitePath = (root: string): string => {
  const [state = "", town = ""] = root.split("/")
  return `${state.replace("us-", "us/")}/cities/${town}`
}

const issuerOf = (place: Jurisdiction.Jurisdiction, settings: Settings): string =>
  place.root === "us-dc" ? "Council of the District of Columbia" : (settings.issuer ?? `State of ${place.name}`)

/** The page of an ordinance: its year, and the name of its file. */
const urlOf = (work: Work, file: string): string => {
  const [, year, name] = /(\d{4})\/([^/]+)\.xml$/.exec(file) ?? []
  if (work.collection !== "ordinance") return work.home
  const [, cited = "", number = ""] = /(\d{4})-(\w+)$/.exec(work.root) ?? []
  return `${work.home}/${year ?? cited}/${name ?? number}`
}

/** The page of a title, behind that of its code. */
const indexPath = (work: Work, title: Heading | undefined): string =>
  title === undefined ? "" : work.collection === "state-code" ? `titles/${title.num}` : title.num

/**
 * What the Open Law Library keeps beside a section: its history, notes of editors, temporary law; each kind under its name.
 */
const annotationsOf = (annotations: Element | undefined): string => {
  const kinds = new Map<string, Array<string>>()
  for (const annotation of elements(annotations)) {
    const { type = "", display } = annotation.attributes
    const text = textOf(annotation) || sourceOf(annotation)
    if (display === "false" || text === "") continue
    const lines = kinds.get(type) ?? []
    kinds.set(type, lines)
    if (!lines.includes(text)) lines.push(text)
  }
  return [...kinds].flatMap(([type, lines]) => (type === "" ? lines : [type, ...lines])).join("\n")
}

/** An annotation without text names its source: "as added D.C. Law 21-172, § 2(b), eff. 2016-12-08". */
const sourceOf = ({ attributes: { prefix, doc, path, eff } }: Element): string => {
  if (doc === undefined) return ""
  const parts = [doc, path === undefined || path === "" ? "" : path.replaceAll("|", "").replace(/^§/, "§ ")]
  if (eff !== undefined && eff !== "") parts.push(`eff. ${eff}`)
  return [prefix ?? "", parts.filter((part) => part !== "").join(", ")].filter((part) => part !== "").join(" ")
}

interface SectionNumber {
  /** By which it is cited: "21.03.04.01". */
  readonly number: string
  /** What its identity and its address have behind the code: "21.03.04.01", "t5/ch2/3". */
  readonly key: string
  /** What its citation has behind the name of the code: " § 8-101.01", ", Title 5, Chapter 2, § 3". */
  readonly cited: string
}

/**
 * By what number a section of the Open Law Library is known in its code.
 *
 * A number that contains its place, such as 8-101.01 and 10.04.010, is complete and stays as it is written. A number
 * that begins with a point, or counts only inside its chapter, follows the numbers of its title, subtitle and chapter,
 * so that no two sections of a code have one name: ".01" of Title 21, Subtitle 03, Chapter 04 is 21.03.04.01.
 */
const sectionNumber = (written: string, trail: ReadonlyArray<Heading>): SectionNumber => {
  const levels = trail.flatMap(levelOf)
  const places = levels.filter(({ kind }) => ranks.has(kind))
  const path = pathOf(places.length === 0 ? levels : places)
  if (/^[.:–-]\s*\w/.test(written) && path !== "") return whole(`${path}${written.replace(/\s+/g, "")}`)
  if (levels.length === 0 || !/^\d+[A-Za-z]{0,3}$/.test(written)) return whole(written)
  if (places.length === 3 && /^\d{1,2}[A-Za-z]?$/.test(written)) return whole(`${path}.${written}`)
  return {
    number: written,
    key: [...levels.map(({ kind, number }) => `${letters[kind] ?? `${kind}-`}${number.toLowerCase()}`), written].join(
      "/"
    ),
    cited: `${levels.map(({ kind, number }) => `, ${titled(kind.toUpperCase())} ${number}`).join("")}, § ${written}`
  }
}

/**
 * The headings that a section stands under: those of the indexes, those of its file, and where no index says them the title
 * and the subtitle that are the folders of the file. `numbers`: of folders and file, outermost first.
 */
const withFolders = (
  outer: ReadonlyArray<Heading>,
  inner: ReadonlyArray<Heading>,
  numbers: ReadonlyArray<string>
): ReadonlyArray<Heading> => {
  const trail = [...outer, ...inner]
  const isPlace = ({ kind }: Level): boolean => ranks.has(kind)
  const [first] = trail.flatMap(levelOf).filter(isPlace)
  const missing = ranks.get(first?.kind ?? "") ?? 0
  // The file itself is the last of the numbers, and each index around it one before.
  const at = numbers.length - 1 - outer.flatMap(levelOf).filter(isPlace).length
  if (missing === 0 || numbers[at] !== lastOf(first?.number ?? "")) return trail
  const above = numbers.slice(Math.max(0, at - missing), at)
  return [...above.map((num, index) => ({ prefix: index === 0 ? "Title" : "Subtitle", num, heading: "" })), ...trail]
}

interface Level {
  /** In small letters: "title". */
  readonly kind: string
  readonly number: string
}

/** A number may say its kind again: "Title 21". */
const levelOf = ({ num, prefix }: Heading): ReadonlyArray<Level> => {
  const kind = prefix.trim().toLowerCase()
  const again = new RegExp(`^${kind.replaceAll(/[^a-z ]/g, ".")}\\s+`, "i")
  const number = num.replace(again, "").replace(/\.$/, "").trim()
  return kind === "" || number === "" ? [] : [{ kind, number }]
}

/** How many levels stand above it where all are there. */
const ranks: ReadonlyMap<string, number> = new Map([
  ["title", 0],
  ["subtitle", 1],
  ["chapter", 2]
])

/** Numbers joined by points; one that holds those above it already is not put behind them. */
const pathOf = (levels: ReadonlyArray<Level>): string =>
  levels.reduce((path, { number }) => (path === "" || number.startsWith(`${path}.`) ? number : `${path}.${number}`), "")

const lastOf = (number: string): string => number.split(".").at(-1) ?? ""

const whole = (number: string): SectionNumber => ({ number, key: number, cited: ` § ${number}` })

const letters: Readonly<Record<string, string>> = {
  title: "t",
  subtitle: "st",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}

interface Standing {
  readonly status: Status
  /** "permanent", "temporary", "emergency"; nothing where the section is as its code. */
  readonly version: string | undefined
  /** Why it is not in force: "Repealed". */
  readonly reason: string
  /** The note that says that the section is as temporary law makes it. It is not text of the law. */
  readonly note: Element | undefined
}

/**
 * How a section of the Open Law Library stands: in force, in a version of temporary law, or gone, and what says so.
 *
 * `reason`: of the container that it stands in.
 */
const standingOf = (section: Element, reason: string): Standing => {
  const permanent = isPermanent(textOf(child(section, "num")))
  const note = permanent ? undefined : temporaryNote(section)
  const why = textOf(child(section, "reason")) || reason || reasonIn(section)
  return {
    status: permanent || why !== "" ? "historical" : "in force",
    version: permanent ? "permanent" : note === undefined ? undefined : versionOf(note),
    reason: why,
    note
  }
}

/** A twin that holds the permanent text while temporary law is in force has "(Perm)" behind its number. */
const isPermanent = (number: string): boolean => /\(Perm\)$/i.test(number)

/** A heading that says it, where there is no text. */
const reasonIn = (section: Element): string => {
  const heading = withoutStop(textOf(child(section, "heading")))
  if (/^\[?Reserved\]?$/i.test(heading)) return "Reserved"
  const says = childrenOf(section, "text", "para", "table", "include").length > 0
  return !says && /\bRepealed\]?$/i.test(heading) ? "Repealed" : ""
}

/** "*NOTE: This section includes amendments by temporary legislation that will expire on March 1, 2025…*" */
const temporaryNote = (section: Element): Element | undefined =>
  childrenOf(section, "text").find((text) =>
    /^\*?NOTE: This section (includes|was).{0,60}\b(temporary|emergency)\b/i.test(textOf(text).slice(0, 160))
  )

const versionOf = (note: Element): string =>
  /\bemergency\b.{0,20} legislation/i.test(textOf(note).slice(0, 120)) ? "emergency" : "temporary"
