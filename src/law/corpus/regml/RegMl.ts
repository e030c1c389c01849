/**
 * A part of the Code of Federal Regulations as the Bureau of Consumer Financial Protection keeps it: its sections, its
 * appendices, and the official interpretations of both.
 *
 * An interpretation is a document of its own, and guidance; its section has the identity of what it interprets, with
 * `/interp`. What an agency said when it adopted a rule is in the Federal Register, and is left out. A file that lists
 * changes, with both texts or with orders to change them, is not law: only that is reported.
 */
import type { GovSection, GovText } from "../../GovText.ts"
import { numbersOf, saysGone } from "../Heading.ts"
import type { Rules } from "../plain.ts"
import { plain } from "../plain.ts"
import type { FileContext, Opened, Reader } from "../Reader.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import { child, type Element, find, findAll, textOf } from "../Xml.ts"

/** What is known of the part that a file has. */
interface Part {
  readonly place: FileContext
  title: string
  titleText: string
  heading: string
  agency: string
  letter: string
  part: string
  date: string
  /** The documents that were reported. */
  readonly identities: Set<string>
  /** What the open subparts are called. */
  readonly subparts: Array<{ readonly letter: string; title: string }>
}

export const readerOf = (file: FileContext): Reader => {
  const texts: Array<GovText> = []
  /** The line of the first element that says a change. */
  let change: number | undefined
  const part: Part = {
    place: { ...file, say: (text) => texts.push(text) },
    title: "",
    titleText: "",
    heading: "",
    agency: "",
    letter: "",
    part: "",
    date: "",
    identities: new Set(),
    subparts: []
  }
  return {
    open: ({ name, attributes, line }, within) => {
      if (changes.has(name)) change ??= line
      if (within.length === 0) return "walk"
      if (name === "part") part.part = attributes.label ?? part.part
      if (name === "subpart") part.subparts.push({ letter: attributes.subpartLetter ?? "", title: "" })
      if (name === "analysis") {
        const why = "what the agency said of its rules, section by section"
        part.place.say({ _tag: "Skipped", file: file.file, line, why })
        return "skip"
      }
      return walked.has(name) ? "walk" : taken.has(name) ? "take" : "skip"
    },
    took: (element, within) => {
      change ??= findAll(element, ...changes)[0]?.line
      readElement(part, element, within)
    },
    close: ({ name }) => {
      if (name === "subpart") part.subparts.pop()
    },
    end: () => {
      if (change !== undefined) {
        return file.say({
          _tag: "Skipped",
          file: file.file,
          line: change,
          why: "it lists changes to a regulation and is not the regulation: load the changed regulation instead"
        })
      }
      if (part.identities.size === 0) {
        part.place.say({ _tag: "Skipped", file: file.file, why: "a part without sections" })
      }
      for (const text of texts) file.say(text)
    }
  }
}

const readElement = (part: Part, element: Element, within: ReadonlyArray<Opened>): void => {
  switch (element.name) {
    case "fdsys":
      part.title = textOf(child(element, "cfrTitleNum"))
      part.titleText = textOf(child(element, "cfrTitleText"))
      part.heading = textOf(child(element, "title"))
      return
    case "preamble":
      part.agency = textOf(find(element, "agency"))
      part.letter = textOf(find(element, "regLetter"))
      part.date = textOf(find(element, "effectiveDate"))
      part.part = textOf(find(find(element, "cfr"), "section"))
      return
    case "title":
    case "subpartTitle": {
      const top = part.subparts.at(-1)
      if (top !== undefined && within.at(-1)?.name === "subpart") top.title = textOf(element)
      return
    }
    case "section":
      return saySection(part, element)
    case "appendix":
      return sayAppendix(part, element)
    case "interpSection":
      return sayInterpretation(part, element)
  }
}

const rootOf = ({ part, title }: Part): string => `us/cfr/t${title}/p${part}`

const urlOf = ({ date, part }: Part, page: string): string =>
  `https://www.consumerfinance.gov/rules-policy/regulations/${part}/${date}/${page === "" ? "" : `${page}/`}`

const nameOf = ({ letter }: Part): string => (letter === "" ? "" : `Regulation ${letter}`)

const titleOf = (part: Part): string => `${titled(part.heading)}${part.letter === "" ? "" : ` (${nameOf(part)})`}`

/** The identity of the part, or of its interpretations, which is reported when the first section of it comes. */
const documentOf = (part: Part, isInterpretation: boolean): string => {
  const { agency, date, identities, letter, place } = part
  const identity = isInterpretation ? `${rootOf(part)}/interp` : rootOf(part)
  if (identities.has(identity)) return identity
  identities.add(identity)
  place.say({
    _tag: "Document",
    identity,
    title: isInterpretation ? `Official Interpretations of Part ${part.part}, ${titleOf(part)}` : titleOf(part),
    issuer: agency,
    level: "federal",
    jurisdiction: "United States",
    collection: isInterpretation ? "interpretation" : "cfr",
    collectionName: "C.F.R.",
    names: [
      ...(letter === "" ? [] : [nameOf(part), `Reg. ${letter}`]),
      ...(isInterpretation ? [`Supplement I to Part ${part.part}`] : [])
    ],
    version: date,
    ...present({ versionDate: day(date) }),
    url: urlOf(part, isInterpretation ? "interp" : "")
  })
  return identity
}

