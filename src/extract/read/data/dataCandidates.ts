/**
 * The candidates of an answer that is data instead of a page: JSON, a feed or other XML, a table in CSV.
 *
 * Its fields have names, so it consists of things, like the data that a page declares. The kind of data is recognised by
 * the text, because servers call much of it `text/plain`.
 */
import type { Candidates, Thing } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { groupsOf } from "../../page/groupsOf.ts"
import * as CsvData from "./CsvData.ts"
import * as JsonData from "./JsonData.ts"
import * as XmlData from "./XmlData.ts"

/** Undefined: it is a page or a text. */
export const dataCandidates = (text: string, url: string): Candidates | undefined => {
  let isCut = false
  const room = new Budget(maxValues, () => {
    isCut = true
  })
  const things = JsonData.read(text, room) ?? XmlData.read(text, room) ?? CsvData.read(text, room)
  if (things === undefined) return undefined
  const page: Thing = {
    _tag: "Thing",
    types: [],
    id: url,
    source: { kind: "meta", path: "", span: [0, text.length] },
    properties: []
  }
  return { things, groups: groupsOf(things), page, isCut }
}
