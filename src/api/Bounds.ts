/**
 * The sizes of what a caller may send: every string, list, number and object of a request has one, so that no request
 * costs more than its size explains. `test/api/bounds.test.ts` walks the contract for fields without one.
 */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.ts"

/** A text of so many characters at most. */
export const text = (most: number) => Schema.String.check(Schema.isMaxLength(most))

/** A name, a place, an id: what stands in a line. */
export const name = text(500)

/** A selector, a query, a pattern. */
export const line = text(2000)

/** Words that say what is wanted. */
export const prompt = text(Limits.maxPromptLength)

/** A text of at least one character. */
export const filled = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))

export const list = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.Array(item).check(Schema.isMaxLength(most))

/** A whole number from `least` on, as a database can hold it. */
export const whole = (least: number, most = 2 ** 31 - 1) =>
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(least), Schema.isLessThanOrEqualTo(most))

/** Milliseconds, to a hundred years. */
export const milliseconds = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThanOrEqualTo(100 * 365 * 24 * 60 * 60 * 1000)
)

/** How a check of all that a value holds is known. */
export const isSmall = "millrace/isSmall"

const atMost = <Value>(most: number) =>
  Schema.makeFilter<Value>(
    (value) => sizeOf(value, most) <= most || `takes at most ${most.toLocaleString("en")} characters as JSON`,
    { representation: { id: isSmall, payload: { most } }, toJsonSchema: () => ({}) }
  )

/** An object of so many characters at most, written as JSON. */
export const object = (most: number) =>
  Schema.Record(Schema.String, Schema.Json).check(atMost<{ readonly [name: string]: Schema.Json }>(most))

/** Anything, of so many characters at most, written as JSON. */
export const anything = Schema.Unknown.check(atMost<unknown>(20_000))

/** The characters of a value as JSON, about; no more is looked at than it takes to know that it has more than `most`. */
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
