/**
 * Schemas of values in a pipeline file: shares, times, sizes, names of columns and tables, and exactly one of several keys.
 * Flags of the command line use the same shares, times and sizes.
 */
import * as Schema from "effect/Schema"

/** A share as people write it: "20%". */
export const share = Schema.String.check(
  Schema.isPattern(/^(100|\d{1,2})(\.\d+)?%$/, { expected: "a share such as 20%" })
)
export const fractionOf = (text: string): number => Number(text.slice(0, -1)) / 100

/** A time as people write it: "90m", "24h", "7 days". */
export const duration = Schema.String.check(
  Schema.isPattern(/^\d+ ?(s|m|h|d|seconds?|minutes?|hours?|days?)$/, { expected: "a time such as 30m, 24h or 7 days" })
)
export const millisOf = (text: string): number => {
  const [, count = "0", unit = "s"] = /^(\d+) ?([smhd])/.exec(text) ?? []
  return Number(count) * (millis[unit] ?? 0)
}
/** "24 hours", of "24h". */
export const durationInWords = (text: string): string => {
  const [, count = "0", unit = "s"] = /^(\d+) ?([smhd])/.exec(text) ?? []
  return `${count} ${units[unit] ?? ""}${Number(count) === 1 ? "" : "s"}`
}
const units: Readonly<Record<string, string>> = { s: "second", m: "minute", h: "hour", d: "day" }
const millis: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A size as people write it: "500 MB", "2GB". */
export const size = Schema.String.check(
  Schema.isPattern(/^\d+ ?(kB|MB|GB|TB)$/, { expected: "a size such as 500 MB or 2 GB" })
)
export const bytesOf = (text: string): number => {
  const [, count = "0", unit = "MB"] = /^(\d+) ?(kB|MB|GB|TB)/.exec(text) ?? []
  return Number(count) * (bytes[unit] ?? 0)
}
const bytes: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** Names become part of SQL. Column names may use any script: "商品名". */
export const columnName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z_\u00a1-\uffff][\w\u00a1-\uffff]*$/, {
    expected: "a column name (letters of any script, digits and _, no digit first)"
  })
)
/** Lower case, because SQL does not tell cases apart; letters of any script. */
export const tableName = Schema.String.check(
  Schema.isPattern(/^[\p{Ll}\p{Lo}\p{Lm}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_]*$/u, {
    expected: "a snake_case name (lower-case letters of any script, digits and _), such as product_pages"
  })
)

/** One column, or several. */
export const columnNames = Schema.Union([columnName, Schema.NonEmptyArray(columnName)])
export const listOf = (names: typeof columnNames.Type): ReadonlyArray<string> =>
  typeof names === "string" ? [names] : names

/** Accepts an object that has exactly one of these keys. The JSON Schema of pipeline files does not contain this rule. */
export const exactlyOne = (noun: string, kinds: ReadonlyArray<string>) =>
  Schema.makeFilter(
    (value: object) => {
      const present = kinds.filter((kind) => kind in value)
      return (
        present.length === 1 ||
        `a ${noun} is one of ${kinds.join(", ")}; this one has ${present.join(" and ") || "none"}`
      )
    },
    { toJsonSchema: () => ({}) }
  )
