/**
 * Whether a list of the page is something else than what is wanted, though some of it would fit: the links of a menu are
 * not people, and paragraphs with nothing but an address are not sections.
 *
 * Every link has a title and an address, so these two answer only a schema that asks for no more, or a list that the
 * page itself calls by the wanted name.
 */
import * as Names from "./Names.ts"
import type { Table } from "./Table.ts"
import type { One, Rows } from "./Wanted.ts"

export const isNoAnswer = (rows: Rows, table: Table, affinity: number): boolean =>
  isBare(rows, table) ||
  isLittle(rows, table) ||
  (affinity < alike && ((!table.hasLists && isAnyList(rows, table)) || lacksRequired(rows, table)))

/** Whether the table has only those of the wanted fields that every link has: a list of links is not a list of people. */
const isAnyList = ({ item }: Rows, { columns }: Table): boolean => {
  const rest = item.parts.filter((part) => part._tag !== "One" || !columns.has(part))
  const isPlain = ({ name }: One) => ofAnyLink.has(Names.conceptOf(name)?.id ?? "")
  return rest.some((part) => part._tag !== "One" || !isPlain(part)) && [...columns.keys()].every(isPlain)
}

/** Whether no row has something that each must have, and most of the rest is not there either. */
const lacksRequired = ({ item }: Rows, { columns }: Table): boolean =>
  item.parts.some((part) => part._tag === "One" && part.required && !columns.has(part)) &&
  columns.size * 2 <= item.parts.length

/** Whether the rows have addresses and nothing else. */
const isBare = ({ item }: Rows, { columns }: Table): boolean =>
  item.parts.length > columns.size && [...columns.keys()].every(({ name }) => Names.conceptOf(name)?.kind === "url")

/** Whether a card alone says no more than half of what is wanted: it may be of anything. */
const isLittle = ({ item }: Rows, { matched, things: [first, second] }: Table): boolean =>
  first?.source.kind === "block" && second === undefined && matched * 2 <= item.parts.length

const ofAnyLink = new Set(["title", "person", "url", "image"])
/** More than words of the prompt that stand above a list. */
const alike = 0.65
