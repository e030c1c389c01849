/** Bars as SVG that consist of parts: one bar for each name, one colour for each category. */
import { barHeight, figure, labelWidth, mostBars, picture, short, width } from "./chart.ts"
import { svg } from "./dom.ts"

interface Part {
  readonly name: string
  readonly category: string
  readonly value: number
}

/** Readers cannot distinguish more colours; the smaller categories are shown together as one. */
const mostCategories = 6
const rest = "(others)"

interface Stack {
  readonly name: string
  /** In the order of the categories. */
  readonly values: ReadonlyArray<number>
}

/** Names in the order that they come in, categories by how much they have. Values below zero have no length, and are left out. */
export const stacksOf = (
  parts: ReadonlyArray<Part>
): { readonly categories: ReadonlyArray<string>; readonly stacks: ReadonlyArray<Stack> } => {
  const positive = parts.filter(({ value }) => value > 0)
  const totals = new Map<string, number>()
  for (const { category, value } of positive) totals.set(category, (totals.get(category) ?? 0) + value)
  const bySize = [...totals.keys()].toSorted((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0))
  const isAll = bySize.length <= mostCategories
  const categories = isAll ? bySize : [...bySize.slice(0, mostCategories - 1), rest]
  const sums = new Map<string, Array<number>>()
  for (const { category, name, value } of positive) {
    const values = sums.get(name) ?? categories.map(() => 0)
    const own = categories.indexOf(category)
    const at = own === -1 ? categories.length - 1 : own
    values[at] = (values[at] ?? 0) + value
    sums.set(name, values)
  }
  return { categories, stacks: [...sums].map(([name, values]) => ({ name, values })) }
}

export const stackedChart = (label: string, parts: ReadonlyArray<Part>): SVGElement => {
  const { categories, stacks } = stacksOf(parts)
  const shown = stacks.slice(0, mostBars)
  const sumOf = ({ values }: Stack): number => values.reduce((sum, value) => sum + value, 0)
  const longest = shown.reduce((most, stack) => Math.max(most, sumOf(stack)), 0)
  const length = (value: number): number => (value / (longest || 1)) * (width - labelWidth - 70)
  const legend = categories.map((category, at) => {
    const [column, line] = [at % 3, Math.floor(at / 3)]
    const x = labelWidth + column * 160
    const y = line * barHeight
    return svg(
      "g",
      {},
      svg("rect", { class: `part${at}`, x, y: y + 5, width: 12, height: 12 }),
      svg("text", { x: x + 18, y: y + 15 }, short(category, 20))
    )
  })
  const top = Math.ceil(categories.length / 3) * barHeight + 6
  const bars = shown.flatMap((stack, row) => {
    const y = top + row * barHeight
    let x = labelWidth
    const pieces = stack.values.map((value, at) => {
      const piece = svg(
        "rect",
        { class: `part${at}`, x, y: y + 3, width: length(value), height: barHeight - 6 },
        svg("title", {}, `${stack.name}, ${categories[at] ?? ""}: ${figure(value)}`)
      )
      x += length(value)
      return piece
    })
    return [
      svg("text", { x: labelWidth - 6, y: y + 15, "text-anchor": "end" }, short(stack.name, 30)),
      ...pieces,
      svg("text", { x: x + 5, y: y + 15 }, figure(sumOf(stack)))
    ]
  })
  return picture(`Stacked bar chart: ${label}`, top + shown.length * barHeight + 4, [...legend, ...bars])
}
