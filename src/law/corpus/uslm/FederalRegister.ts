/**
 * An issue of the Federal Register: each rule, proposed rule and notice is a document of its own.
 *
 * A rule, and what the President signs, is in force as adopted; proposed rules and notices say what an agency thinks or
 * plans: guidance. A long document comes in parts, cut at its headings; the first part has the document's own identity.
 */

import type { GovSection, Status } from "../../GovText.ts"
import { plain } from "../plain.ts"
import type { FileContext, Reader } from "../Reader.ts"
import { day, present, titled, withoutStop } from "../written.ts"
import { child, childrenOf, type Element, find, findAll, isElement, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"

/** What an issue says of the documents in it. */
interface Issue {
  date: string | undefined
  volume: string
  /** The heading that the next documents stand under. */
  unit: string
}

export const readerOf = (place: FileContext): Reader => {
  const issue: Issue = { date: undefined, volume: "", unit: "" }
  return {
    open: ({ name }, within) => {
      if (within.length === 0 || walked.has(name)) return "walk"
      return name === "meta" || name === "content" || items.has(name) ? "take" : "skip"
    },
    took: (element, within) => {
      if (items.has(element.name)) return sayItem(element, issue, place)
      if (within.length === 1) {
        issue.date = day(textOf(find(element, "dc:date")))
        issue.volume = textOf(find(element, "volume"))
      } else issue.unit = textOf(element.name === "content" ? element : find(element, "dc:title"))
    },
    close: () => undefined,
    end: () => undefined
  }
}

const sayItem = (element: Element, issue: Issue, place: FileContext): void => {
  const number = textOf(child(child(element, "meta"), "docNumber")).replaceAll("–", "-")
  if (number === "") {
    return place.say({
      _tag: "Skipped",
      file: place.file,
      line: element.line,
      why: `a ${element.name} without a number`
    })
  }
  const item = itemOf(element, number, issue)
  place.say({
    _tag: "Document",
    identity: item.identity,
    title: item.subject || titled(issue.unit),
    issuer: item.issuer,
    level: "federal",
    jurisdiction: "United States",
    collection: "federal-register",
    collectionName: "Fed. Reg.",
    names: [],
    version: item.version,
    ...present({ versionDate: issue.date }),
    url: item.url
  })
  const parts = cut([...blocksOf(child(element, "main")), ...childrenOf(element, "signatures", "signature")])
  for (const [index, part] of parts.entries()) place.say(sectionOf(item, issue, part, index))
}

type Item = ReturnType<typeof itemOf>

/** What the head and the foot of a document say. */
const itemOf = (element: Element, number: string, { unit, volume }: Issue) => {
  const meta = child(element, "meta")
  const preface = child(element, "preface")
  const page = textOf(child(meta, "startingPage"))
  const ownVolume = /\/fr\/(\d+)\//.exec(element.attributes.identifier ?? "")?.[1] ?? volume
  const property = (role: string): string =>
    textOf(childrenOf(meta, "property").find(({ attributes }) => attributes.role === role))
  const agencies = childrenOf(preface, "organization")
    .filter((one) => child(one, "headingText") === undefined)
    .map((one) => titled(textOf(one)))
  const presidential = element.name.startsWith("presidential")
  const action = withoutStop(property("ACTION")) || (presidential ? textOf(child(meta, "dc:title")) : "")
  const filed = /FR Doc\. [A-Z]?\d[\dA-Z]*[–-]\d+/
    .exec(textOf(find(child(element, "notes"), "frDocId")))?.[0]
    .replaceAll("–", "-")
  const written = ["DEPDOC", "RIN"].flatMap((role) =>
    childrenOf(preface, "property")
      .filter(({ attributes }) => attributes.role === role)
      .map((one) => textOf(one).replaceAll(/[[\]]/g, "").replaceAll("–", "-"))
  )
  const effective = findAll(element, "statement")
    .filter(({ attributes }) => attributes.role === "effectiveDate")
    .map((statement) => find(statement, "date")?.attributes.date)
    .find((found) => day(found) !== undefined)
  const status: Status =
    presidential || (element.name === "rule" && !/propos/i.test(`${unit} ${action}`)) ? "in force" : "guidance"
  return {
    number,
    identity: `us/fr/${number}`,
    citation: `${ownVolume} Fed. Reg. ${page} (${number})`,
    alsoCited: [`${ownVolume} FR ${page}`, ...(filed === undefined ? [] : [filed]), ...written],
    url: `https://www.federalregister.gov/d/${number}`,
    line: element.line,
    agencies,
    issuer: presidential
      ? "President of the United States"
      : agencies.join(", ") || withoutStop(property("AGENCY")) || "Office of the Federal Register",
    subject: textOf(child(preface, "subject"), marks) || textOf(child(meta, "dc:subject"), marks),
    version: action || titled(element.name.replace(/([A-Z])/g, " $1")),
    status,
    effective: status === "in force" ? day(effective) : undefined,
    head: headOf(preface, child(element, "notes"))
  }
}

/** A part of a document. The first has the identity, the number and the address of the document itself. */
const sectionOf = (item: Item, { date, unit }: Issue, part: ReadonlyArray<Element>, index: number): GovSection => {
  const { agencies, alsoCited, citation, effective, head, identity, line, number, status, subject, url, version } = item
  const isFirst = index === 0
  const { text, notes } = plain(part, rules)
  const own = isFirst ? "" : withoutStop(textOf(part.map((block) => find(block, "heading")).find(isThere), marks))
  return {
    _tag: "Section",
    document: identity,
    identity: isFirst ? identity : `${identity}/s${index}`,
    number: isFirst ? number : `${number}, part ${index}`,
    citation: isFirst ? citation : `${citation}, part ${index}`,
    alsoCited,
    heading: own || subject,
    path: [unit, ...agencies, ...(isFirst ? [] : [subject])].filter((step) => step !== ""),
    text,
    notes: [isFirst ? head : "", notes].filter((note) => note !== "").join("\n"),
    status,
    version,
    ...present({ versionDate: date, effective }),
    url: isFirst ? url : `${url}#s${index}`,
    line
  }
}

const items = new Set(["rule", "proposedRule", "notice", "presidentialDoc", "presidentialDocument", "correction"])
const walked = new Set([
  "main",
  "collection",
  "component",
  "rules",
  "proposedRules",
  "notices",
  "presidentialDocs",
  "presidentialDocuments",
  "corrections"
])
const marks = new Set(["footnote", "ref"])

const isThere = (element: Element | undefined): element is Element => element !== undefined

/** The blocks of a document's text, as far apart as it may be cut. */
const blocksOf = (element: Element | undefined): ReadonlyArray<Element> =>
  (element?.children ?? []).filter(isElement).flatMap((block) => (opened(block) ? blocksOf(block) : [block]))

const opened = ({ name, attributes }: Element): boolean =>
  name === "rulePreamble" ||
  name === "content" ||
  (name === "statement" && attributes.role === "supplementaryInformation")

/** A part is not cut before it has this many characters. */
const enough = 8000

/** Cut at headings and at amendments; one part where the whole is short. */
const cut = (blocks: ReadonlyArray<Element>): ReadonlyArray<ReadonlyArray<Element>> => {
  const parts: Array<Array<Element>> = []
  let length = 0
  let amending = false
  for (const block of blocks) {
    const begins = block.name === "level" && !amending
    amending ||= block.name === "level"
    const mayCut = block.name === "heading" || block.name === "level"
    if (parts.length === 0 || (mayCut && length > enough) || (begins && length > enough / 4)) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(block)
    length += textOf(block).length
  }
  return parts
}

/** What stands at the head and the foot of a document: dockets, the parts of the code that it changes, when it was filed. */
const headOf = (preface: Element | undefined, notes: Element | undefined): string =>
  [
    ...childrenOf(preface, "organization", "affected", "property", "action", "dc:date"),
    ...childrenOf(notes, "frDocId", "billingCode")
  ]
    .map((line) => textOf(line))
    .filter((line) => line !== "")
    .join("\n")
