/**
 * Files of the Open Law Library: a section alone, a title, a charter, an ordinance; and the indexes that list them.
 *
 * The index that includes sections with files of their own names their document; without such an index, each section
 * names it. What an ordinance would insert into a code is text of the ordinance.
 */
import type { GovSection, Skipped } from "../../GovText.ts"
import * as Jurisdiction from "../Jurisdiction.ts"
import type { Rules } from "../plain.ts"
import { plain } from "../plain.ts"
import type { FileContext, Opened, Reader } from "../Reader.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import { child, type Element, find, findAll, textOf } from "../Xml.ts"
import { annotationsOf } from "./annotations.ts"
import { type Heading, Headings } from "./Index.ts"
import type { Around } from "./Surroundings.ts"
import { sectionNumber, withFolders } from "./sectionNumber.ts"
import { isPermanent, standingOf } from "./standing.ts"
import { indexPath, urlOf, type Work, workOf } from "./Work.ts"

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
      notes: [...beside, annotationsOf(element)].filter((part) => part !== "").join("\n"),
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
      notes,
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
        default:
          headings.took(element)
          if (top && element.name === "heading" && (heading === "" || element.attributes.type === "short")) {
            heading = textOf(element, notHeading)
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
  "prefix num heading subheading reason meta section recitals attachment procedural-data text para table xi:include".split(
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
