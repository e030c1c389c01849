/**
 * A volume of the Code of Federal Regulations. A document is a part: it is what an agency makes and amends as one.
 */

import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import { day, present, titled, withoutStop } from "../written.ts"
import { type Element, find, textOf } from "../Xml.ts"
import type { Levels } from "./Levels.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, isGone, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

export const make = (place: Place): Reader => {
  let title = ""
  let version = ""
  let publisher = ""
  const said = new Set<string>()

  const eCfr = (rest: string): string =>
    `https://www.ecfr.gov/${day(version) === undefined ? "current" : `on/${version}`}/title-${title}/${rest}`

  /** The part that is open, said when the first of its sections comes. */
  const documentOf = (levels: Levels): string => {
    const part = levels.nearest("part")
    const number = part?.number ?? ""
    const identity = number === "" ? `us/cfr/t${title}` : `us/cfr/t${title}/p${number}`
    if (said.has(identity)) return identity
    said.add(identity)
    const heading = titled(withoutStop(part?.heading ?? levels.nearest("title")?.heading ?? ""))
    place.say({
      _tag: "Document",
      identity,
      title: `${number === "" ? `Title ${title}` : `Part ${number}`}${heading === "" ? "" : `, ${heading}`}`,
      issuer:
        titled(withoutStop(levels.nearest("chapter")?.heading ?? "")).replace(/ \(Continued\)$/i, "") || publisher,
      level: "federal",
      jurisdiction: "United States",
      collection: "cfr",
      collectionName: "C.F.R.",
      names: [],
      version,
      ...present({ versionDate: day(version) }),
      url: eCfr(number === "" ? "" : `part-${number}`)
    })
    return identity
  }

  const section = (element: Element, levels: Levels): void => {
    const document = documentOf(levels)
    const number = numberOf(element) || (/\/s([^/]+)$/.exec(element.attributes.identifier ?? "")?.[1] ?? "")
    if (number === "") {
      return place.say({ _tag: "Skipped", file: place.file, line: element.line, why: "a section without a number" })
    }
    const several = /^[\d.]+[a-z]?-[\d.]+/.test(number)
    say(element, levels, {
      document,
      identity: `us/cfr/t${title}/s${number}`,
      number,
      citation: `${title} C.F.R. ${several ? "§§" : "§"} ${number}`,
      url: eCfr(`section-${number}`)
    })
  }

  const appendix = (element: Element, levels: Levels): void => {
    const document = documentOf(levels)
    const written = textOf(find(element, "num")).replace(/(?<![\s—–.-])[\s—–.-]+$/, "")
    const letter = /appendix\s+(\S+)/i.exec(written)?.[1] ?? ""
    const part = levels.nearest("part")?.number ?? ""
    const number = letter === "" ? "Appendix" : `Appendix ${letter}`
    say(element, levels, {
      document,
      identity: `${document}/app${letter === "" ? "" : `-${letter}`}`,
      number: `${number} to Part ${part}`,
      citation: `${title} C.F.R. pt. ${part}, app.${letter === "" ? "" : ` ${letter}`}`,
      url: eCfr(`part-${part}/appendix-${encodeURIComponent(`${number} to Part ${part}`)}`)
    })
  }

  const say = (
    element: Element,
    levels: Levels,
    names: {
      readonly document: string
      readonly identity: string
      readonly number: string
      readonly citation: string
      readonly url: string
    }
  ): void => {
    const { text, notes } = plain(bodyOf(element), rules)
    place.say({
      _tag: "Section",
      ...names,
      alsoCited: [],
      heading: headingOf(element),
      path: levels.path(),
      text,
      notes,
      status: isGone(element) ? "historical" : "in force",
      version,
      ...present({ versionDate: day(version) }),
      line: element.line
    })
  }

  return Work.make({
    head: (meta) => {
      if (meta.name !== "meta") return
      title = textOf(find(meta, "docNumber"))
      version = textOf(find(meta, "docReleasePoint"))
      publisher = textOf(find(meta, "dc:creator"))
    },
    section,
    beside: new Set(["authority", "source", "editorialNote", "note"]),
    parts: new Set(["appendix"]),
    part: appendix
  })
}
