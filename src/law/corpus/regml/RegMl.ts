/**
 * A part of the Code of Federal Regulations as the Bureau of Consumer Financial Protection keeps it: its sections, its
 * appendices, and the official interpretations of both.
 *
 * An interpretation is a document of its own, and guidance; its section has the identity of what it interprets, with
 * `/interp`. What an agency said when it adopted a rule is in the Federal Register, and is left out. A file that lists
 * changes, with both texts or with orders to change them, is not law: only that is reported.
 */
import type { GovDocument, GovSection, GovText } from "../../GovText.ts"
import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import { child, type Element, find, findAll, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"

export const make = (file: Place): Reader => {
  const heard: Array<GovText> = []
  const place: Place = { ...file, say: (text) => heard.push(text) }
  /** The line of the first element that says a change. */
  let change: number | undefined
  const head = { title: "", titleText: "", heading: "", agency: "", letter: "", part: "", date: "" }
  const said = new Set<string>()
  /** What the open subparts are called. */
  const subparts: Array<{ letter: string; title: string }> = []

  const root = (): string => `us/cfr/t${head.title}/p${head.part}`
  const site = (page: string): string =>
    `https://www.consumerfinance.gov/rules-policy/regulations/${head.part}/${head.date}/${page === "" ? "" : `${page}/`}`
  const name = (): string => (head.letter === "" ? "" : `Regulation ${head.letter}`)
  const called = (): string => `${titled(head.heading)}${head.letter === "" ? "" : ` (${name()})`}`

  const document = (interpretation: boolean): string => {
    const identity = interpretation ? `${root()}/interp` : root()
    if (said.has(identity)) return identity
    said.add(identity)
    const found: GovDocument = {
      _tag: "Document",
      identity,
      title: interpretation ? `Official Interpretations of Part ${head.part}, ${called()}` : called(),
      issuer: head.agency,
      level: "federal",
      jurisdiction: "United States",
      collection: interpretation ? "interpretation" : "cfr",
      collectionName: "C.F.R.",
      names: [
        ...(head.letter === "" ? [] : [name(), `Reg. ${head.letter}`]),
        ...(interpretation ? [`Supplement I to Part ${head.part}`] : [])
      ],
      version: head.date,
      ...present({ versionDate: day(head.date) }),
      url: site(interpretation ? "interp" : "")
    }
    place.say(found)
    return identity
  }

  const path = (): ReadonlyArray<string> => [
    step("Title", head.title, head.titleText),
    `Part ${head.part} ${called()}`,
    ...subparts
      .filter(({ letter, title }) => letter !== "" || title !== "")
      .map(({ letter, title }) => step("Subpart", letter, title))
  ]

  const say = (
    element: Element,
    own: Pick<GovSection, "identity" | "number" | "citation" | "heading" | "url"> & {
      readonly interpretation?: boolean
      readonly within?: string
    }
  ): void => {
    const { interpretation = false, within, ...named } = own
    const reserved = child(element, "reserved") !== undefined || /\[?Reserved\]?$/i.test(own.heading)
    const { text, notes } = plain(
      element.children.filter(
        (node) => typeof node === "string" || !(heads.has(node.name) || (interpretation && node.name === "title"))
      ),
      rules
    )
    place.say({
      _tag: "Section",
      document: document(interpretation),
      ...named,
      alsoCited: head.letter === "" || interpretation || within !== undefined ? [] : [`${name()} § ${own.number}`],
      path: within === undefined ? path() : [...path(), within],
      text,
      notes,
      status: reserved ? "historical" : interpretation ? "guidance" : "in force",
      version: head.date,
      ...present({ versionDate: day(head.date), effective: day(head.date) }),
      line: element.line
    })
  }

  const section = (element: Element): void => {
    const local = element.attributes.sectionNum ?? element.attributes.label?.replace(/^\w+-/, "") ?? ""
    const written = textOf(child(element, "subject"))
    // The label is what the agency refers to; a number that was printed wrong would name another section.
    const printed = /^§+\s*([\d.]+\w*)/.exec(written)?.[1]?.replace(/\.$/, "")
    const number = /^\d+\w*$/.test(local) || printed === undefined ? `${head.part}.${local}` : printed
    say(element, {
      identity: `us/cfr/t${head.title}/s${number}`,
      number,
      citation: `${head.title} C.F.R. § ${number}`,
      heading: withoutStop(written.replace(/^§+\s*[\d.]+\w*(\s*[-–]\s*[\d.]+\w*)?\s*/, "")),
      url: site(local)
    })
  }

  const appendix = (element: Element): void => {
    const letter = element.attributes.appendixLetter ?? ""
    const title = textOf(child(element, "appendixTitle"))
    say(element, {
      identity: `${root()}/app-${letter}`,
      number: `Appendix ${letter} to Part ${head.part}`,
      citation: `${head.title} C.F.R. pt. ${head.part}, app. ${letter}`,
      heading: withoutStop(title.replace(/^Appendix\s+\S+\s+to\s+Part\s+\d+\s*[—–-]*\s*/i, "")),
      url: site(letter)
    })
  }

  const interpretation = (element: Element): void => {
    const of = element.attributes.label?.replace(/^\w+-/, "").replace(/-?Interp$/, "") ?? ""
    const heading = textOf(child(element, "title"))
    const number = /^\d+\w*$/.test(of) ? `${head.part}.${of}` : ""
    const base = number === "" ? `${root()}/${letterOf(of)}` : `us/cfr/t${head.title}/s${number}`
    const what = number === "" ? (/^[A-Z]{1,2}$/.test(of) ? `app. ${of}` : of) : `§ ${number}`
    say(element, {
      interpretation: true,
      within: `Supplement I to Part ${head.part} Official Interpretations`,
      identity: `${base}/interp`,
      number: `Supp. I, ${what}`,
      citation: `${head.title} C.F.R. pt. ${head.part}, Supp. I, ${what}`,
      heading: withoutStop(heading.replace(/^Section\s+[\d.]+\w*\s*[—–-]*\s*/, "")) || `Interpretations of ${what}`,
      url: site(`interp-${of.toLowerCase()}`)
    })
  }

  return {
    open: ({ name, attributes, line }, within) => {
      if (changes.has(name)) change ??= line
      if (within.length === 0) return "walk"
      if (name === "part") head.part = attributes.label ?? head.part
      if (name === "subpart") subparts.push({ letter: attributes.subpartLetter ?? "", title: "" })
      if (name === "analysis") {
        place.say({
          _tag: "Skipped",
          file: place.file,
          line,
          why: "what the agency said of its rules, section by section"
        })
        return "skip"
      }
      return walked.has(name) ? "walk" : taken.has(name) ? "take" : "skip"
    },
    took: (element, within) => {
      change ??= findAll(element, ...changes)[0]?.line
      switch (element.name) {
        case "fdsys":
          head.title = textOf(child(element, "cfrTitleNum"))
          head.titleText = textOf(child(element, "cfrTitleText"))
          head.heading = textOf(child(element, "title"))
          return
        case "preamble":
          head.agency = textOf(find(element, "agency"))
          head.letter = textOf(find(element, "regLetter"))
          head.date = textOf(find(element, "effectiveDate"))
          head.part = textOf(find(find(element, "cfr"), "section"))
          return
        case "title":
        case "subpartTitle": {
          const top = subparts.at(-1)
          if (top !== undefined && within.at(-1)?.name === "subpart") top.title = textOf(element)
          return
        }
        case "section":
          return section(element)
        case "appendix":
          return appendix(element)
        case "interpSection":
          return interpretation(element)
      }
    },
    close: ({ name }) => {
      if (name === "subpart") subparts.pop()
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
      if (said.size === 0) place.say({ _tag: "Skipped", file: place.file, why: "a part without sections" })
      for (const text of heard) file.say(text)
    }
  }
}

const changes = new Set(["changeset", "change", "ins", "del", "added", "deleted"])
const walked = new Set(["part", "content", "subpart", "interpretations"])
const taken = new Set(["fdsys", "preamble", "title", "subpartTitle", "section", "appendix", "interpSection"])
const heads = new Set(["subject", "appendixTitle"])
const letterOf = (of: string): string => (/^[A-Z]{1,2}$/.test(of) ? `app-${of}` : of.toLowerCase())
