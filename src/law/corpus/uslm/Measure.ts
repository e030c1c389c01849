/**
 * A bill or resolution in one of its stages. The measure is one over all of them; the stage is its version.
 */

import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import { day, englishDay, present, titled, withoutStop } from "../written.ts"
import { childrenOf, type Element, find, findAll, textOf } from "../Xml.ts"
import type { Levels } from "./Levels.ts"
import { rules } from "./rules.ts"
import { bodyOf, headingOf, numberOf } from "./section.ts"
import * as Work from "./Work.ts"

export const make = (place: Place): Reader => {
  let congress = ""
  let number = ""
  let kind: Kind = kinds.hr
  let title = ""
  let stage = ""
  let code = ""
  let chamber = ""
  let date: string | undefined
  let names: ReadonlyArray<string> = []
  let cited: ReadonlyArray<string> = []
  let said = false
  let count = 0
  let unnumbered = 0
  const money = new Map<string, Array<Element>>()

  const head = (element: Element): void => {
    if (element.name === "preface") {
      const dates = childrenOf(element, "action").map((action) => {
        const found = find(action, "date")
        return day(found?.attributes.date) ?? englishDay(textOf(found))
      })
      date = dates
        .filter((one) => one !== undefined)
        .toSorted()
        .at(-1)
      number ||= textOf(find(element, "docNumber"))
      return
    }
    congress = textOf(find(element, "congress"))
    number = textOf(find(element, "docNumber"))
    cited = childrenOf(element, "citableAs").map((one) => textOf(one))
    stage = textOf(find(element, "docStage"))
    const long = textOf(find(element, "dc:title"))
    const [, type = "", ownNumber = "", ownCode = "", rest = long] =
      /^\d+ ([A-Z]+) (\d+) ?([A-Z]*)\s*:\s*(.*)$/.exec(long) ?? []
    kind = kinds[type.toLowerCase()] ?? kinds.hr
    number ||= ownNumber
    code = ownCode.toLowerCase() || stage.toLowerCase().replaceAll(/[^a-z]+/g, "-")
    title = withoutStop(rest)
    chamber = textOf(find(element, "currentChamber"))
  }

  const root = (): string => `us/bill/${congress}/${kind.key}${number}`
  const name = (): string => `${kind.cited} ${number}`
  const url = (): string =>
    `https://www.congress.gov/bill/${ordinal(congress)}-congress/${kind.page}/${number}/text/${code}`

  const document = (section: Element | undefined): void => {
    if (said) return
    said = true
    names = [...new Set(findAll(section, "shortTitle").map((one) => textOf(one).replace(/[.,]$/, "")))]
    place.say({
      _tag: "Document",
      identity: root(),
      title: `${name()}, ${title}`,
      issuer: `United States ${chamber === "" ? "Congress" : titled(chamber.replace(/^HOUSE$/, "HOUSE OF REPRESENTATIVES"))}`,
      level: "federal",
      jurisdiction: "United States",
      collection: "bill",
      collectionName: kind.cited,
      names,
      version: stage,
      ...present({ versionDate: date }),
      url: url()
    })
  }

  const say = (
    key: string,
    cite: string,
    heading: string,
    levels: Levels,
    nodes: ReadonlyArray<Element | string>
  ): void => {
    const { text, notes } = plain(nodes, rules)
    place.say({
      _tag: "Section",
      document: root(),
      identity: `${root()}/${key}`,
      number: cite.replace(/^§ /, ""),
      citation: `${name()}, ${ordinal(congress)} Cong., ${cite}`,
      alsoCited: cited.filter((one) => / /.test(one)).map((one) => `${one} ${cite}`),
      heading,
      path: [`${name()}${names[0] === undefined ? "" : ` ${names[0]}`}`, ...levels.path()],
      text,
      notes,
      status: "bill",
      version: stage,
      ...present({ versionDate: date }),
      url: `${url()}#${key}`
    })
  }

  return Work.make({
    head,
    section: (element, levels) => {
      document(element)
      count++
      const own = numberOf(element) || (count === 1 ? "1" : "")
      if (own !== "") return say(`s${own}`, `§ ${own}`, headingOf(element), levels, bodyOf(element))
      // Appropriations end with sections that have no number: what they are called, and provisos.
      if (find(element, "shortTitle") !== undefined) {
        return say("short-title", "short title", "Short title", levels, element.children)
      }
      unnumbered++
      say(`unnumbered-${unnumbered}`, `unnumbered section ${unnumbered}`, headingOf(element), levels, element.children)
    },
    parts: new Set(["preamble", "appropriations"]),
    part: (element, levels) => {
      document(undefined)
      if (element.name === "preamble") return say("preamble", "Preamble", "Preamble", levels, element.children)
      const level = levels.nearest("title")?.number ?? ""
      money.set(level, [...(money.get(level) ?? []), element])
    },
    leave: (level, levels) => {
      const found = level.name === "title" ? money.get(level.number) : undefined
      if (found === undefined) return
      money.delete(level.number)
      const cite = `${level.kind.toLowerCase()} ${level.number}`
      say(`t${level.number}`, cite, titled(level.heading) || "Appropriations", levels, found)
    }
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
