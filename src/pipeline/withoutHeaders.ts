/**
 * The options of a source, safe to keep: without the values of request headers, which are often secrets.
 *
 * A value of `headers` is never in a journal or a table, wherever it came from. The text in its place may show
 * that the value has changed, and nothing else.
 */
import { createHash } from "node:crypto"
import * as Predicate from "effect/Predicate"

type Mask = (value: string) => string

/** For tables: what was asked, without those values. */
export const withoutHeaders = (request: unknown): unknown => mask(request, () => "[redacted]")

/**
 * For comparing: the eight bits tell most changes of a value, and are too few for finding it. An unfinished run is
 * continued only if nothing was changed.
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

/** Where `headers` are those of requests. What is under other keys, as a JSON Schema, has words of its own. */
const within: ReadonlySet<string> = new Set(["scrapeOptions", "webhook", "target", "targets", "monitor"])

const maskedValues = (headers: unknown, masked: Mask): unknown =>
  Predicate.isObject(headers)
    ? Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? masked(value) : value])
      )
    : headers
