/** The chart of an answer: the one that is proposed, or that somebody has chosen; its kind, and what it is of. */
import { isNumeric, isTime } from "../columnTypes.ts"
import type { CellValue, ColumnInfo, RowsAnswer } from "../ExploreApi.ts"
import { choice, count, el, problem } from "./dom.ts"
import type { ChartPoint } from "./plotDrawing.ts"
import { nextTask } from "./times.ts"

export interface ChartTools {
  readonly element: HTMLElement
  /** Ends what it listens to. */
  readonly close: () => void
}

const others = "(others)"

/** `chosen`: what somebody had chosen before; `remember`: keeps what somebody chooses. */
export const chartTools = (
  answer: RowsAnswer,
  chosen: Partial<ChartChoice>,
  remember: (chart: ChartChoice) => void
): ChartTools => {
  const { columns, rows } = answer
  const numbers = columns.filter(isNumeric).map(({ name }) => name)
  if (rows.length === 0 || numbers.length === 0) return { element: el("div"), close: () => undefined }
  const begin = { ...proposedChart(answer), ...known(chosen, columns) }
  const named = columns.map(({ name }) => name)
  const kind = choice("Chart", pairs(chartKinds), begin.kind)
  const of = choice("of", pairs(numbers), begin.value)
  const by = choice("by", pairs(named), begin.by)
  const texts = columns.filter((column) => !isNumeric(column) && !isTime(column)).map(({ name }) => name)
  const color = choice("coloured by", [["", "nothing"], ...pairs(texts)], begin.color)
  const picture = el("div", { class: "picture" })
  let width = 0
  let turn = 0

  const draw = async (): Promise<void> => {
    const drawn: ChartChoice = {
      kind: kindOf(kind.select.value),
      value: of.select.value,
      by: by.select.value,
      color: color.select.value
    }
    by.label.hidden = drawn.kind === "histogram" || drawn.kind === "none"
    of.label.hidden = drawn.kind === "none"
    color.label.hidden = drawn.kind === "none" || texts.length === 0
    turn += 1
    const own = turn
    const made = width === 0 ? [] : await chartOf(drawn, answer, width).catch((error: unknown) => [problem(error)])
    if (own === turn) picture.replaceChildren(...made)
  }
  for (const { select } of [kind, of, by, color]) {
    select.addEventListener("change", () => {
      remember({
        kind: kindOf(kind.select.value),
        value: of.select.value,
        by: by.select.value,
        color: color.select.value
      })
      void draw()
    })
  }
  const sizes = new ResizeObserver(([entry]) => {
    const next = Math.floor(entry?.contentRect.width ?? 0)
    if (next === width) return
    width = next
    void draw()
  })
  sizes.observe(picture)
  const tools = el("div", { class: "tools" }, kind.label, of.label, by.label, color.label)
  return { element: el("div", { class: "charted" }, tools, picture), close: () => sizes.disconnect() }
}

const pairs = (names: ReadonlyArray<string>) => names.map((name): readonly [string, string] => [name, name])

const kindOf = (text: string): ChartKind => chartKinds.find((kind) => kind === text) ?? "none"

/** What of a choice this answer has. */
const known = (chosen: Partial<ChartChoice>, columns: RowsAnswer["columns"]): Partial<ChartChoice> => {
  const names = [chosen.value, chosen.by, chosen.color].filter((name) => name !== undefined && name !== "")
  return names.every((name) => columns.some((column) => column.name === name)) ? chosen : {}
}

