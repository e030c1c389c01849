/**
 * An issue of the Federal Register: each rule, proposed rule and notice is a document of its own.
 *
 * A rule, and what the President signs, is in force as adopted; proposed rules and notices say what an agency thinks or
 * plans: guidance. A long document comes in parts, cut at its headings; the first part has the document's own identity.
 */

import type { Status } from "../../GovText.ts"
import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import { day, present, titled, withoutStop } from "../written.ts"
import { child, childrenOf, type Element, find, findAll, isElement, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"

export const make = (place: Place): Reader => {
  let date: string | undefined
  let volume = ""
  let unit = ""

  const item = (element: Element): void => {
    const meta = child(element, "meta")
    const preface = child(element, "preface")
    const number = textOf(child(meta, "docNumber")).replaceAll("–", "-")
    const page = textOf(child(meta, "startingPage"))
    const ownVolume = /\/fr\/(\d+)\//.exec(element.attributes.identifier ?? "")?.[1] ?? volume
    if (number === "") {
      return place.say({
        _tag: "Skipped",
        file: place.file,
        line: element.line,
        why: `a ${element.name} without a number`
      })
    }
    const said = (role: string): string =>
      textOf(childrenOf(meta, "property").find(({ attributes }) => attributes.role === role))
    const agencies = childrenOf(preface, "organization")
      .filter((one) => child(one, "headingText") === undefined)
      .map((one) => titled(textOf(one)))
    const presidential = element.name.startsWith("presidential")
    const subject = textOf(child(preface, "subject"), marks) || textOf(child(meta, "dc:subject"), marks)
    const action = withoutStop(said("ACTION")) || (presidential ? textOf(child(meta, "dc:title")) : "")
    const version = action || titled(element.name.replace(/([A-Z])/g, " $1"))
    const filed = /FR Doc\. [\d–-]+/.exec(textOf(find(child(element, "notes"), "frDocId")))?.[0].replaceAll("–", "-")
    const written = ["DEPDOC", "RIN"].flatMap((role) =>
      childrenOf(preface, "property")
        .filter(({ attributes }) => attributes.role === role)
        .map((one) => textOf(one).replaceAll(/[[\]]/g, "").replaceAll("–", "-"))
    )
    const identity = `us/fr/${number}`
    const cited = `${ownVolume} Fed. Reg. ${page} (${number})`
    const url = `https://www.federalregister.gov/d/${number}`
    const effective = findAll(element, "statement")
      .filter(({ attributes }) => attributes.role === "effectiveDate")
      .map((statement) => find(statement, "date")?.attributes.date)
      .find((found) => day(found) !== undefined)
    const status: Status =
      presidential || (element.name === "rule" && !/propos/i.test(`${unit} ${action}`)) ? "in force" : "guidance"

    place.say({
      _tag: "Document",
      identity,
      title: subject || titled(unit),
      issuer: presidential
        ? "President of the United States"
        : agencies.join(", ") || withoutStop(said("AGENCY")) || "Office of the Federal Register",
      level: "federal",
      jurisdiction: "United States",
      collection: "federal-register",
      collectionName: "Fed. Reg.",
      names: [],
      version,
      ...present({ versionDate: date }),
      url
    })
    const blocks = blocksOf(child(element, "main"))
    const after = childrenOf(element, "signatures", "signature")
    const parts = cut([...blocks, ...after])
    const head = headOf(preface, child(element, "notes"))
    for (const [index, part] of parts.entries()) {
      const { text, notes } = plain(part, rules)
      const own =
        index === 0 ? "" : withoutStop(textOf(part.map((block) => find(block, "heading")).find(isThere), marks))
      place.say({
        _tag: "Section",
        document: identity,
        identity: index === 0 ? identity : `${identity}/s${index}`,
        number: index === 0 ? number : `${number}, part ${index}`,
        citation: index === 0 ? cited : `${cited}, part ${index}`,
        alsoCited: [`${ownVolume} FR ${page}`, ...(filed === undefined ? [] : [filed]), ...written],
        heading: own || subject,
        path: [unit, ...agencies, ...(index === 0 ? [] : [subject])].filter((step) => step !== ""),
        text,
        notes: [index === 0 ? head : "", notes].filter((note) => note !== "").join("\n"),
        status,
        version,
        ...present({ versionDate: date, effective: status === "in force" ? day(effective) : undefined }),
        url: index === 0 ? url : `${url}#s${index}`,
        line: element.line
      })
    }
  }

  return {
    open: ({ name }, within) => {
      if (within.length === 0 || walked.has(name)) return "walk"
      return name === "meta" || items.has(name) ? "take" : "skip"
    },
    took: (element, within) => {
      if (items.has(element.name)) return item(element)
      if (within.length === 1) {
        date = day(textOf(find(element, "dc:date")))
        volume = textOf(find(element, "volume"))
      } else unit = textOf(find(element, "dc:title"))
    },
    close: () => undefined,
    end: () => undefined
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
    ...childrenOf(preface, "organization", "affected", "property", "action"),
    ...childrenOf(notes, "frDocId", "billingCode")
  ]
    .map((line) => textOf(line))
    .filter((line) => line !== "")
    .join("\n")
