/**
 * Charts by Observable Plot.
 *
 * Guarantee: what is drawn has no style element and no text that is markup: the page's own style sheet has Plot's rules. Of many
 * values a chart draws groups, so that no drawing stalls the page.
 */
import * as Plot from "@observablehq/plot"
import { tickText } from "./times.ts"

export interface ChartPoint {
  readonly by: string | number | Date
  readonly value: number
  /** The name of its colour; empty: there is one colour. */
  readonly color: string
}

interface Drawing {
  readonly label: string
  readonly points: ReadonlyArray<ChartPoint>
  readonly width: number
  readonly names: { readonly by: string; readonly value: string }
}

/** More dots than this are drawn as groups. */
const mostDots = 1000
/** A line has no more points than pixels. */
const mostPoints = 1500

/** The name of an axis is below the second line of its ticks. */
const below = { marginBottom: 48, labelOffset: 44 }

const palette = ["var(--bar)", "#c2571a", "#2f8f5b", "#9a5bb5", "#b08a00", "#7a8794"]

export const barChart = (drawing: Drawing): Element => {
  const { names, points, width } = drawing
  const bars = [...new Set(points.map(({ by }) => String(by)))]
  const longest = bars.reduce((most, name) => Math.max(most, name.length), 0)
  const marginLeft = Math.min(Math.max(40, longest * 7), width * 0.4)
  const letters = Math.floor(marginLeft / 7)
  const sums = new Map<string, number>()
  for (const { by, value } of points) sums.set(String(by), (sums.get(String(by)) ?? 0) + value)
  return drawn(drawing, {
    height: bars.length * 22 + 50,
    marginLeft,
    marginRight: 60,
    y: { domain: bars, label: null, tickSize: 0, tickFormat: (name: string) => shortened(name, letters) },
    x: { label: names.value, grid: true, nice: true },
    marks: [
      Plot.barX(
        points,
        Plot.stackX({ y: (point: ChartPoint) => String(point.by), x: "value", fill: fillOf(points), inset: 1 })
      ),
      Plot.ruleX([0]),
      Plot.text([...sums], {
        y: ([name]: [string, number]) => name,
        x: ([, sum]: [string, number]) => sum,
        text: ([, sum]: [string, number]) => figure(sum),
        textAnchor: "start",
        dx: 4
      })
    ]
  })
}

export const lineChart = (drawing: Drawing): Element => {
  const { names, points } = drawing
  const ordered = points.toSorted((a, b) => Number(a.by) - Number(b.by))
  const shown = thinned(ordered)
  const series = { x: "by", y: "value", z: "color", stroke: fillOf(points) } as const
  return drawn(drawing, {
    height: 270,
    marginLeft: 60,
    marginBottom: below.marginBottom,
    x: {
      label: names.by,
      labelOffset: below.labelOffset,
      ...(points[0]?.by instanceof Date ? { tickFormat: tickText("UTC") } : {})
    },
    y: { label: names.value, grid: true, nice: true },
    marks: [
      Plot.lineY(shown, { ...series, strokeWidth: 2 }),
      ...(shown.length <= 80 ? [Plot.dot(shown, { x: "by", y: "value", fill: fillOf(points), r: 3 })] : []),
      Plot.tip(shown, Plot.pointerX({ x: "by", y: "value", ...(hasColors(points) ? { title: saysOf } : {}) }))
    ]
  })
}

export const dotChart = (drawing: Drawing): Element => {
  const { names, points } = drawing
  const of = { x: "by", y: "value" } as const
  const isMany = points.length > mostDots
  return drawn(drawing, {
    height: 290,
    marginLeft: 60,
    marginBottom: below.marginBottom,
    grid: true,
    x: { label: names.by, nice: true, labelOffset: below.labelOffset },
    y: { label: names.value, nice: true },
    ...(isMany ? { r: { range: [0, 9] } } : {}),
    marks: isMany
      ? [Plot.dot(points, Plot.hexbin({ r: "count" }, { ...of, fill: "var(--bar)", binWidth: 18, tip: true }))]
      : [Plot.dot(points, { ...of, fill: fillOf(points), fillOpacity: 0.6, r: 4, tip: true })]
  })
}

