/**
 * All that a page offers to a schema.
 *
 * The law: every reader reads the same tree once, and has its own limits in number and length, so a page can neither
 * take long nor crowd one reader out with another.
 */
import type { Candidates } from "../Candidates.ts"
import * as Blocks from "./Blocks.ts"
import * as Classes from "./Classes.ts"
import * as Code from "./Code.ts"
import * as Definitions from "./Definitions.ts"
import { groupsOf } from "./groupsOf.ts"
import * as Headings from "./Headings.ts"
import * as JsonLd from "./JsonLd.ts"
import * as Labels from "./Labels.ts"
import { linesOf } from "./Lines.ts"
import * as Links from "./Links.ts"
import * as Meta from "./Meta.ts"
import * as Microdata from "./Microdata.ts"
import * as Microformats from "./Microformats.ts"
import { Page } from "./Page.ts"
import * as Pairs from "./Pairs.ts"
import * as Rdfa from "./Rdfa.ts"
import { shownBeside } from "./shownBeside.ts"
import * as Tables from "./Tables.ts"
import * as Texts from "./Texts.ts"

export const candidates = (html: string, url: string): Candidates => {
  const page = new Page(html, url)
  const jsonLd = JsonLd.read(page)
  const microdata = Microdata.read(page)
  const rdfa = Rdfa.read(page)
  const microformats = Microformats.read(page)
  const tables = Tables.read(page)
  const definitions = Definitions.read(page)
  const headings = Headings.read(page)
  const code = Code.read(page)
  const lines = linesOf(page.root)
  return {
    things: [...jsonLd, ...microdata.things, ...rdfa.things, ...microformats],
    groups: [
      ...groupsOf(jsonLd),
      ...shownBeside(page, groupsOf(microdata.things)),
      ...groupsOf(rdfa.things),
      ...groupsOf(microformats),
      ...tables.groups,
      ...definitions.groups,
      ...Blocks.read(page),
      ...headings.groups,
      ...code.groups
    ],
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
        ...headings.properties,
        ...Links.read(page),
        ...code.properties,
        ...Texts.read(page, lines)
      ]
    }
  }
}