/** A chart, with what it leaves out. */
const chartOf = async (chart: ChartChoice, answer: RowsAnswer, width: number): Promise<ReadonlyArray<Element>> => {
  if (chart.kind === "none") return []
  const { barChart, dotChart, histogram, lineChart } = await import("./plotDrawing.ts")
  await nextTask()
  const all = pointsOf(chart, answer)
  await nextTask()
  const names = { by: chart.by, value: chart.value }
  const label = `${chart.value} by ${chart.by}`
  const tooFew = [
    el("p", { class: "soft" }, `${chart.value} and ${chart.by} have no pair of values that this chart can show.`)
  ]
  if (all.length === 0) return tooFew
  switch (chart.kind) {
    case "bars": {
      const order = [...new Set(all.map(({ by }) => String(by)))]
      const shown = new Set(order.slice(0, mostBars))
      const points = all.filter(({ by }) => shown.has(String(by)))
      const rest = order.length - shown.size
      const note =
        rest === 0 ? [] : [el("p", { class: "soft" }, `The ${count(shown.size)} largest of ${count(order.length)}.`)]
      return [barChart({ label: `Bar chart: ${label}`, points, width, names }), ...note]
    }
    case "line":
      return [lineChart({ label: `Line chart: ${label}`, points: all, width, names })]
    case "dots": {
      const points = all.filter(({ by }) => typeof by !== "string")
      return points.length === 0 ? tooFew : [dotChart({ label: `Dot chart: ${label}`, points, width, names })]
    }
    case "histogram":
      return [histogram({ label: `Histogram: ${chart.value}`, points: all, width, names })]
  }
}

const pointsOf = (chart: ChartChoice, { columns, rows }: RowsAnswer): ReadonlyArray<ChartPoint> => {
  const at = (name: string) => columns.findIndex((column) => column.name === name)
  const [value, by, color] = [at(chart.value), at(chart.by), at(chart.color)]
  const byColumn = columns[by]
  const convert = byColumn === undefined ? String : converting(byColumn, chart.kind)
  const colorName = color === -1 ? () => "" : commonest(rows.map((row) => String(row[color] ?? "null")))
  const points = rows.flatMap((row): ReadonlyArray<ChartPoint> => {
    const cell = row[value] ?? null
    const place = chart.kind === "histogram" ? 0 : convert(row[by] ?? null)
    if (cell === null || place === undefined) return []
    return [{ value: Number(cell), by: place, color: colorName(String(row[color] ?? "null")) }]
  })
  return chart.kind === "bars" ? bySize(points) : points
}

/** A value of a column as a place on an axis; undefined: it has none. */
const converting = (column: RowsAnswer["columns"][number], kind: ChartKind) => (cell: CellValue) => {
  if (kind === "bars") return String(cell ?? "null")
  if (cell === null) return undefined
  if (isNumeric(column)) return Number(cell)
  const time = isTime(column) ? new Date(String(cell)) : undefined
  if (time !== undefined) return Number.isNaN(time.getTime()) ? undefined : time
  return String(cell)
}

/** The bars with the largest sums first. */
const bySize = (points: ReadonlyArray<ChartPoint>): ReadonlyArray<ChartPoint> => {
  const sums = new Map<string, number>()
  for (const { by, value } of points) sums.set(String(by), (sums.get(String(by)) ?? 0) + value)
  return points.toSorted((a, b) => (sums.get(String(b.by)) ?? 0) - (sums.get(String(a.by)) ?? 0))
}

/** The names that are there most often, each as itself; all others are one. */
const commonest = (values: ReadonlyArray<string>): ((value: string) => string) => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const names = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const own = new Set(names.length <= mostColors ? names : names.slice(0, mostColors - 1))
  return (value) => (own.has(value) ? value : others)
}

export const chartKinds = ["none", "bars", "line", "dots", "histogram"] as const
type ChartKind = (typeof chartKinds)[number]

/** Which chart shows an answer: proposed by what its columns hold. */
export interface ChartChoice {
  readonly kind: ChartKind
  /** The column whose numbers are drawn; empty: there is none. */
  readonly value: string
  /** The column that they are drawn by: names of bars, times of a line, the other number of dots. */
  readonly by: string
  /** The column that divides them into colours; empty: none does. */
  readonly color: string
}

interface ChartColumn {
  readonly name: string
  readonly value: (row: RowsAnswer["rows"][number]) => CellValue
}

/** More bars than a screen has are no picture of names. */
const mostBars = 40
/** From so many names on, a chart has no place for them. */
const mostNames = 1.5 * mostBars + 1
/** Readers cannot distinguish more colours. */
const mostColors = 6

