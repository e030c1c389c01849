/** Which chart of an answer is drawn: its kind, and the columns that name and count. */
import type { CellValue, RowsAnswer } from "../ExploreApi.ts"
import { barChart, lineChart, mostBars } from "./chart.ts"
import { histogram, mostDots, scatterPlot } from "./distributionCharts.ts"
import { choice, count, el } from "./dom.ts"
import type { Row } from "./rows.ts"
import { stackedChart } from "./stackedChart.ts"

const kinds = ["none", "bars", "stacked bars", "line", "histogram", "scatter"] as const

const kindOf = (text: string): (typeof kinds)[number] => kinds.find((kind) => kind === text) ?? "none"

export const plotTools = (
  { columns, rows }: RowsAnswer,
  axes: { readonly names: string; readonly counts: string } | undefined
): HTMLElement => {
  const place = el("div")
  const named = columns.map(({ name }): readonly [string, string] => [name, name])
  const numbers = named.filter(([name]) => {
    const at = columns.findIndex((column) => column.name === name)
    return rows.some((row) => typeof row[at] === "number")
  })
  if (rows.length === 0 || numbers.length === 0) return place
  const x = axes?.names ?? named.find(([name]) => !numbers.some(([number]) => number === name))?.[0] ?? named[0]?.[0]
  const y = axes?.counts ?? numbers.find(([name]) => name !== x)?.[0] ?? numbers[0]?.[0]
  const kind = choice(
    "Chart",
    kinds.map((name) => [name, name]),
    axes === undefined ? "none" : "bars"
  )
  const by = choice("by", named, x)
  const of = choice("of", numbers, y)
  const split = choice("in parts of", named, named.find(([name]) => name !== x && name !== y)?.[0])
  const picture = el("div")
  const column = ({ select }: { readonly select: HTMLSelectElement }): ((row: Row) => CellValue) => {
    const at = columns.findIndex(({ name }) => name === select.value)
    return (row) => row[at] ?? null
  }
  const draw = (): void => {
    const drawn = kindOf(kind.select.value)
    by.label.hidden = drawn === "histogram" || drawn === "none"
    of.label.hidden = drawn === "none"
    split.label.hidden = drawn !== "stacked bars"
    const value = column(of)
    const chart = chartOf(drawn, {
      rows: rows.filter((row) => typeof value(row) === "number"),
      names: { value: of.select.value, by: by.select.value, split: split.select.value },
      value,
      by: column(by),
      split: column(split)
    })
    picture.replaceChildren(...chart)
  }
  for (const { select } of [kind, by, of, split]) select.addEventListener("change", draw)
  draw()
  place.append(el("div", { class: "tools" }, kind.label, of.label, by.label, split.label), picture)
  return place
}

/** What a chart is drawn of: rows, and the columns of which it shows the values. */
interface Plot {
  readonly rows: ReadonlyArray<Row>
  readonly names: { readonly value: string; readonly by: string; readonly split: string }
  readonly value: (row: Row) => CellValue
  readonly by: (row: Row) => CellValue
  readonly split: (row: Row) => CellValue
}

/** A chart, with what it leaves out. */
const chartOf = (kind: (typeof kinds)[number], { by, names, rows, split, value }: Plot): ReadonlyArray<Element> => {
  const label = `${names.value} by ${names.by}`
  switch (kind) {
    case "none":
      return []
    case "bars":
    case "line": {
      const points = rows.map((row) => ({ name: text(by(row)), value: Number(value(row)) }))
      return kind === "bars" ? [barChart(label, points), ...rest(mostBars, points.length)] : [lineChart(label, points)]
    }
    case "stacked bars": {
      const parts = rows.map((row) => ({
        name: text(by(row)),
        category: text(split(row)),
        value: Number(value(row))
      }))
      const bars = new Set(parts.map((part) => part.name)).size
      return [stackedChart(`${label} in parts of ${names.split}`, parts), ...rest(mostBars, bars)]
    }
    case "histogram":
      return [
        histogram(
          names.value,
          rows.map((row) => Number(value(row)))
        )
      ]
    case "scatter": {
      const dots = rows.flatMap((row) => {
        const [across, up] = [by(row), value(row)]
        return typeof across === "number" && typeof up === "number" ? [{ x: across, y: up }] : []
      })
      if (dots.length > 0) return [scatterPlot(label, dots), ...rest(mostDots, dots.length)]
      return [el("p", { class: "soft" }, `A scatter plot needs numbers, and ${names.by} has none.`)]
    }
  }
}

const text = (cell: CellValue): string => String(cell ?? "null")

const rest = (most: number, all: number): ReadonlyArray<Element> =>
  all > most ? [el("p", { class: "soft" }, `The first ${count(most)} of ${count(all)}.`)] : []
