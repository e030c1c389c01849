/**
 * Limits for the values of a request: every string, list, number and object has one, so that no request costs more than its
 * size explains. `test/contract/api/requests.test.ts` searches the contract for fields without one.
 */
import * as Schema from "effect/Schema"
import * as Limits from "../Limits.ts"

/** A text of at most so many characters. */
export const text = (most: number) => Schema.String.check(Schema.isMaxLength(most))

/** A short text: a name, a place, an id. */
export const name = text(500)

/** A longer text: a selector, a query, a pattern. */
export const line = text(2000)

/** A prompt. */
export const prompt = text(Limits.maxPromptLength)

/** A text of one to so many characters. */
export const filled = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))

export const list = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.Array(item).check(Schema.isMaxLength(most))

/** A whole number from `least`, which a database can store. */
export const whole = (least: number, most = 2 ** 31 - 1) =>
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(least), Schema.isLessThanOrEqualTo(most))

/** Milliseconds, up to a hundred years. */
export const milliseconds = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThanOrEqualTo(100 * 365 * 24 * 60 * 60 * 1000)
)

/** The id of the check of a value's whole size. */
const isSmall = "millrace/isSmall"

const atMost = <Value>(most: number) =>
  Schema.makeFilter<Value>(
    (value) => sizeOf(value, most) <= most || `takes at most ${most.toLocaleString("en")} characters as JSON`,
    { representation: { id: isSmall, payload: { most } }, toJsonSchema: () => ({}) }
  )

/** An object of at most so many characters as JSON. */
export const object = (most: number) =>
  Schema.Record(Schema.String, Schema.Json).check(atMost<{ readonly [name: string]: Schema.Json }>(most))

/** Any value of at most 20,000 characters as JSON. */
export const anything = Schema.Unknown.check(atMost<unknown>(20_000))

/** The approximate number of characters of a value as JSON. It stops counting above `most`. */
const sizeOf = (value: unknown, most: number): number => {
  let size = 0
  const waiting: Array<unknown> = [value]
  while (waiting.length > 0 && size <= most) {
    const next = waiting.pop()
    size += typeof next === "string" ? next.length + 2 : 4
    if (typeof next !== "object" || next === null) continue
    const names = !Array.isArray(next)
    for (const [name, member] of Object.entries(next)) {
      size += names ? name.length + 4 : 1
      waiting.push(member)
      if (size > most) break
    }
  }
  return size
}

/** A field that may be left out, or be null. */
export const orNull = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))
