/**
 * Limits for the fields of requests: every string, list, number and object has a maximum, so that a small request cannot cause
 * much work. `test/api/bounds.test.ts` searches the contract for fields without a limit.
 */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.ts"

/** A text with a maximum number of characters. */
export const text = (most: number) => Schema.String.check(Schema.isMaxLength(most))

/** A short text: a name, a place, an id. */
export const name = text(500)

/** A selector, a query, a pattern. */
export const line = text(2000)

/** A prompt: a description in words. */
export const prompt = text(Limits.maxPromptLength)

/** A text of at least one character. */
export const filled = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))

export const list = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.Array(item).check(Schema.isMaxLength(most))

/** A whole number of at least `least`, and at most what an INTEGER column can hold. */
export const whole = (least: number, most = 2 ** 31 - 1) =>
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(least), Schema.isLessThanOrEqualTo(most))

/** Milliseconds, from 0 to a hundred years. */
export const milliseconds = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThanOrEqualTo(100 * 365 * 24 * 60 * 60 * 1000)
)

/** The id of the check below, by which the test of limits finds it. */
export const isSmall = "millrace/isSmall"

const atMost = <Value>(most: number) =>
  Schema.makeFilter<Value>(
    (value) => sizeOf(value, most) <= most || `takes at most ${most.toLocaleString("en")} characters as JSON`,
    { representation: { id: isSmall, payload: { most } }, toJsonSchema: () => ({}) }
  )

/** An object with a maximum number of characters as JSON. */
export const object = (most: number) =>
  Schema.Record(Schema.String, Schema.Json).check(atMost<{ readonly [name: string]: Schema.Json }>(most))

/** Any value with at most 20,000 characters as JSON. */
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
