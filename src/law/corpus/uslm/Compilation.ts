/**
 * An Act as amended, compiled by the House. It repeats what is law elsewhere: each section is a reproduction.
 */

import { plain } from "../plain.ts"
import type { FileContext, Opened, Reader } from "../Reader.ts"
import { day, present, titled } from "../written.ts"
import { childrenOf, type Element, find, findAll, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, isGone, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

/** What is known of the Act of a file. */
interface Act {
  title: string
  /** "93-579"; "": not known. */
  law: string
  /** The number of the file among the compilations. */
  file: string
  through: string
  date: string | undefined
  adopted: string | undefined
  readonly cited: Array<string>
  /** The identity of the document; "": it was not reported yet. */
  root: string
}

export const readerOf = (place: FileContext): Reader => {
  const act: Act = {
    title: "",
    law: "",
    file: "",
    through: "",
    date: undefined,
    adopted: undefined,
    cited: [],
    root: ""
  }
  let count = 0
  /** The first section, where it has no number: the next one tells whether it is section 1. */
  let first: ((name: Name) => void) | undefined

  return Work.readerOf(place, {
    head: (element) => readHead(act, element, place.file),
    beside: new Set(["footnote"]),
    section: (element, levels, within) => {
      if (act.root === "") sayDocument(act, element, place)
      count++
      const number = numberOf(element) || (/\/s\(?([^/)]+)\)?$/.exec(element.attributes.identifier ?? "")?.[1] ?? "")
      first?.(number === "1" ? enacting : sectionOf("1"))
      first = undefined
      if (number === "" && count > 1) {
        return place.say({ _tag: "Skipped", file: place.file, line: element.line, why: "a section without a number" })
      }
      const contents = contentsOf(act, element, levels.path(), within)
      const say = ({ cited, key, number }: Name): void =>
        place.say({
          ...contents,
          identity: `${act.root}/${key}`,
          number,
          citation: act.law === "" ? `${act.title}, ${cited}` : `Pub. L. ${act.law}, ${cited}`,
          url: `${urlOf(act)}#${key}`
        })
      if (number === "") first = say
      else say(sectionOf(number))
    },
    end: () => first?.(sectionOf("1"))
  })
}

/** Reads `meta`, or the preface. */
const readHead = (act: Act, element: Element, file: string): void => {
  if (element.name === "preface") {
    act.date = childrenOf(element, "editionNote")
      .map((note) => find(note, "date")?.attributes.date)
      .find((found) => day(found) !== undefined)
    return
  }
  act.title = titled(textOf(find(element, "dc:title")))
  const congress = textOf(find(element, "congress"))
  const number = textOf(find(element, "docNumber"))
  act.law = congress === "" || number === "" ? "" : `${congress}-${number}`
  act.through = dashed(textOf(find(element, "currentThroughPublicLaw")))
  act.adopted = day(textOf(find(element, "approvedDate")))
  act.cited.push(...childrenOf(element, "citableAs").map((one) => dashed(textOf(one)).replace(/, as amended$/, "")))
  const own = childrenOf(element, "property").find(({ attributes }) => attributes.role === "fileId")
  act.file = textOf(own) || (/COMPS-(\d+)/i.exec(file)?.[1] ?? "")
}

const urlOf = ({ file, root }: Act): string =>
  file === "" ? `urn:x-gov:${root}` : `https://www.govinfo.gov/app/details/COMPS-${file}`

/** Reports the Act when its first section comes, which may say its number and its short titles. */
const sayDocument = (act: Act, section: Element, place: FileContext): void => {
  const [, congress, number] = /\/sComp\/(\d+)\/(\d+)\//.exec(section.attributes.identifier ?? "") ?? []
  if (act.law === "" && congress !== undefined && number !== undefined) act.law = `${congress}-${number}`
  const { cited, date, file, law, through, title } = act
  act.root = law === "" ? `us/act/COMPS-${file || titled(title).replaceAll(/[^A-Za-z0-9]+/g, "-")}` : `us/pl/${law}`
  const names = findAll(section, "shortTitle")
    .map((one) => textOf(one).replace(/[.,]$/, ""))
    .filter((one) => one.toLowerCase() !== title.toLowerCase())
  place.say({
    _tag: "Document",
    identity: act.root,
    title,
    issuer: "United States Congress",
    level: "federal",
    jurisdiction: "United States",
    collection: "act",
    collectionName: law === "" ? title : "Pub. L.",
    names: [...new Set([...names, ...cited, ...(law === "" ? [] : [`Public Law ${law}`])])],
    version: through,
    ...present({ versionDate: day(date) }),
    url: urlOf(act)
  })
}

/** A section without its name. */
const contentsOf = (
  { adopted, date, root, through, title }: Act,
  element: Element,
  levels: ReadonlyArray<string>,
  within: ReadonlyArray<Opened>
) => {
  const codified = findAll(element, "editorialNote")
    .filter(({ attributes }) => attributes.role === "uscRef")
    .flatMap((note) => findAll(note, "ref").map((ref) => textOf(ref).replace(/(?<=\d\w*)nt$/, " note")))
  const { text, notes } = plain(bodyOf(element), rules)
  const repealed = /^Repealed\b/.test(text) || within.some(({ name }) => name === "editorialNote")
  return {
    _tag: "Section" as const,
    document: root,
    alsoCited: [...new Set(codified)],
    heading: sentence(headingOf(element)),
    path: [title, ...levels],
    text,
    notes,
    status: repealed || text === "" || isGone(element) ? ("historical" as const) : ("reproduction" as const),
    version: through,
    ...present({ versionDate: day(date), adopted }),
    line: element.line
  }
}

interface Name {
  readonly key: string
  readonly number: string
  readonly cited: string
}

const sectionOf = (number: string): Name => ({ key: `s${number}`, number, cited: `§ ${number}` })

/** What stands before section 1. */
const enacting: Name = { key: "enacting-clause", number: "enacting clause", cited: "enacting clause" }

const dashed = (text: string): string =>
  text
    .replaceAll("–", "-")
    .replace(/^P\.L\. |^Public Law (?=\d+-\d+$)/, (found) => (found.startsWith("Public") ? found : ""))

/** Headings of Acts are often set in small letters throughout. */
const sentence = (heading: string): string => heading.replace(/^[a-z]/, (first) => first.toUpperCase())