export const histogram = (drawing: Drawing): Element => {
  const { names, points } = drawing
  const bins = Plot.binX<Plot.RectYOptions>(
    { y: "count" },
    { x: "value", fill: fillOf(points), thresholds: 30, inset: 0.5, tip: true }
  )
  return drawn(drawing, {
    height: 240,
    marginLeft: 60,
    x: { label: names.value, nice: true },
    y: { label: "rows", grid: true, nice: true },
    marks: [Plot.rectY(points, bins), Plot.ruleY([0])]
  })
}

interface RunPoint {
  readonly at: Date
  readonly rows: number
  readonly seconds: number | null
  readonly kind: "ok" | "warn" | "bad"
  readonly says: string
}

/** The rows and the seconds of runs over time; how a run ended is its colour and its shape. */
export const runCharts = (runs: ReadonlyArray<RunPoint>, width: number): ReadonlyArray<Element> =>
  (["rows", "seconds"] as const).map((what) => {
    const points = runs.filter((run) => run[what] !== null)
    const of = { x: "at", y: what } as const
    const stroke = ({ kind }: RunPoint): string => runColors[kind]
    const drawing = { label: `Runs over time: ${what}`, points: [], width, names: { by: "began", value: what } }
    return drawn(drawing, {
      height: 130,
      marginLeft: 60,
      x: { label: null, type: "time", inset: 8, ticks: Math.max(2, Math.floor(width / 120)), tickFormat: tickText() },
      y: { label: what, grid: true, nice: true, ticks: 3, zero: true },
      symbol: { type: "identity" },
      marks: [
        Plot.ruleY([0]),
        Plot.ruleX(points, { x: "at", y1: 0, y2: what, stroke, strokeWidth: 2 }),
        Plot.dot(points, {
          ...of,
          symbol: ({ kind }: RunPoint) => runSymbols[kind],
          stroke,
          fill: "var(--paper)",
          r: 5
        }),
        Plot.tip(
          points,
          Plot.pointerX({ ...of, title: (run: RunPoint) => `${run.says}\n${figure(run[what] ?? 0)} ${what}` })
        )
      ]
    })
  })

const runColors = { ok: "var(--good)", warn: "var(--warn)", bad: "var(--bad)" }
const runSymbols = { ok: "circle", warn: "triangle", bad: "times" }

const drawn = ({ label, points, width }: Drawing, options: Plot.PlotOptions): Element => {
  const made = Plot.plot({
    ...options,
    width,
    className: "plot",
    ariaLabel: label,
    ...(hasColors(points) ? { color: { legend: true, domain: colorsOf(points), range: palette } } : {})
  })
  for (const style of made.querySelectorAll("style")) style.remove()
  // A picture has one name, and its parts have none.
  for (const part of made.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label")
  const svg = made.matches("svg") ? made : made.querySelector(":scope > svg")
  svg?.setAttribute("role", "img")
  return made
}

const colorsOf = (points: ReadonlyArray<ChartPoint>): ReadonlyArray<string> => [
  ...new Set(points.map(({ color }) => color))
]

const hasColors = (points: ReadonlyArray<ChartPoint>): boolean => points.some(({ color }) => color !== "")

const fillOf = (points: ReadonlyArray<ChartPoint>): string => (hasColors(points) ? "color" : "var(--bar)")

const saysOf = ({ by, color, value }: ChartPoint): string =>
  `${color}\n${by instanceof Date ? by.toISOString() : by}: ${figure(value)}`

/** Of each stretch of points the least and the greatest: a line looks the same by them. */
const thinned = (points: ReadonlyArray<ChartPoint>): ReadonlyArray<ChartPoint> => {
  if (points.length <= mostPoints) return points
  const size = Math.ceil((2 * points.length) / mostPoints)
  const drawnPoints: Array<ChartPoint> = []
  for (const color of colorsOf(points)) {
    const own = points.filter((point) => point.color === color)
    for (let from = 0; from < own.length; from += size) {
      const part = own.slice(from, from + size).toSorted((a, b) => a.value - b.value)
      const [least] = part
      const greatest = part.at(-1)
      if (least !== undefined && greatest !== undefined)
        drawnPoints.push(...[least, greatest].toSorted((a, b) => Number(a.by) - Number(b.by)))
    }
  }
  return drawnPoints
}

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, Math.max(1, most - 1)).toWellFormed()}…` : text

const figure = (value: number): string =>
  Math.abs(value) >= 1e6
    ? value.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 2 })
    : value.toLocaleString("en-US")
