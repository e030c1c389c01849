/** Charts as SVG of how values are spread: a histogram of one column, and a scatter plot of two. */
import { figure, picture, plotHeight, ticksOf, width } from "./chart.ts"
import { svg } from "./dom.ts"

const left = 70
const right = width - 20
const bottom = plotHeight - 10

interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Equal parts between round numbers, ten to forty of them. The last has its upper end too. */
export const binsOf = (values: ReadonlyArray<number>): ReadonlyArray<Bin> => {
  const ticks = ticksOf(least(values), greatest(values))
  const [first = 0, second = 1] = ticks
  const last = ticks.at(-1) ?? 1
  const bins = Math.max(1, ticks.length - 1) * 5
  const size = (last - first || second - first || 1) / bins
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of values) {
    const at = Math.min(bins - 1, Math.max(0, Math.floor((value - first) / size)))
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts.map((count, at) => ({ from: rounded(first + at * size), to: rounded(first + (at + 1) * size), count }))
}

const rounded = (value: number): number => Number(value.toPrecision(12))

export const histogram = (label: string, values: ReadonlyArray<number>): SVGElement => {
  const bins = binsOf(values)
  const x = scale([bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1], left, right)
  const heights = ticksOf(0, greatest(bins.map(({ count }) => count)))
  const y = scale(ends(heights), bottom, 10)
  const bars = bins.map(({ count, from, to }) =>
    svg(
      "rect",
      {
        class: "bar",
        x: x(from) + 0.5,
        y: y(count),
        width: Math.max(1, x(to) - x(from) - 1),
        height: bottom - y(count)
      },
      svg("title", {}, `${figure(from)} to ${figure(to)}: ${figure(count)}`)
    )
  )
  const marks = bins.filter((_, at) => at % 5 === 0).map(({ from }) => from)
  return picture(`Histogram: ${label}`, plotHeight + 20, [
    ...rules(heights, y),
    ...bars,
    ...below([...marks, bins.at(-1)?.to ?? 1], x)
  ])
}

interface Dot {
  readonly x: number
  readonly y: number
}

export const mostDots = 5000

export const scatterPlot = (label: string, dots: ReadonlyArray<Dot>): SVGElement => {
  const shown = dots.slice(0, mostDots)
  const across = ticksOf(least(shown.map((dot) => dot.x)), greatest(shown.map((dot) => dot.x)))
  const up = ticksOf(least(shown.map((dot) => dot.y)), greatest(shown.map((dot) => dot.y)))
  const x = scale(ends(across), left, right)
  const y = scale(ends(up), bottom, 10)
  return picture(`Scatter plot: ${label}`, plotHeight + 20, [
    ...rules(up, y),
    ...pathsOf(shown.map((dot) => `M${x(dot.x).toFixed(1)} ${y(dot.y).toFixed(1)}h0`)),
    ...below(across, x)
  ])
}

/**
 * An element for each dot would let the browser stall. Where dots of several paths are one above the other, it is darker
 * there; neighbours in the answer are in different paths for that.
 */
const pathsOf = (moves: ReadonlyArray<string>): ReadonlyArray<SVGElement> => {
  const paths = Math.min(mostPaths, moves.length)
  return Array.from({ length: paths }, (_, path) =>
    svg("path", { class: "dot", d: moves.filter((_move, at) => at % paths === path).join("") })
  )
}

const mostPaths = 50

/** An answer has more values than a call may have arguments. */
const least = (values: ReadonlyArray<number>): number => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0)

const greatest = (values: ReadonlyArray<number>): number => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0)

const ends = (ticks: ReadonlyArray<number>): readonly [number, number] => [ticks[0] ?? 0, ticks.at(-1) ?? 1]

const scale =
  ([first, last]: readonly [number, number], from: number, to: number) =>
  (value: number): number =>
    from + ((value - first) / (last - first || 1)) * (to - from)

const rules = (ticks: ReadonlyArray<number>, y: (value: number) => number): ReadonlyArray<SVGElement> =>
  ticks.flatMap((tick) => [
    svg("line", { class: "rule", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
    svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, figure(tick))
  ])

const below = (ticks: ReadonlyArray<number>, x: (value: number) => number): ReadonlyArray<SVGElement> =>
  ticks.map((tick) => svg("text", { x: x(tick), y: plotHeight + 12, "text-anchor": "middle" }, figure(tick)))
