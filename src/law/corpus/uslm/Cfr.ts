/**
 * A volume of the Code of Federal Regulations. A document is a part: it is what an agency makes and amends as one.
 */

import { plain } from "../plain.ts"
import type { FileContext, Reader } from "../Reader.ts"
import { day, present, titled, withoutStop } from "../written.ts"
import { type Element, find, textOf } from "../Xml.ts"
import type { Levels } from "./Levels.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, isGone, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

/** What is known of the volume of a file. */
interface Volume {
  readonly place: FileContext
  title: string
  version: string
  publisher: string
  /** The documents that were reported. */
  readonly identities: Set<string>
}

export const readerOf = (place: FileContext): Reader => {
  const volume: Volume = { place, title: "", version: "", publisher: "", identities: new Set() }
  return Work.readerOf(place, {
    head: (meta) => {
      if (meta.name !== "meta") return
      volume.title = textOf(find(meta, "docNumber"))
      volume.version = textOf(find(meta, "docReleasePoint"))
      volume.publisher = textOf(find(meta, "dc:creator"))
    },
    section: (element, levels) => saySection(volume, element, levels),
    beside: new Set(["authority", "source", "editorialNote", "note", "footnote", "crossHeading"]),
    parts: new Set(["appendix"]),
    part: (element, levels) => sayAppendix(volume, element, levels)
  })
}

const eCfr = ({ title, version }: Volume, rest: string): string =>
  `https://www.ecfr.gov/${day(version) === undefined ? "current" : `on/${version}`}/title-${title}/${rest}`

/** The part that is open; it is reported when the first of its sections comes. */
const documentOf = (volume: Volume, levels: Levels): string => {
  const { identities, place, publisher, title, version } = volume
  const part = levels.nearest("part")
  const number = part?.number ?? ""
  const identity = number === "" ? `us/cfr/t${title}` : `us/cfr/t${title}/p${number}`
  // A part that goes on in the next volume is another text if that volume has another day.
  if (identities.has(`${identity} ${version}`)) return identity
  identities.add(`${identity} ${version}`)
  const heading = titled(withoutStop(part?.heading ?? levels.nearest("title")?.heading ?? ""))
  place.say({
    _tag: "Document",
    identity,
    title: `${number === "" ? `Title ${title}` : `Part ${number}`}${heading === "" ? "" : `, ${heading}`}`,
    issuer: titled(withoutStop(levels.nearest("chapter")?.heading ?? "")).replace(/ \(Continued\)$/i, "") || publisher,
    level: "federal",
    jurisdiction: "United States",
    collection: "cfr",
    collectionName: "C.F.R.",
    names: [],
    version,
    ...present({ versionDate: day(version) }),
    url: eCfr(volume, number === "" ? "" : `part-${number}`)
  })
  return identity
}

const saySection = (volume: Volume, element: Element, levels: Levels): void => {
  const { place, title } = volume
  const document = documentOf(volume, levels)
  const number = numberOf(element) || (/\/s([^/]+)$/.exec(element.attributes.identifier ?? "")?.[1] ?? "")
  if (number === "") {
    return place.say({ _tag: "Skipped", file: place.file, line: element.line, why: "a section without a number" })
  }
  const several = /^[\d.]+[a-z]?-[\d.]+/.test(number)
  say(volume, element, levels, {
    document,
    identity: `us/cfr/t${title}/s${number}`,
    number,
    citation: `${title} C.F.R. ${several ? "§§" : "§"} ${number}`,
    url: eCfr(volume, `section-${number}`)
  })
}

const sayAppendix = (volume: Volume, element: Element, levels: Levels): void => {
  const document = documentOf(volume, levels)
  const written = textOf(find(element, "num")).replace(/(?<![\s—–.-])[\s—–.-]+$/, "")
  const letter = /appendix\s+(\S+)/i.exec(written)?.[1] ?? ""
  const part = levels.nearest("part")?.number ?? ""
  const number = letter === "" ? "Appendix" : `Appendix ${letter}`
  say(volume, element, levels, {
    document,
    identity: `${document}/app${letter === "" ? "" : `-${letter}`}`,
    number: `${number} to Part ${part}`,
    citation: `${volume.title} C.F.R. pt. ${part}, app.${letter === "" ? "" : ` ${letter}`}`,
    url: eCfr(volume, `part-${part}/appendix-${encodeURIComponent(`${number} to Part ${part}`)}`)
  })
}

const say = (
  { place, version }: Volume,
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
