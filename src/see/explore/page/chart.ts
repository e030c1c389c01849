/** Charts as SVG: bars for named values, a line for values in an order. The grid below has the same figures as text. */
import { count, svg } from "./dom.ts"

interface Point {
  readonly name: string
  readonly value: number
}

export const mostBars = 40
export const width = 720
export const labelWidth = 220
export const barHeight = 22

export const barChart = (label: string, points: ReadonlyArray<Point>): SVGElement => {
  const shown = points.slice(0, mostBars)
  const least = Math.min(0, ...shown.map(({ value }) => value))
  const greatest = Math.max(0, ...shown.map(({ value }) => value))
  const room = width - labelWidth - 70
  const x = (value: number): number => labelWidth + ((value - least) / (greatest - least || 1)) * room
  const bars = shown.flatMap(({ name, value }, at) => {
    const y = at * barHeight
    return [
      svg("text", { x: labelWidth - 6, y: y + 15, "text-anchor": "end" }, short(name, 30)),
      svg("rect", {
        class: "bar",
        x: Math.min(x(0), x(value)),
        y: y + 3,
        width: Math.max(1, Math.abs(x(value) - x(0))),
        height: barHeight - 6
      }),
      svg("text", { x: Math.max(x(0), x(value)) + 5, y: y + 15 }, figure(value))
    ]
  })
  return picture(`Bar chart: ${label}`, shown.length * barHeight + 4, bars)
}

export const plotHeight = 260

export const lineChart = (label: string, points: ReadonlyArray<Point>): SVGElement => {
  const ordered = points.toSorted((a, b) => compared(a.name, b.name))
  const values = ordered.map(({ value }) => value)
  const ticks = ticksOf(
    values.reduce((a, b) => Math.min(a, b), 0),
    values.reduce((a, b) => Math.max(a, b), 0)
  )
  const [least = 0, greatest = 1] = [ticks[0], ticks.at(-1)]
  const left = 70
  const places = placesOf(ordered.map(({ name }) => name))
  const x = (at: number): number => left + (places[at] ?? 0) * (width - left - 20)
  const y = (value: number): number => plotHeight - 10 - ((value - least) / (greatest - least || 1)) * (plotHeight - 20)
  const line = ordered.map(({ value }, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")
  const marks = [0, Math.floor((ordered.length - 1) / 2), ordered.length - 1]
  const names = [...new Set(marks)].map((at, place, all) =>
    svg(
      "text",
      {
        x: x(at),
        y: plotHeight + 12,
        "text-anchor": place === 0 ? "start" : place === all.length - 1 ? "end" : "middle"
      },
      short(ordered[at]?.name ?? "", 24)
    )
  )
  return picture(`Line chart: ${label}`, plotHeight + 20, [
    ...ticks.flatMap((tick) => [
      svg("line", { class: "rule", x1: left, x2: width - 20, y1: y(tick), y2: y(tick) }),
      svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, figure(tick))
    ]),
    svg("polyline", { class: "line", points: line }),
    ...names
  ])
}

/** Where names stand between 0 and 1: times by how far they are apart, all others at equal steps. */
export const placesOf = (ordered: ReadonlyArray<string>): ReadonlyArray<number> => {
  const times = ordered.map((name) => (/^\d{4}-\d\d-\d\d/.test(name) ? Date.parse(name) : Number.NaN))
  const [first = 0] = times
  const span = (times.at(-1) ?? 0) - first
  return span > 0 && !times.some(Number.isNaN)
    ? times.map((time) => (time - first) / span)
    : ordered.map((_, at) => at / Math.max(1, ordered.length - 1))
}

/** Round numbers that take in both ends, four to eight of them. */
export const ticksOf = (least: number, greatest: number): ReadonlyArray<number> => {
  const span = greatest - least || 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= 6) ?? span
  const from = Math.floor(least / step)
  const to = Math.ceil(greatest / step)
  return Array.from({ length: to - from + 1 }, (_, at) => Number(((from + at) * step).toPrecision(12)))
}

export const picture = (label: string, height: number, children: ReadonlyArray<SVGElement>): SVGElement =>
  svg("svg", { role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}` }, ...children)

/** Numbers by their size, other names by their letters, as times in RFC 3339 want. */
const compared = (a: string, b: string): number => {
  const difference = Number(a) - Number(b)
  return Number.isNaN(difference) ? (a < b ? -1 : a > b ? 1 : 0) : difference
}

export const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

export const figure = (value: number): string =>
  Math.abs(value) >= 1e6
    ? value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 2 })
    : count(value)
