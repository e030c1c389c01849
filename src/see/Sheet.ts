/**
 * The sheet of a job, as its table has it: what was asked, how many values were found, why the others are null, and what was
 * considered and left.
 *
 * This file imports nothing that needs Node, because the page of explore uses it in the browser.
 */
import { membersOf } from "./why/evidenceRows.ts"

export interface Sheet {
  readonly pages_not_read: number
  readonly pages_gone: number
  readonly fields: ReadonlyArray<Field>
}

export interface Field {
  /** Its JSON pointer in the data, with * for the items of a list. */
  readonly field: string
  readonly found: number
  readonly read_not_said: number
  readonly not_understood: number
  readonly given_not_said: number
  /** Some values that a model gave and no page says. */
  readonly given: ReadonlyArray<unknown>
  readonly considered: ReadonlyArray<Considered>
}

interface Considered {
  readonly value: string
  readonly kind: string
  readonly place: string
  readonly why: string
}

/** A sheet, which a destination may give as text; undefined: it is none. */
export const read = (stored: unknown): Sheet | undefined => {
  const { fields, pages_gone: gone, pages_not_read: notRead } = membersOf(stored)
  return Array.isArray(fields) && typeof notRead === "number"
    ? { pages_not_read: notRead, pages_gone: numberOf(gone), fields: fields.map(fieldOf) }
    : undefined
}

/** How many values a field lacks. */
export const lackingOf = ({ given_not_said: given, not_understood: unclear, read_not_said: silent }: Field): number =>
  given + unclear + silent

/** Several sheets as one: the sums of each field, and a few of what was given and considered. */
export const sum = (sheets: ReadonlyArray<Sheet>): Sheet => {
  const byField = Map.groupBy(
    sheets.flatMap(({ fields }) => fields),
    ({ field }) => field
  )
  const fields = [...byField.values()].map((same) =>
    same.reduce((one, other) => ({
      field: one.field,
      found: one.found + other.found,
      read_not_said: one.read_not_said + other.read_not_said,
      not_understood: one.not_understood + other.not_understood,
      given_not_said: one.given_not_said + other.given_not_said,
      given: [...one.given, ...other.given].slice(0, mostShown),
      considered: [...one.considered, ...other.considered].slice(0, mostShown)
    }))
  )
  return {
    pages_not_read: sheets.reduce((all, one) => all + one.pages_not_read, 0),
    pages_gone: sheets.reduce((all, one) => all + one.pages_gone, 0),
    fields
  }
}

const mostShown = 5

/** The heads of a sheet as a table; `rowOf` has the cells of a field. */
export const heads = ["asked", "found", "read, not said", "not understood", "given, not said", "considered and left"]

export const rowOf = (one: Field): readonly [string, number, number, number, number, string] => [
  one.field,
  one.found,
  one.read_not_said,
  one.not_understood,
  one.given_not_said,
  [
    ...one.given.map((value) => `a model gave ${JSON.stringify(value)}, which no page says`),
    ...one.considered.map(consideredText)
  ].join("\n")
]

export const consideredText = ({ kind, place, value, why }: Considered): string =>
  `${JSON.stringify(value)} (${kind}: ${place}): ${why}`

const fieldOf = (stored: unknown): Field => {
  const field = membersOf(stored)
  return {
    field: String(field["field"]),
    found: numberOf(field["found"]),
    read_not_said: numberOf(field["read_not_said"]),
    not_understood: numberOf(field["not_understood"]),
    given_not_said: numberOf(field["given_not_said"]),
    given: listOf(field["given"]),
    considered: listOf(field["considered"]).map((one) => {
      const { kind, place, value, why } = membersOf(one)
      return { value: String(value), kind: String(kind), place: String(place), why: String(why) }
    })
  }
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