export const proposedChart = ({ columns, rows }: RowsAnswer): ChartChoice => {
  const columnsThat = (is: (column: ColumnInfo, at: number) => boolean): ReadonlyArray<ChartColumn> =>
    columns.flatMap((column, at) => (is(column, at) ? [{ name: column.name, value: (row) => row[at] ?? null }] : []))
  const numbers = columnsThat(isNumeric)
  const varied = numbers.filter((column) => distinctOf(rows, column) > 1 && !isCounter(rows, column))
  // A few numbers that return all the time are rather names, where another column measures something.
  const measured = varied.filter((column) => distinctOf(rows, column) > Math.min(20, rows.length / 10))
  const measures = measured.length > 0 ? measured : varied
  const times = columnsThat(isTime)
  const names = columnsThat((column, at) => !isNumeric(column) && !isTime(column) && isNamelike(rows, at))
  const [first, second] = measures
  const none: ChartChoice = {
    kind: "none",
    value: (first ?? numbers[0])?.name ?? "",
    by: columns[0]?.name ?? "",
    color: ""
  }
  if (first === undefined || rows.length < 2) return none
  const line = rows.length >= 3 ? lineOf(times, names, rows) : undefined
  if (line !== undefined) return { ...none, ...line }
  const named = rows.length < mostNames && names.find((column) => distinctOf(rows, column) === rows.length)
  if (named) return { ...none, kind: "bars", by: named.name }
  // A few numbers that return are one dot on another, or a few bars of what nobody measured.
  if (measured.length === 0) return none
  if (second !== undefined && rows.length >= 5) return { ...none, kind: "dots", by: first.name, value: second.name }
  return rows.length >= 10 ? { ...none, kind: "histogram" } : none
}

/** How many values of a column are not the same, `mostNames` at most: more say nothing else, and to count them would stop the page. */
const distinctOf = (rows: RowsAnswer["rows"], { value }: ChartColumn): number => {
  const distinct = new Set<CellValue>()
  rows.some((row) => distinct.add(value(row)).size >= mostNames)
  return distinct.size
}

/** A row for each time, or for each time of each of a few names. */
const lineOf = (
  times: ReadonlyArray<ChartColumn>,
  names: ReadonlyArray<ChartColumn>,
  rows: RowsAnswer["rows"]
): Pick<ChartChoice, "kind" | "by" | "color"> | undefined => {
  const time = times.find((column) => isSeries(rows, column))
  if (time !== undefined) return { kind: "line", by: time.name, color: "" }
  const some = times.filter((column) => distinctOf(rows, column) >= 3)
  for (const name of names) {
    const series = some.find((column) => isSeries(rows, column, name))
    if (series !== undefined) return { kind: "line", by: series.name, color: name.name }
  }
  return undefined
}

/** Whether no time comes twice, or twice with the same of a few names: the first row that says no ends the look. */
const isSeries = (rows: RowsAnswer["rows"], time: ChartColumn, name?: ChartColumn): boolean => {
  const points = new Set<string>()
  const names = new Set<CellValue>()
  const isNew = rows.every((row) => {
    const own = name?.value(row) ?? null
    const before = points.size
    return names.add(own).size <= mostColors && points.add(`${String(time.value(row))} ${String(own)}`).size > before
  })
  return isNew && (name === undefined || names.size > 1)
}

/** Whole numbers that count the rows measure nothing. */
const isCounter = (rows: RowsAnswer["rows"], { value }: ChartColumn): boolean => {
  const number = (at: number): number => Number(value(rows[at] ?? []))
  const step = number(1) - number(0)
  return Math.abs(step) === 1 && rows.every((_, at) => at === 0 || number(at) - number(at - 1) === step)
}

/** Whether the first texts of a column are short enough to stand beside a bar. */
const isNamelike = (rows: RowsAnswer["rows"], at: number): boolean => {
  const first = rows.slice(0, mostNames)
  return first.reduce((sum, row) => sum + String(row[at] ?? "").length, 0) <= 80 * first.length
}
