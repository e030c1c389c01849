/**
 * A title of the United States Code.
 */

import { plain } from "../plain.ts"
import type { FileContext, Reader } from "../Reader.ts"
import { titled, withoutStop } from "../written.ts"
import { type Element, find, textOf } from "../Xml.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, isGone } from "./section.ts"
import * as Work from "./Work.ts"

export const readerOf = (place: FileContext): Reader => {
  let title = ""
  let version = ""
  let isReported = false

  const document = (heading: string): void => {
    if (isReported) return
    isReported = true
    place.say({
      _tag: "Document",
      identity: `us/usc/t${title.toLowerCase()}`,
      title: `Title ${title}${heading === "" ? "" : `, ${titled(withoutStop(heading))}`}`,
      issuer: "Office of the Law Revision Counsel",
      level: "federal",
      jurisdiction: "United States",
      collection: "us-code",
      collectionName: "U.S.C.",
      names: [],
      version,
      url: `https://uscode.house.gov/view.xhtml?path=/prelim@title${title}&edition=prelim${release(version)}`
    })
  }

  const section = (element: Element, levels: Parameters<Work.Work["section"]>[1]): void => {
    document(levels.nearest("title")?.heading ?? "")
    const number = element.attributes.identifier === undefined ? "" : numberOf(element)
    if (number === "") {
      return place.say({
        _tag: "Skipped",
        file: place.file,
        line: element.line,
        why: "a section without an identifier"
      })
    }
    const several = / to |, | and /.test(number)
    const { text, notes } = plain(bodyOf(element), rules)
    place.say({
      _tag: "Section",
      document: `us/usc/t${title.toLowerCase()}`,
      identity: identityOf(element.attributes.identifier ?? ""),
      number,
      citation: `${title} U.S.C. ${several ? "§§" : "§"} ${number}`,
      alsoCited: [],
      heading: headingOf(element),
      path: levels.path(),
      text,
      notes,
      status: isGone(element) ? "historical" : "in force",
      version,
      url:
        `https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title${title}` +
        `-section${encodeURIComponent(number.replace(/( to |, | and ).*/, ""))}&num=0&edition=prelim${release(version)}`,
      line: element.line
    })
  }

  return Work.readerOf(place, {
    head: (meta) => {
      if (meta.name !== "meta") return
      title = textOf(find(meta, "docNumber"))
      version = textOf(find(meta, "docPublicationName")).replace(/^.*@/, "")
    },
    section,
    beside: new Set(["notes", "note"]),
    leave: (level) => {
      if (level.name === "title") document(level.heading)
    }
  })
}

/** The release is of no use to the site; it keeps the pages of two releases apart. */
const release = (version: string): string => (version === "" ? "" : `&releasepoint=${encodeURIComponent(version)}`)

/** Of several sections in one, as "/us/usc/t3/s202...204" or two names with a blank between: the first and the last. */
const identityOf = (identifier: string): string => {
  const [first = "", ...rest] = identifier.trim().split(/\s+/)
  const last = rest.at(-1)?.replace(/^.*\/s/, "")
  return `${first.replace(/^\//, "").replace("...", "-")}${last === undefined ? "" : `-${last}`}`
}

const numberOf = (section: Element): string => find(section, "num")?.attributes.value?.trim() ?? ""
