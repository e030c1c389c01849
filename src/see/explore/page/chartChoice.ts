/** Which chart shows an answer: proposed by what its columns hold. */
import { isNumeric, isTime } from "../columnTypes.ts"
import type { CellValue, ColumnInfo, RowsAnswer } from "../ExploreApi.ts"

export const chartKinds = ["none", "bars", "line", "dots", "histogram"] as const
export type ChartKind = (typeof chartKinds)[number]

export interface ChartChoice {
  readonly kind: ChartKind
  /** The column whose numbers are drawn; empty: there is none. */
  readonly value: string
  /** The column that they are drawn by: names of bars, times of a line, the other number of dots. */
  readonly by: string
  /** The column that divides them into colours; empty: none does. */
  readonly color: string
}

/** A column of an answer, with what its values are like. */
interface Held {
  readonly name: string
  readonly values: ReadonlyArray<CellValue>
  readonly distinct: number
}

/** More bars than a screen has are no picture of names. */
export const mostBars = 40
/** Readers cannot distinguish more colours. */
export const mostColors = 6

export const proposedChart = ({ columns, rows }: RowsAnswer): ChartChoice => {
  const held = (is: (column: ColumnInfo) => boolean): ReadonlyArray<Held> =>
    columns.flatMap((column, at) => {
      if (!is(column)) return []
      const values = rows.map((row) => row[at] ?? null)
      return [{ name: column.name, values, distinct: new Set(values).size }]
    })
  const numbers = held(isNumeric)
  const varied = numbers.filter((column) => column.distinct > 1 && !isCounter(column))
  // A few numbers that return all the time are rather names, where another column measures something.
  const measured = varied.filter((column) => column.distinct > Math.min(20, rows.length / 10))
  const measures = measured.length > 0 ? measured : varied
  const times = held(isTime)
  const names = held((column) => !isNumeric(column) && !isTime(column)).filter(isNamelike)
  const [first, second] = measures
  const none: ChartChoice = {
    kind: "none",
    value: (first ?? numbers[0])?.name ?? "",
    by: columns[0]?.name ?? "",
    color: ""
  }
  if (first === undefined || rows.length < 2) return none
  const line = rows.length >= 3 ? lineOf(times, names, rows.length) : undefined
  if (line !== undefined) return { ...none, ...line }
  const named = names.find(({ distinct }) => distinct === rows.length)
  if (named !== undefined && rows.length <= 1.5 * mostBars) return { ...none, kind: "bars", by: named.name }
  // A few numbers that return are one dot on another, or a few bars of what nobody measured.
  if (measured.length === 0) return none
  if (second !== undefined && rows.length >= 5) return { ...none, kind: "dots", by: first.name, value: second.name }
  return rows.length >= 10 ? { ...none, kind: "histogram" } : none
}

/** A row for each time, or for each time of each of a few names. */
const lineOf = (
  times: ReadonlyArray<Held>,
  names: ReadonlyArray<Held>,
  rows: number
): Pick<ChartChoice, "kind" | "by" | "color"> | undefined => {
  const time = times.find(({ distinct }) => distinct === rows)
  if (time !== undefined) return { kind: "line", by: time.name, color: "" }
  for (const { distinct, name, values } of names.filter((column) => column.distinct <= mostColors)) {
    const series = times.find((column) => {
      const pairs = new Set(values.map((value, at) => `${String(column.values[at])} ${String(value)}`))
      return pairs.size === rows && column.distinct >= 3 && distinct > 1
    })
    if (series !== undefined) return { kind: "line", by: series.name, color: name }
  }
  return undefined
}

/** Whole numbers that count the rows measure nothing. */
const isCounter = ({ values }: Held): boolean => {
  const numbers = values.map(Number)
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0)
  return Math.abs(step) === 1 && numbers.every((value, at) => at === 0 || value - (numbers[at - 1] ?? 0) === step)
}

/** Texts that are short enough to stand beside a bar. */
const isNamelike = ({ values }: Held): boolean =>
  values.reduce<number>((sum, value) => sum + String(value ?? "").length, 0) <= 80 * values.length
