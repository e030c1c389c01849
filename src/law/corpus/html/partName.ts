/**
 * The name of a section in a code that is published as HTML: the key in its identity, and its citation.
 *
 * A number with several parts, such as 6.08.010, is unique in its code. A number that is unique only in its title follows the
 * title: section 2451 of title 9 has the key t9/s2451, and is cited as its state cites it, "9 V.S.A. § 2451".
 */
import type { TitledCode } from "../../text/titledCodes.ts"
import { titled } from "../written.ts"
import type { Part } from "./outline.ts"

interface PartName {
  /** The part of its identity after that of its code. */
  readonly key: string
  readonly citation: string
  readonly alsoCited: ReadonlyArray<string>
}

type Level = Pick<Part, "prefix" | "number" | "heading">

/** `levels`: the titles and chapters around it, outermost first. `collectionName`: the name of its code. */
export const partName = (
  number: string,
  levels: ReadonlyArray<Level>,
  collectionName: string,
  code: TitledCode | undefined
): PartName => {
  const title = levels.find(isTitle)
  const places = title === undefined ? levels : [title, ...(isAppendix(title) ? levels.filter(isChapter) : [])]
  const path = places.map(keyOf)
  if (title !== undefined && code !== undefined) {
    const chapters = places.slice(1).map(({ number: chapter }) => `ch. ${chapter}, `)
    const own = `${titleNumber(title)}${isAppendix(title) ? " App." : ""}`
    return {
      key: [...path, `s${number}`].join("/"),
      citation: `${own} ${code.cited} ${chapters.join("")}§ ${number}`,
      alsoCited: [`${code.long} tit. ${own}, ${chapters.join("")}§ ${number}`]
    }
  }
  if (places.length === 0 || !/^\d+[a-z]{0,4}$/i.test(number)) {
    return { key: number, citation: `${collectionName} § ${number}`, alsoCited: [] }
  }
  const steps = places.map((place) => `, ${titled(place.prefix)} ${place.number}`)
  return {
    key: [...path, `s${number}`].join("/"),
    citation: `${collectionName}${steps.join("")}, § ${number}`,
    alsoCited: []
  }
}

/** "t9", "ch4.05", "t24-app". */
export const keyOf = (level: Level): string => {
  const kind = level.prefix.toLowerCase()
  const number = isTitle(level) ? titleNumber(level) : level.number
  return `${letters[kind] ?? `${kind}-`}${number.toLowerCase()}${isTitle(level) && isAppendix(level) ? "-app" : ""}`
}

export const isTitle = ({ prefix }: Level): boolean => /^title$/i.test(prefix)
const isChapter = ({ prefix }: Level): boolean => /^chapter$/i.test(prefix)

/** Whether it is the appendix of a title, which has the same number as the title. In Vermont, it contains the charters. */
const isAppendix = ({ heading }: Level): boolean => /^appendix\b/i.test(heading)

const titleNumber = ({ number }: Level): string => number.replace(/^0+(?=\d)/, "")

const letters: Readonly<Record<string, string>> = {
  title: "t",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}
