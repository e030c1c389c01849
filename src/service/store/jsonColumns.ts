/** JSON text of columns: read back, and masked where it has secrets. */
import * as Predicate from "effect/Predicate"

/**
 * JSON text of a column, read back: a value of the type that this store gave to `JSON.stringify` when it wrote the column.
 * Who calls it says where that is.
 */
export const storedJson = <Value>(text: string): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this store writes its columns, and of that type
  JSON.parse(text) as Value

/**
 * The request of a job that has ended, without the values of its headers, which are often secrets.
 *
 * Its length does not change, byte for byte. So the database writes it over the old one, and nothing of that is
 * left in the file.
 * Undefined where there is nothing to mask.
 */
export const maskedRequest = (text: string): string | undefined => {
  const request: unknown = JSON.parse(text)
  const masked = JSON.stringify(mask(request))
  return masked === JSON.stringify(request) ? undefined : masked
}

/** The same for headers that are kept by themselves. */
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

/** As many as the text has bytes in JSON. */
const stars = (value: string): string => "*".repeat(Buffer.byteLength(JSON.stringify(value)) - 2)
