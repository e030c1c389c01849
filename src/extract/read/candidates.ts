/**
 * All that a page offers to a schema.
 *
 * Every reader reads the same tree once and has its own limits in number and length, so a page can neither take long nor
 * crowd out one reader with another.
 */
import type { Candidates } from "../Candidates.ts"
import { groupsOf } from "../page/groupsOf.ts"
import { Page } from "../page/Page.ts"
import * as JsonLd from "./declared/JsonLd.ts"
import * as Meta from "./declared/Meta.ts"
import * as Microdata from "./declared/Microdata.ts"
import * as Microformats from "./declared/Microformats.ts"
import * as Rdfa from "./declared/Rdfa.ts"
import { withoutBylines } from "./declared/withoutBylines.ts"
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
import * as Pairs from "./shown/Pairs.ts"
import * as Pictures from "./shown/Pictures.ts"
import { shownBeside } from "./shown/shownBeside.ts"
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
    isCut: page.isCut
  }
}
