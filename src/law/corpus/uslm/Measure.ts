/**
 * A bill or resolution in one of its stages. The measure is one over all of them; the stage is its version.
 */

import { plain } from "../plain.ts"
import type { FileContext, Reader } from "../Reader.ts"
import { day, englishDay, present, titled, withoutStop } from "../written.ts"
import { childrenOf, type Element, find, findAll, textOf } from "../Xml.ts"
import type { Levels } from "./Levels.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

/** What is known of the measure of a file. */
interface Measure {
  readonly place: FileContext
  congress: string
  number: string
  kind: Kind
  title: string
  stage: string
  /** The stage in the addresses of Congress. */
  code: string
  chamber: string
  date: string | undefined
  names: ReadonlyArray<string>
  cited: ReadonlyArray<string>
  /** Whether the document was reported. */
  isKnown: boolean
}

/** How a section is named. */
interface Name {
  readonly key: string
  readonly cite: string
  readonly heading: string
}

type Nodes = ReadonlyArray<Element | string>

export const readerOf = (place: FileContext): Reader => {
  const measure: Measure = {
    place,
    congress: "",
    number: "",
    kind: kinds.hr,
    title: "",
    stage: "",
    code: "",
    chamber: "",
    date: undefined,
    names: [],
    cited: [],
    isKnown: false
  }
  let count = 0
  let unnumbered = 0
  const money = new Map<string, Array<Element>>()
  const say = (name: Name, levels: Levels, nodes: Nodes, line?: number) =>
    saySection(measure, name, levels, nodes, line)

  return Work.readerOf(place, {
    head: (element) => readHead(measure, element),
    section: (element, levels) => {
      sayDocument(measure, element)
      count++
      const own = numberOf(element) || (count === 1 ? "1" : "")
      if (own !== "")
        return say(
          { key: `s${own}`, cite: `§ ${own}`, heading: headingOf(element) },
          levels,
          bodyOf(element),
          element.line
        )
      // Appropriations end with sections that have no number: what they are called, and provisos.
      if (find(element, "shortTitle") !== undefined) {
        return say(
          { key: "short-title", cite: "short title", heading: "Short title" },
          levels,
          element.children,
          element.line
        )
      }
      unnumbered++
      const name = { key: `unnumbered-${unnumbered}`, cite: `unnumbered section ${unnumbered}` }
      say({ ...name, heading: headingOf(element) }, levels, element.children, element.line)
    },
    parts: new Set(["preamble", "appropriations"]),
    part: (element, levels) => {
      sayDocument(measure, undefined)
      if (element.name === "preamble") {
        return say({ key: "preamble", cite: "Preamble", heading: "Preamble" }, levels, element.children, element.line)
      }
      const level = levels.nearest("title")?.number ?? ""
      money.set(level, [...(money.get(level) ?? []), element])
    },
    leave: (level, levels) => {
      const found = level.name === "title" ? money.get(level.number) : undefined
      if (found === undefined) return
      money.delete(level.number)
      const cite = `${level.kind.toLowerCase()} ${level.number}`
      say({ key: `t${level.number}`, cite, heading: titled(level.heading) || "Appropriations" }, levels, found)
    }
  })
}

const readHead = (measure: Measure, element: Element): void => {
  if (element.name === "preface") {
    const dates = childrenOf(element, "action").map((action) => {
      const found = find(action, "date")
      return day(found?.attributes.date) ?? englishDay(textOf(found))
    })
    measure.date = dates
      .filter((one) => one !== undefined)
      .toSorted()
      .at(-1)
    measure.number ||= textOf(find(element, "docNumber"))
    return
  }
  measure.congress = textOf(find(element, "congress"))
  measure.number = textOf(find(element, "docNumber"))
  measure.cited = childrenOf(element, "citableAs").map((one) => textOf(one))
  measure.stage = textOf(find(element, "docStage"))
  const long = textOf(find(element, "dc:title"))
  const [, type = "", ownNumber = "", ownCode = "", rest = long] =
    /^\d+ ([A-Z]+) (\d+) ?([A-Z]*)\s*:\s*(.*)$/.exec(long) ?? []
  measure.kind = kinds[type.toLowerCase()] ?? kinds.hr
  measure.number ||= ownNumber
  measure.code = ownCode.toLowerCase() || measure.stage.toLowerCase().replaceAll(/[^a-z]+/g, "-")
  measure.title = withoutStop(rest)
  measure.chamber = textOf(find(element, "currentChamber"))
}

