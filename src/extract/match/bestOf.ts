/**
 * Which of several tables answers what is asked: the best, but for those that are parts of another.
 *
 * Where the things of one table hold several things of another, their values tell which of the two is meant. A section with
 * cards in it has a price too, which is the first card's: the cards are meant. A post with its tags has a title of its own:
 * the posts are meant.
 */

import { firstNot } from "#base/firstNot"
import type { Thing } from "../Candidates.ts"
import type { Leaves } from "./CandidateValue.ts"
import { cells, type Table } from "./Table.ts"

/** `holdsLists`: whether a list of lists is asked for. */
export const bestOf = (tables: ReadonlyArray<Table>, holdsLists: boolean, leaves: Leaves): Table | undefined => {
  const meant = holdsLists ? tables : tables.filter((one) => !tables.some((other) => isLess(one, other, leaves)))
  // Lists within lists may each be less than another.
  const some = meant.length > 0 ? meant : tables
  return some.reduce<Table | undefined>(
    (best, table) => (best === undefined || table.score > best.score ? table : best),
    undefined
  )
}

/** Whether the other table, in which this one is or that is in this one, is meant instead. */
const isLess = (table: Table, other: Table, leaves: Leaves): boolean => {
  if (other === table || other.matched < table.matched || other.score < table.score - closely) return false
  return holds(table, other)
    ? other.matched > 1 && borrows(table, other, leaves)
    : holds(other, table) && !borrows(other, table, leaves)
}

const closely = 0.1

/** Whether the first things of a table hold several things of the other. */
const holds = (table: Table, other: Table): boolean =>
  table.things.slice(0, 2).every(({ source: { span } }) => {
    const at = firstFrom(other.things, span[0])
    return [other.things[at], other.things[at + 1]].every((one) => one !== undefined && one.source.span[1] <= span[1])
  })

/** Whether a value of the first thing of a table stands in a thing of the other. */
const borrows = ({ columns, things }: Table, other: Table, leaves: Leaves): boolean => {
  const [first] = things
  if (first === undefined) return false
  const row = cells(first, leaves)
  return [...columns.values()].some(([column]) => {
    const span = column === undefined ? undefined : row.get(column.key)?.value.source.span
    return span !== undefined && isInOne(span, other.things)
  })
}

const isInOne = ([from, to]: readonly [number, number], things: ReadonlyArray<Thing>): boolean => {
  const at = firstFrom(things, from + 1) - 1
  const span = things[at]?.source.span
  return span !== undefined && from >= span[0] && to <= span[1]
}

/** Where the first thing stands that does not begin before a place. */
const firstFrom = (things: ReadonlyArray<Thing>, from: number): number =>
  firstNot(things, ({ source }) => source.span[0] < from)
