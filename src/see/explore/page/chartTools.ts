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
  asked: { readonly names: string; readonly counts: string } | undefined
): HTMLElement => {
  const place = el("div")
  const named = columns.map(({ name }): readonly [string, string] => [name, name])
  const numbers = named.filter(([name]) => {
    const at = columns.findIndex((column) => column.name === name)
    return rows.some((row) => typeof row[at] === "number")
  })
  if (rows.length === 0 || numbers.length === 0) return place
  const x = asked?.names ?? named.find(([name]) => !numbers.some(([number]) => number === name))?.[0] ?? named[0]?.[0]
  const y = asked?.counts ?? numbers.find(([name]) => name !== x)?.[0] ?? numbers[0]?.[0]
  const kind = choice(
    "Chart",
    kinds.map((name) => [name, name]),
    asked === undefined ? "none" : "bars"
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
    const counted = rows.filter((row) => typeof value(row) === "number")
    const [name, category] = [column(by), column(split)]
    const text = (cell: CellValue): string => String(cell ?? "null")
    const label = `${of.select.value} by ${by.select.value}`
    const show = (chart: SVGElement, most: number, all: number): void =>
      picture.replaceChildren(
        chart,
        ...(all > most ? [el("p", { class: "soft" }, `The first ${count(most)} of ${count(all)}.`)] : [])
      )
    switch (drawn) {
      case "none":
        return picture.replaceChildren()
      case "bars":
      case "line": {
        const points = counted.map((row) => ({ name: text(name(row)), value: Number(value(row)) }))
        return drawn === "bars"
          ? show(barChart(label, points), mostBars, points.length)
          : show(lineChart(label, points), points.length, points.length)
      }
      case "stacked bars": {
        const parts = counted.map((row) => ({
          name: text(name(row)),
          category: text(category(row)),
          value: Number(value(row))
        }))
        const bars = new Set(parts.map((part) => part.name)).size
        return show(stackedChart(`${label} in parts of ${split.select.value}`, parts), mostBars, bars)
      }
      case "histogram": {
        const values = counted.map((row) => Number(value(row)))
        return show(histogram(of.select.value, values), values.length, values.length)
      }
      case "scatter": {
        const dots = counted.flatMap((row) => {
          const [across, up] = [name(row), value(row)]
          return typeof across === "number" && typeof up === "number" ? [{ x: across, y: up }] : []
        })
        if (dots.length > 0) return show(scatterPlot(label, dots), mostDots, dots.length)
        return picture.replaceChildren(
          el("p", { class: "soft" }, `A scatter plot needs numbers, and ${by.select.value} has none.`)
        )
      }
    }
  }
  for (const { select } of [kind, by, of, split]) select.addEventListener("change", draw)
  draw()
  place.append(el("div", { class: "tools" }, kind.label, of.label, by.label, split.label), picture)
  return place
}
