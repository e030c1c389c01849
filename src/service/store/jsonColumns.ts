/** The JSON text of columns: parsed, or with secrets masked. */
import * as Predicate from "effect/Predicate"

/**
 * Parses the JSON text of a column: a value of the type that this store passed to `JSON.stringify` when it wrote the column.
 * Each caller names the place that wrote it.
 */
export const storedJson = <Value>(text: string): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this store writes its columns, and of that type
  JSON.parse(text) as Value

/**
 * The request of a job that has ended, without the values of its headers, which are often secrets.
 *
 * The length in bytes does not change, so the database overwrites the old text, and nothing of it is left in the file.
 * Returns undefined if there is nothing to mask.
 */
export const maskedRequest = (text: string): string | undefined => {
  const request: unknown = JSON.parse(text)
  const masked = JSON.stringify(mask(request))
  return masked === JSON.stringify(request) ? undefined : masked
}

/** The same for headers in a column of their own. */
export const maskedHeaders = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(maskedValues(headers))

const mask = (request: unknown): unknown => {
  if (!Predicate.isObject(request)) return request
  return Object.fromEntries(
    Object.entries(request).map(([key, member]) => {
      if (key === "headers") return [key, maskedValues(member)]
      return [key, key === "scrapeOptions" || key === "webhook" ? mask(member) : member]
    })
  )
}

const maskedValues = (headers: unknown): unknown =>
  Predicate.isObject(headers)
    ? Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? stars(value) : value])
      )
    : headers

/** As many stars as the text has bytes in JSON. */
const stars = (value: string): string => "*".repeat(Buffer.byteLength(JSON.stringify(value)) - 2)
