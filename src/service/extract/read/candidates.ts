/**
 * All that a page offers to a schema.
 *
 * The law: every reader reads the same tree once, and has its own limits in number and length, so a page can neither
 * take long nor crowd one reader out with another.
 */
import type { Candidates, Group, Thing } from "../Candidates.ts"
import { groupsOf } from "./groupsOf.ts"
import * as JsonLd from "./JsonLd.ts"
import * as Meta from "./Meta.ts"
import * as Microdata from "./Microdata.ts"
import { Page } from "./Page.ts"

export const candidates = (html: string, url: string): Candidates => {
  const page = new Page(html, url)
  const jsonLd = JsonLd.read(page)
  const microdata = Microdata.read(page)
  const things: ReadonlyArray<Thing> = [...jsonLd, ...microdata.things]
  const groups: ReadonlyArray<Group> = [...groupsOf(jsonLd), ...groupsOf(microdata.things)]
  return {
    things,
    groups,
    page: {
      _tag: "Thing",
      types: [],
      id: url,
      source: { kind: "meta", path: "", span: [0, html.length] },
      properties: [...microdata.loose, ...Meta.read(page)]
    }
  }
}