const rootOf = ({ congress, kind, number }: Measure): string => `us/bill/${congress}/${kind.key}${number}`

const nameOf = ({ kind, number }: Measure): string => `${kind.cited} ${number}`

const urlOf = ({ code, congress, kind, number }: Measure): string =>
  `https://www.congress.gov/bill/${ordinal(congress)}-congress/${kind.page}/${number}/text/${code}`

const sayDocument = (measure: Measure, section: Element | undefined): void => {
  if (measure.isKnown) return
  measure.isKnown = true
  const { chamber, date, kind, place, stage, title } = measure
  const names = [...new Set(findAll(section, "shortTitle").map((one) => textOf(one).replace(/[.,]$/, "")))]
  measure.names = names
  place.say({
    _tag: "Document",
    identity: rootOf(measure),
    title: `${nameOf(measure)}, ${title}`,
    issuer: `United States ${chamber === "" ? "Congress" : titled(chamber.replace(/^HOUSE$/, "HOUSE OF REPRESENTATIVES"))}`,
    level: "federal",
    jurisdiction: "United States",
    collection: "bill",
    collectionName: kind.cited,
    names,
    version: stage,
    ...present({ versionDate: date }),
    url: urlOf(measure)
  })
}

const saySection = (
  measure: Measure,
  { cite, heading, key }: Name,
  levels: Levels,
  nodes: Nodes,
  line: number | undefined
): void => {
  const { cited, congress, date, names, place, stage } = measure
  const { text, notes } = plain(nodes, rules)
  place.say({
    _tag: "Section",
    document: rootOf(measure),
    identity: `${rootOf(measure)}/${key}`,
    number: cite.replace(/^§ /, ""),
    citation: `${nameOf(measure)}, ${ordinal(congress)} Cong., ${cite}`,
    alsoCited: cited.filter((one) => / /.test(one)).map((one) => `${one} ${cite}`),
    heading,
    path: [`${nameOf(measure)}${names[0] === undefined ? "" : ` ${names[0]}`}`, ...levels.path()],
    text,
    notes,
    status: "bill",
    version: stage,
    ...present({ versionDate: date }),
    url: `${urlOf(measure)}#${key}`,
    ...(line === undefined ? {} : { line })
  })
}

interface Kind {
  readonly key: string
  readonly cited: string
  /** How the site of Congress names it. */
  readonly page: string
}

const kinds: { readonly hr: Kind; readonly [key: string]: Kind | undefined } = {
  hr: { key: "hr", cited: "H.R.", page: "house-bill" },
  s: { key: "s", cited: "S.", page: "senate-bill" },
  hjres: { key: "hjres", cited: "H.J. Res.", page: "house-joint-resolution" },
  sjres: { key: "sjres", cited: "S.J. Res.", page: "senate-joint-resolution" },
  hconres: { key: "hconres", cited: "H. Con. Res.", page: "house-concurrent-resolution" },
  sconres: { key: "sconres", cited: "S. Con. Res.", page: "senate-concurrent-resolution" },
  hres: { key: "hres", cited: "H. Res.", page: "house-resolution" },
  sres: { key: "sres", cited: "S. Res.", page: "senate-resolution" }
}

const ordinal = (congress: string): string => {
  const last = Number(congress) % 10
  const teen = Math.floor(Number(congress) / 10) % 10 === 1
  return `${congress}${teen ? "th" : last === 1 ? "st" : last === 2 ? "d" : last === 3 ? "d" : "th"}`
}
