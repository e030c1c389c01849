/**
 * All that a page offers to a schema.
 *
 * Every reader reads the same tree once and has its own limits in number and length, so a page can neither take long nor
 * crowd out one reader with another.
 */
import type { Element } from "#page/Dom"
import type { Candidates, Group, Property, Thing } from "../Candidates.ts"
import { Budget, maxValues } from "../page/Budget.ts"
import { groupsOf } from "../page/groupsOf.ts"
import { tokens } from "../page/Names.ts"
import { Page } from "../page/Page.ts"
import * as JsonLd from "./declared/JsonLd.ts"
import * as Meta from "./declared/Meta.ts"
import * as Microdata from "./declared/Microdata.ts"
import * as Microformats from "./declared/Microformats.ts"
import * as Rdfa from "./declared/Rdfa.ts"
import { blockOf, type Places } from "./shown/Block.ts"
import * as Blocks from "./shown/Blocks.ts"
import * as Classes from "./shown/Classes.ts"
import * as Code from "./shown/Code.ts"
import * as Crumbs from "./shown/Crumbs.ts"
import * as DataNames from "./shown/DataNames.ts"
import * as Definitions from "./shown/Definitions.ts"
import * as Headings from "./shown/Headings.ts"
import * as Labels from "./shown/Labels.ts"
import { linesOf } from "./shown/Lines.ts"
import * as Links from "./shown/Links.ts"
import { loneCard } from "./shown/loneCard.ts"
import { markedLines } from "./shown/markedLines.ts"
import * as Pairs from "./shown/Pairs.ts"
import * as Pictures from "./shown/Pictures.ts"
import * as Tables from "./shown/Tables.ts"
import * as Texts from "./shown/Texts.ts"

export const candidates = (html: string, url: string): Candidates => {
  const page = new Page(html, url)
  const jsonLd = JsonLd.read(page)
  const microdata = Microdata.read(page)
  const rdfa = Rdfa.read(page)
  const microformats = withoutBylines(page, Microformats.read(page))
  const tables = Tables.read(page)
  const definitions = Definitions.read(page)
  const headings = Headings.read(page)
  const code = Code.read(page)
  const lines = linesOf(page.root)
  const blocks = Blocks.read(page)
  return {
    things: [...jsonLd, ...microdata.things, ...rdfa.things, ...microformats],
    groups: [
      ...groupsOf(jsonLd),
      ...shownBeside(page, groupsOf(microdata.things)),
      ...groupsOf(rdfa.things),
      ...groupsOf(microformats),
      ...tables.groups,
      ...definitions.groups,
      ...blocks,
      ...headings.groups,
      ...code.groups
    ],
    lone: loneCard(page, [...blocks, ...tables.groups]),
    page: {
      _tag: "Thing",
      types: [],
      id: url,
      source: { kind: "meta", path: "", span: [0, html.length] },
      properties: [
        ...microdata.loose,
        ...rdfa.loose,
        ...Meta.read(page),
        ...tables.properties,
        ...definitions.properties,
        ...Labels.read(page, lines),
        ...Pairs.read(page),
        ...Classes.read(page),
        ...DataNames.read(page),
        ...Crumbs.read(page),
        ...headings.properties,
        ...Links.read(page),
        ...Pictures.read(page),
        ...code.properties,
        ...Texts.read(page, lines)
      ]
    },
    // The readers have told it: it comes last.
    isCut: page.isCut,
    hasHiddenList: page.hasHiddenList,
    marked: () => markedLines(page, lines)
  }
}

/**
 * The things of a page without the cards of its bylines. `author vcard`, as blogs write it, says who wrote the page, not
 * what the page is about.
 */
const withoutBylines = (page: Page, things: ReadonlyArray<Thing>): ReadonlyArray<Thing> => {
  if (!things.some(isCard)) return things
  const bylines = new Set(
    page.elements.filter(({ attributes }) => isByline(tokens(attributes.get("class")))).map(({ from }) => from)
  )
  const rest = things.filter((thing) => !isCard(thing) || !bylines.has(thing.source.span[0]))
  // A page that is nothing but such a card is about its person.
  return rest.length === 0 && page.headings.length === 0 ? things : rest
}

const isCard = ({ types }: Thing): boolean => types.length === 1 && types[0] === "card"

const isByline = (classes: ReadonlyArray<string>): boolean =>
  classes.includes("author") && (classes.includes("vcard") || classes.includes("h-card"))

/**
 * What a page shows where it declares the things of a list: the day beside the name of an article.
 *
 * Declared data has priority; shown data is read as in any repeated block, with the same limits.
 */
const shownBeside = (page: Page, groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  if (groups.length === 0) return groups
  const places = new Map(page.elements.map((element) => [`${element.from} ${element.to}`, element]))
  const room = new Budget(maxValues, page.cut)
  return groups.map((group) => {
    const numbers: Places = new Map()
    return { ...group, things: group.things.map((thing) => withShown(page, thing, places, numbers, room)) }
  })
}

const withShown = (
  page: Page,
  thing: Thing,
  places: ReadonlyMap<string, Element>,
  numbers: Places,
  room: Budget
): Thing => {
  const element = places.get(thing.source.span.join(" "))
  if (element === undefined || room.isFull) return thing
  const declared = new Set(
    thing.properties.flatMap(({ value }) => (value._tag === "Value" ? [String(value.data)] : []))
  )
  const isNew = ({ value }: Property): boolean => value._tag === "Thing" || !declared.has(String(value.data))
  const shown = blockOf(page, element, numbers, room).properties.filter(isNew)
  return shown.length === 0 ? thing : { ...thing, properties: [...thing.properties, ...shown] }
}
