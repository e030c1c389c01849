/** A filter in words: "language is en", "price 10 to 20". */
import type { ColumnInfo, Filter } from "../ExploreApi.ts"
import { isOfCurrent, isTime } from "../gridSql.ts"
import { isLink, timeFormat, timeOf, yesOrNo } from "./columnContent.ts"

const longest = 60

export const filterWords = (filter: Filter, columns: ReadonlyArray<ColumnInfo>): string => {
  if (isOfCurrent(filter)) return "current rows only"
  const column = columns.find(({ name }) => name === filter.column)
  switch (filter.kind) {
    case "filled":
      return `${filter.column} is not empty`
    case "is":
      return filter.value === null
        ? `${filter.column} is empty`
        : `${filter.column} is ${valueWords(filter.value, column)}`
    case "range":
      return `${filter.column} ${rangeWords(filter.from, filter.to, column)}`
  }
}

/** A value in a sentence. */
export const valueWords = (value: string | number | boolean, column: ColumnInfo | undefined): string => {
  if (typeof value === "boolean" || /^BOOL/i.test(column?.type ?? "")) return yesOrNo(value)
  if (typeof value === "number") return value.toLocaleString("en-US", { useGrouping: "min2", maximumFractionDigits: 8 })
  const time = column !== undefined && isTime(column) ? timeOf(value) : undefined
  if (time !== undefined) return timeFormat(time % 86_400_000 === 0 ? "day" : "second").format(time)
  const text = isLink(value) ? value.replace(/^https?:\/\//i, "") : value
  return text === "" ? "an empty text" : text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}

export const rangeWords = (from: number | string, to: number | string, column: ColumnInfo | undefined): string =>
  `${valueWords(from, column)} to ${valueWords(to, column)}`
