/**
 * What a page shows where it declares the things of a list: the day beside the name of an article.
 *
 * Declared data has priority; shown data is read as in any repeated block, with the same limits.
 */

import type { Element } from "#page/Dom"
import type { Group, Property, Thing } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"
import { blockOf, type Places } from "./Block.ts"

export const shownBeside = (page: Page, groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
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
