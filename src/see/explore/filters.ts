/**
 * The filters of a table as text: JSON, in the URL of the page and in requests.
 *
 * It imports nothing, since the page reads with it in the browser.
 */
import { jsonOf } from "#base/readableText"
import type { Filter } from "./ExploreApi.ts"

/** More of them would be no question of a person. */
const mostFilters = 50

export const filtersText = (filters: ReadonlyArray<Filter>): string =>
  filters.length === 0 ? "" : JSON.stringify(filters)

/** Undefined: the text is not a list of filters. */
export const filtersIn = (text: string): ReadonlyArray<Filter> | undefined => {
  if (text === "") return []
  const parsed = jsonOf(text)
  if (!Array.isArray(parsed) || parsed.length > mostFilters) return undefined
  const filters = parsed.flatMap((one: unknown) => filterIn(one) ?? [])
  return filters.length === parsed.length ? filters : undefined
}

const filterIn = (given: unknown): Filter | undefined => {
  if (typeof given !== "object" || given === null) return undefined
  const { column, from, isClosed, kind, to, value }: Readonly<Record<string, unknown>> = { ...given }
  if (typeof column !== "string") return undefined
  switch (kind) {
    case "filled":
      return { column, kind }
    case "is":
      return value === null || typeof value === "boolean" || isPlain(value) ? { column, kind, value } : undefined
    case "range":
      return isPlain(from) && isPlain(to) ? { column, kind, from, to, isClosed: isClosed === true } : undefined
    default:
      return undefined
  }
}

const isPlain = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

export const isSame = (one: Filter, other: Filter): boolean => JSON.stringify(one) === JSON.stringify(other)