const pathOf = (part: Part): ReadonlyArray<string> => [
  step("Title", part.title, part.titleText),
  `Part ${part.part} ${titleOf(part)}`,
  ...part.subparts
    .filter(({ letter, title }) => letter !== "" || title !== "")
    .map(({ letter, title }) => step("Subpart", letter, title))
]

const say = (
  part: Part,
  element: Element,
  own: Pick<GovSection, "identity" | "number" | "citation" | "heading" | "url"> & {
    readonly interpretation?: boolean
    readonly within?: string
    /** A heading that has another number. */
    readonly printed?: string
  }
): void => {
  const { date, letter, place } = part
  const { interpretation = false, printed = "", within, ...named } = own
  const reserved = child(element, "reserved") !== undefined || saysGone(own.heading)
  const { text, notes } = plain(
    element.children.filter(
      (node) => typeof node === "string" || !(heads.has(node.name) || (interpretation && node.name === "title"))
    ),
    rules
  )
  place.say({
    _tag: "Section",
    document: documentOf(part, interpretation),
    ...named,
    alsoCited: letter === "" || interpretation || within !== undefined ? [] : [`${nameOf(part)} § ${own.number}`],
    path: within === undefined ? pathOf(part) : [...pathOf(part), within],
    text,
    notes: [notes, printed].filter((line) => line !== "").join("\n"),
    status: reserved ? "historical" : interpretation ? "guidance" : "in force",
    version: date,
    ...present({ versionDate: day(date), effective: day(date) }),
    line: element.line
  })
}

const saySection = (part: Part, element: Element): void => {
  const written = textOf(child(element, "subject"))
  const subject = numbersOf(written)
  const local = localNumber(element, subject?.number.replace(/^.*\./, ""))
  const number = /^\d+\w*$/.test(local) || subject === undefined ? `${part.part}.${local}` : subject.number
  say(part, element, {
    identity: `us/cfr/t${part.title}/s${number}`,
    number,
    citation: `${part.title} C.F.R. § ${number}`,
    heading: withoutStop(subject?.heading ?? written),
    printed: subject === undefined || subject.number === number ? "" : written,
    url: urlOf(part, local)
  })
}

/** Its number in the part. Three places say it; one of them may be wrong, and then the two that agree count. */
const localNumber = ({ attributes }: Element, printed: string | undefined): string => {
  const said = [attributes.sectionNum, attributes.label?.replace(/^\w+-/, ""), printed].filter(
    (one) => one !== undefined
  )
  return said.find((one, at) => said.indexOf(one, at + 1) > 0) ?? said[0] ?? ""
}

const sayAppendix = (part: Part, element: Element): void => {
  const letter = element.attributes.appendixLetter ?? ""
  const title = textOf(child(element, "appendixTitle"))
  say(part, element, {
    identity: `${rootOf(part)}/app-${letter}`,
    number: `Appendix ${letter} to Part ${part.part}`,
    citation: `${part.title} C.F.R. pt. ${part.part}, app. ${letter}`,
    heading: withoutStop(title.replace(/^Appendix\s+\S+\s+to\s+Part\s+\d+\s*[—–-]*\s*/i, "")),
    url: urlOf(part, letter)
  })
}

const sayInterpretation = (part: Part, element: Element): void => {
  const of = element.attributes.label?.replace(/^\w+-/, "").replace(/-?Interp$/, "") ?? ""
  const heading = textOf(child(element, "title"))
  const number = /^\d+\w*$/.test(of) ? `${part.part}.${of}` : ""
  const base = number === "" ? `${rootOf(part)}/${letterOf(of)}` : `us/cfr/t${part.title}/s${number}`
  const what = number === "" ? (/^[A-Z]{1,2}$/.test(of) ? `app. ${of}` : of) : `§ ${number}`
  say(part, element, {
    interpretation: true,
    within: `Supplement I to Part ${part.part} Official Interpretations`,
    identity: `${base}/interp`,
    number: `Supp. I, ${what}`,
    citation: `${part.title} C.F.R. pt. ${part.part}, Supp. I, ${what}`,
    heading: withoutStop(heading.replace(/^Section\s+[\d.]+\w*\s*[—–-]*\s*/, "")) || `Interpretations of ${what}`,
    url: urlOf(part, `interp-${of.toLowerCase()}`)
  })
}

const changes = new Set(["changeset", "change", "ins", "del", "added", "deleted"])
const walked = new Set(["part", "content", "subpart", "interpretations"])
const taken = new Set(["fdsys", "preamble", "title", "subpartTitle", "section", "appendix", "interpSection"])
const heads = new Set(["subject", "appendixTitle"])
const letterOf = (of: string): string => (/^[A-Z]{1,2}$/.test(of) ? `app-${of}` : of.toLowerCase())

/** What the elements of RegML are in a text. */
const rules: Rules = {
  inline: new Set(["ref", "em", "def", "dash", "strong", "sup", "sub", "b", "i", "altText", "variable"]),
  numbers: new Set(),
  headings: new Set(["title", "subject", "keyterm"]),
  rows: new Set(["row", "columnHeaderRow"]),
  cells: new Set(["cell", "column"]),
  lead: ({ attributes: { marker } }) => (marker === undefined || /^\s*$|^interp$/i.test(marker) ? undefined : marker),
  dropped: ({ name }) => name === "tableOfContents" || name === "graphic" || name === "reserved",
  notes: ({ name }) => name === "footnote"
}
