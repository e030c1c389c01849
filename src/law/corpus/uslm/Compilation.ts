/**
 * An Act as amended, compiled by the House. It repeats what is law elsewhere: each section is a reproduction.
 */

import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import { day, present, titled } from "../written.ts"
import { childrenOf, type Element, find, findAll, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, isGone, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

export const make = (place: Place): Reader => {
  let title = ""
  let law = ""
  let file = ""
  let through = ""
  let date: string | undefined
  let adopted: string | undefined
  const cited: Array<string> = []
  const names: Array<string> = []
  let root = ""
  let count = 0
  /** The first section, where it has no number: the next one tells whether it is section 1. */
  let first: ((name: Name) => void) | undefined

  const head = (element: Element): void => {
    if (element.name === "preface") {
      date = childrenOf(element, "editionNote")
        .map((note) => find(note, "date")?.attributes.date)
        .find((found) => day(found) !== undefined)
      return
    }
    title = titled(textOf(find(element, "dc:title")))
    const congress = textOf(find(element, "congress"))
    const number = textOf(find(element, "docNumber"))
    law = congress === "" || number === "" ? "" : `${congress}-${number}`
    through = dashed(textOf(find(element, "currentThroughPublicLaw")))
    adopted = day(textOf(find(element, "approvedDate")))
    cited.push(...childrenOf(element, "citableAs").map((one) => dashed(textOf(one)).replace(/, as amended$/, "")))
    const own = childrenOf(element, "property").find(({ attributes }) => attributes.role === "fileId")
    file = textOf(own) || (/COMPS-(\d+)/i.exec(place.file)?.[1] ?? "")
  }

  const url = (): string => (file === "" ? `urn:x-gov:${root}` : `https://www.govinfo.gov/app/details/COMPS-${file}`)

  const document = (section: Element): void => {
    if (root !== "") return
    const [, congress, number] = /\/sComp\/(\d+)\/(\d+)\//.exec(section.attributes.identifier ?? "") ?? []
    if (law === "" && congress !== undefined && number !== undefined) law = `${congress}-${number}`
    root = law === "" ? `us/act/COMPS-${file || titled(title).replaceAll(/[^A-Za-z0-9]+/g, "-")}` : `us/pl/${law}`
    names.push(
      ...new Set(
        findAll(section, "shortTitle")
          .map((one) => textOf(one).replace(/[.,]$/, ""))
          .filter((one) => one.toLowerCase() !== title.toLowerCase())
      )
    )
    place.say({
      _tag: "Document",
      identity: root,
      title,
      issuer: "United States Congress",
      level: "federal",
      jurisdiction: "United States",
      collection: "act",
      collectionName: law === "" ? title : "Pub. L.",
      names: [...new Set([...names, ...cited, ...(law === "" ? [] : [`Public Law ${law}`])])],
      version: through,
      ...present({ versionDate: day(date) }),
      url: url()
    })
  }

  return Work.make({
    head,
    section: (element, levels, within) => {
      document(element)
      count++
      const number = numberOf(element) || (/\/s\(?([^/)]+)\)?$/.exec(element.attributes.identifier ?? "")?.[1] ?? "")
      first?.(number === "1" ? enacting : sectionOf("1"))
      first = undefined
      if (number === "" && count > 1) {
        return place.say({ _tag: "Skipped", file: place.file, line: element.line, why: "a section without a number" })
      }
      const codified = findAll(element, "editorialNote")
        .filter(({ attributes }) => attributes.role === "uscRef")
        .flatMap((note) => findAll(note, "ref").map((ref) => textOf(ref).replace(/(?<=\d\w*)nt$/, " note")))
      const { text, notes } = plain(bodyOf(element), rules)
      const repealed = /^Repealed\b/.test(text) || within.some(({ name }) => name === "editorialNote")
      const path = [title, ...levels.path()]
      const say = ({ cited, key, number }: Name): void =>
        place.say({
          _tag: "Section",
          document: root,
          identity: `${root}/${key}`,
          number,
          citation: law === "" ? `${title}, ${cited}` : `Pub. L. ${law}, ${cited}`,
          alsoCited: [...new Set(codified)],
          heading: sentence(headingOf(element)),
          path,
          text,
          notes,
          status: repealed || text === "" || isGone(element) ? "historical" : "reproduction",
          version: through,
          ...present({ versionDate: day(date), adopted }),
          url: `${url()}#${key}`,
          line: element.line
        })
      if (number === "") first = say
      else say(sectionOf(number))
    },
    end: () => first?.(sectionOf("1"))
  })
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
