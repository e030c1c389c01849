/** Which chart of an answer is drawn: its kind, and the columns that name and count. */
import type { RowsAnswer } from "../ExploreApi.ts"
import { barChart, lineChart, mostBars } from "./chart.ts"
import { choice, count, el } from "./dom.ts"

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
    [
      ["none", "none"],
      ["bars", "bars"],
      ["line", "line"]
    ],
    asked === undefined ? "none" : "bars"
  )
  const by = choice("by", named, x)
  const of = choice("of", numbers, y)
  const picture = el("div")
  const draw = (): void => {
    if (kind.select.value === "none") return picture.replaceChildren()
    const [names, values] = [by.select.value, of.select.value].map((name) =>
      columns.findIndex((column) => column.name === name)
    )
    const points = rows.flatMap((row) => {
      const value = row[values ?? 0]
      return typeof value === "number" ? [{ name: String(row[names ?? 0] ?? "null"), value }] : []
    })
    const label = `${of.select.value} by ${by.select.value}`
    const isCut = kind.select.value === "bars" && points.length > mostBars
    picture.replaceChildren(
      kind.select.value === "bars" ? barChart(label, points) : lineChart(label, points),
      ...(isCut ? [el("p", { class: "soft" }, `The first ${mostBars} of ${count(points.length)} rows.`)] : [])
    )
  }
  for (const { select } of [kind, by, of]) select.addEventListener("change", draw)
  draw()
  place.append(el("div", { class: "tools" }, kind.label, of.label, by.label), picture)
  return place
}
