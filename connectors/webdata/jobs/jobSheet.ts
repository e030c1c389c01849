/**
 * The sheet of a job: each field that was asked for, how many values of it were found, and why the others are null.
 *
 * A value that is null was read and not said, or its name is on the page and it was not understood, or a model gave one that no
 * page says. Pages that were not read are counted apart: nothing is known of what they say.
 */
import { pointerOf } from "#base/pointerOf"
import type { Considered, Unsupported } from "#contract/Extract"
import { isObject } from "../foundJson.ts"

interface Field {
  /** Its JSON pointer in the data, with * for the items of a list. */
  readonly field: string
  readonly found: number
  readonly read_not_said: number
  readonly not_understood: number
  readonly given_not_said: number
  /** Some values that a model gave and no page says. */
  readonly given?: ReadonlyArray<Unsupported["value"]>
  /** Some values that a page offers to it and that were left, with the reasons. */
  readonly considered?: ReadonlyArray<Omit<Considered, "field">>
}

interface Sheet {
  readonly pages_not_read: number
  /** Links that answer 404 or 410. */
  readonly pages_gone: number
  readonly fields: ReadonlyArray<Field>
}

interface Answer {
  readonly unsupported?: ReadonlyArray<Unsupported>
  readonly unclear?: ReadonlyArray<string>
  readonly considered?: ReadonlyArray<Considered>
  readonly pagesFailed?: number
  readonly pagesGone?: ReadonlyArray<string>
}

export const jobSheet = (
  data: unknown,
  { considered = [], pagesFailed: notRead = 0, pagesGone = [], unclear = [], unsupported = [] }: Answer
): Sheet => {
  const counts = new Map<string, { found: number; empty: number }>()
  const visit = (value: unknown, field: string): void => {
    if (Array.isArray(value)) return value.forEach((item) => visit(item, `${field}/*`))
    if (isObject(value)) return Object.entries(value).forEach(([name, part]) => visit(part, pointerOf(field, name)))
    const count = counts.get(field) ?? { found: 0, empty: 0 }
    counts.set(field, count)
    if (value == null) count.empty++
    else count.found++
  }
  visit(data, "")
  const given = Map.groupBy(unsupported, ({ path }) => fieldOf(path))
  const open = Map.groupBy(unclear, fieldOf)
  const candidates = Map.groupBy(considered, ({ field }) => fieldOf(field))
  const fields = [...counts].slice(0, mostFields).map(([field, { empty, found }]): Field => {
    // A list of which nothing is left is null itself.
    const values = [...(given.get(field) ?? []), ...(given.get(`${field}/*`) ?? [])].map(({ value }) => value)
    const refused = Math.min(empty, values.length)
    const unclearHere = Math.min(empty - refused, open.get(field)?.length ?? 0)
    const some = (candidates.get(field) ?? []).slice(0, mostGiven).map(withoutField)
    return {
      field,
      found,
      read_not_said: empty - refused - unclearHere,
      not_understood: unclearHere,
      given_not_said: refused,
      ...(values.length === 0 ? {} : { given: values.slice(0, mostGiven) }),
      ...(some.length === 0 ? {} : { considered: some })
    }
  })
  return { pages_not_read: notRead, pages_gone: pagesGone.length, fields }
}

const withoutField = ({ kind, place, url, value, why }: Considered): Omit<Considered, "field"> => ({
  value,
  kind,
  place,
  why,
  ...(url === undefined ? {} : { url })
})

const fieldOf = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")

const mostFields = 200
const mostGiven = 5
