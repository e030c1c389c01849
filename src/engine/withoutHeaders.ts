/**
 * The options of a source without the values of request headers, which are often secrets.
 *
 * The journal and the tables never contain a value of `headers`. The text in its place can only show that the value has
 * changed.
 */
import { createHash } from "node:crypto"
import * as Predicate from "effect/Predicate"

type Mask = (value: string) => string

/** For tables: a request without the values of headers. */
export const withoutHeaders = (request: unknown): unknown => mask(request, () => "[redacted]")

/**
 * For comparing: eight bits of a hash show most changes of a value, and are too few to find the value. An unfinished run
 * is continued only if the options are unchanged.
 */
export const comparableWithoutHeaders = (options: unknown): unknown =>
  mask(options, (value) => `[redacted ${createHash("sha256").update(value).digest("hex").slice(0, 2)}]`)

const mask = (value: unknown, masked: Mask): unknown => {
  if (Array.isArray(value)) return value.map((item) => mask(item, masked))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "headers") return [key, maskedValues(member, masked)]
      return [key, within.has(key) ? mask(member, masked) : member]
    })
  )
}

/** The keys under which `headers` are request headers. Under other keys, such as a JSON Schema, they may be anything. */
const within: ReadonlySet<string> = new Set(["scrapeOptions", "webhook", "target", "targets", "monitor"])

const maskedValues = (headers: unknown, masked: Mask): unknown =>
  Predicate.isObject(headers)
    ? Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? masked(value) : value])
      )
    : headers
