/**
 * Plots as SVG: bars of contestants side by side, or lines of how cost grows. Readable on light and on dark pages.
 */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly isOurs: boolean
  /** Least and most of the rounds. */
  readonly spread: readonly [number, number]
}

export interface Line {
  readonly name: string
  /** What the values are, as `CPU s per 1000 pages`. */
  readonly unit: string
  readonly points: ReadonlyArray<{ readonly count: number; readonly value: number }>
}

const ours = "#0b7285"
const others = "#adb5bd"
const ink = "#495057"
const width = 760
/** Of a letter, about. */
const widest = 7

/** One bar for each contestant, with its value and how many times ours it is. */
export const bars = (title: string, unit: string, all: ReadonlyArray<Bar>): string => {
  const [right, step, top] = [130, 30, 56]
  const left = 24 + Math.max(...all.map(({ name }) => name.length)) * widest
  const most = Math.max(...all.map(({ spread }) => spread[1]))
  const at = (value: number) => left + (value / most) * (width - left - right)
  const base = all[0]?.value ?? Number.NaN
  const rows = all.map(({ isOurs, name, spread, value }, index) => {
    const y = top + index * step
    const [least, greatest] = spread
    const times = index === 0 ? "" : ` (${(value / base).toFixed(2)}x)`
    return [
      text(left - 8, y + 15, name, "end"),
      `<rect x="${left}" y="${y}" width="${round(at(value) - left)}" height="20" rx="2" fill="${isOurs ? ours : others}"/>`,
      `<path d="M${round(at(least))} ${y + 10}H${round(at(greatest))}M${round(at(least))} ${y + 6}v8M${round(at(greatest))} ${y + 6}v8" stroke="${ink}" fill="none"/>`,
      text(at(Math.max(value, greatest)) + 8, y + 15, `${figure(value)}${times}`, "start")
    ].join("\n")
  })
  return drawing(top + all.length * step + 14, title, unit, rows)
}

/** One panel for each line, over counts that grow by factors; each begins at zero, so that flat looks flat. */
export const growth = (title: string, lines: ReadonlyArray<Line>): string => {
  const [panel, top, left, right] = [170, 56, 90, 50]
  const panels = lines.map(({ name, points, unit }, index) => {
    const [low, high] = [top + 24 + index * (panel + 40), top + 24 + panel + index * (panel + 40)]
    const counts = points.map(({ count }) => Math.log(count))
    const [least, greatest] = [Math.min(...counts), Math.max(...counts)]
    const most = Math.max(...points.map(({ value }) => value)) * 1.15
    const x = (count: number) => left + ((Math.log(count) - least) / (greatest - least || 1)) * (width - left - right)
    const y = (value: number) => high - (value / most) * (high - low)
    const line = points.map(({ count, value }) => `${round(x(count))},${round(y(value))}`).join(" ")
    return [
      text(left, low - 8, `${name}: ${unit}`, "start"),
      `<path d="M${left} ${low}V${high}H${width - right}" stroke="${others}" fill="none"/>`,
      text(left - 8, high + 4, "0", "end"),
      `<polyline points="${line}" fill="none" stroke="${ours}" stroke-width="2"/>`,
      ...points.flatMap(({ count, value }) => [
        `<circle cx="${round(x(count))}" cy="${round(y(value))}" r="4" fill="${ours}"/>`,
        text(x(count), y(value) - 9, figure(value), "middle"),
        text(x(count), high + 16, count.toLocaleString("en"), "middle")
      ])
    ].join("\n")
  })
  return drawing(top + lines.length * (panel + 40) + 10, title, "", panels)
}

const drawing = (height: number, title: string, subtitle: string, parts: ReadonlyArray<string>): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" rx="6" fill="#ffffff"/>`,
    `<text x="16" y="26" font-size="16" font-weight="600" fill="#212529">${escape(title)}</text>`,
    text(16, 44, subtitle, "start"),
    ...parts,
    "</svg>",
    ""
  ].join("\n")

const text = (x: number, y: number, said: string, anchor: "start" | "middle" | "end"): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${ink}">${escape(said)}</text>`

/** Three digits that count. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "-"
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en")
  return String(Number(value.toPrecision(3)))
}

const round = (value: number): number => Math.round(value * 10) / 10

const escape = (said: string): string => said.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
