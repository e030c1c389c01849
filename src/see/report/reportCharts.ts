/**
 * The charts of a report, drawn by Observable Plot as SVG text. Each has a title, a description, and a table of its own
 * beside it in the page, so nothing is said by a picture alone.
 *
 * Colours are variables of the page's style: one drawing serves light and dark.
 */
import * as Plot from "@observablehq/plot"
import { plain } from "./html.ts"

interface Bar {
  readonly name: string
  readonly value: number
  readonly color?: string
  /** Its value for people; default: the number. */
  readonly label?: string
}

export interface Point {
  readonly at: Date
  readonly value: number
  readonly series: string
}

const width = 480
const letter = 7.6
const longestName = 26
const colors = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"]

/** Bars with their names at the left and their numbers at the end. */
export const bars = (title: string, description: string, of: ReadonlyArray<Bar>): string => {
  const longest = Math.max(0, ...of.map(({ name }) => name.length))
  return drawn(title, description, {
    height: 16 + of.length * 26,
    marginTop: 6,
    marginBottom: 10,
    marginLeft: marginFor(longest),
    marginRight: 70,
    x: { axis: null, domain: [0, Math.max(1, ...of.map(({ value }) => value))] },
    y: { label: null, domain: of.map(({ name }) => name), tickSize: 0, tickFormat: cut },
    marks: [
      Plot.barX(of, {
        x: "value",
        y: "name",
        fill: (bar: Bar) => bar.color ?? "var(--c1)",
        insetTop: 2,
        insetBottom: 2
      }),
      Plot.text(of, {
        x: "value",
        y: "name",
        text: (bar: Bar) => bar.label ?? numeral(bar.value),
        textAnchor: "start",
        dx: 5,
        fill: "currentColor"
      }),
      Plot.ruleX([0], { stroke: "currentColor" })
    ]
  })
}

interface RunBar {
  readonly at: Date
  readonly value: number
  readonly status: string
}

/** A bar for each run on a base line, in the order of the runs; those that are not done have another colour. */
export const runBars = (title: string, description: string, runs: ReadonlyArray<RunBar>): string => {
  const names = runs.map(({ at }) => at.toISOString())
  const ticks = spread(names, 5)
  const labels = momentsOf(ticks.map((name) => new Date(name)))
  return drawn(title, description, {
    height: 120,
    marginTop: 16,
    marginBottom: 34,
    marginLeft: 52,
    marginRight: 16,
    x: {
      type: "band",
      domain: names,
      ticks,
      tickFormat: (name: string) => labels.get(name) ?? "",
      tickSize: 0,
      label: null
    },
    y: {
      label: null,
      grid: true,
      zero: true,
      nice: true,
      ticks: 3,
      tickFormat: (value: number) => compact.format(value)
    },
    marks: [
      Plot.barY(runs, {
        x: (run: RunBar) => run.at.toISOString(),
        y: "value",
        fill: (run: RunBar) =>
          run.status === "done" ? "var(--c1)" : run.status === "partial" ? "var(--c2)" : "var(--bad)",
        // A few runs are no walls.
        insetLeft: runs.length < 8 ? 16 : 1,
        insetRight: runs.length < 8 ? 16 : 1
      }),
      Plot.ruleY([0], { stroke: "currentColor" })
    ]
  })
}

/** Lines over time, one a series. */
export const lines = (title: string, description: string, points: ReadonlyArray<Point>, unit: string): string => {
  const series = [...new Set(points.map((point) => point.series))]
  const colorOf = (point: Point) => colors[series.indexOf(point.series) % colors.length] ?? "currentColor"
  const last = series.flatMap((name) => points.findLast((point) => point.series === name) ?? [])
  // Beside names at the ends of lines there is less room.
  const ticks = ticksOf(points, series.length > 1 ? 3 : 4)
  const labels = momentsOf(ticks)
  return drawn(title, description, {
    height: 200,
    // The label of the axis is above its uppermost tick.
    marginTop: 32,
    marginLeft: 52,
    marginRight: series.length > 1 ? 132 : 36,
    marginBottom: 38,
    x: { type: "utc", label: null, ticks, tickFormat: (at: Date) => labels.get(at.toISOString()) ?? "" },
    y: {
      label: unit,
      grid: true,
      zero: true,
      nice: true,
      ticks: 4,
      tickFormat: (value: number) => compact.format(value)
    },
    marks: [
      Plot.ruleY([0], { stroke: "currentColor" }),
      Plot.line(points, { x: "at", y: "value", z: "series", stroke: colorOf, strokeWidth: 2 }),
      Plot.dot(points, { x: "at", y: "value", fill: colorOf, r: 3 }),
      ...(series.length > 1
        ? [
            Plot.text(apart(last), {
              x: "at",
              y: "value",
              text: "series",
              textAnchor: "start",
              dx: 8,
              fill: "currentColor"
            })
          ]
        : [])
    ]
  })
}

export const numeral = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })

/** 100% is all of them, and 0% none: what is between is never rounded to these. */
export const percent = (share: number): string => {
  if (share === 0 || share === 1) return `${share * 100}%`
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`
}

const marginFor = (letters: number): number => 14 + Math.min(longestName, letters) * letter

const cut = (name: string): string => (name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`)

const compact = new Intl.NumberFormat("en-US", { notation: "compact" })

/** Not more than `most` of them, with as many between each two. */
const spread = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
  const step = Math.ceil(all.length / most)
  return all.filter((_, at) => at % step === 0)
}

const day = 86_400_000

/** Midnights where the points are of several days, the moments of some points otherwise. */
const ticksOf = (points: ReadonlyArray<Point>, most: number): ReadonlyArray<Date> => {
  const times = points.map(({ at }) => at.getTime())
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const days = Math.floor(to / day) - Math.floor(from / day)
  if (days >= most - 1) {
    const all = Array.from({ length: days }, (_, at) => new Date((Math.floor(from / day) + 1 + at) * day))
    return spread(all, most)
  }
  // Labels that would lie on each other are left out.
  const taken: Array<Date> = []
  for (const time of [...new Set(times)].toSorted((a, b) => a - b)) {
    const last = taken.at(-1)?.getTime() ?? Number.NEGATIVE_INFINITY
    if (time - last >= (to - from) / (most - 0.5)) taken.push(new Date(time))
  }
  return taken
}

/** "Nov 25" for each day; where several are of one day, the time, and the day below the first of it. In UTC. */
const momentsOf = (ticks: ReadonlyArray<Date>): ReadonlyMap<string, string> => {
  const days = ticks.map((at) => dayName.format(at))
  const isByDay = new Set(days).size === days.length && days.length > 1
  const minutes = ticks.map((at) => at.toISOString().slice(11, 16))
  const isFine = new Set(minutes).size < minutes.length
  return new Map(
    ticks.map((at, n) => {
      const iso = at.toISOString()
      const time = iso.slice(11, isFine ? 19 : 16)
      return [iso, isByDay ? (days[n] ?? "") : days[n] === days[n - 1] ? time : `${time}\n${days[n] ?? ""}`]
    })
  )
}

const dayName = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" })

/** Names at the ends of lines that would lie on each other are moved apart. */
const apart = (points: ReadonlyArray<Point>): ReadonlyArray<Point> => {
  const top = Math.max(1, ...points.map(({ value }) => value))
  let below = Number.NEGATIVE_INFINITY
  return points
    .toSorted((a, b) => a.value - b.value)
    .map((point) => {
      below = Math.max(point.value, below + top * 0.11)
      return { ...point, value: below }
    })
}

const drawn = (name: string, says: string, options: Plot.PlotOptions): string => {
  const [title, description] = [name.slice(0, 200), says.slice(0, 500)]
  const svg: unknown = Plot.plot({
    width,
    className: "plot",
    style: { background: "none" },
    ...options,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Plot creates elements with it, and nothing else
    document: new SvgDocument() as unknown as Document
  })
  if (!(svg instanceof SvgElement)) throw new Error("Plot drew no single SVG")
  for (const [tag, text] of Object.entries({ desc: description, title })) {
    const element = svg.ownerDocument.createElement(tag)
    element.append(text)
    svg.insertBefore(element, svg.firstChild)
  }
  svg.setAttribute("role", "img")
  svg.setAttribute("aria-label", `${title}. ${description}`)
  for (const name of ["width", "height"]) svg.removeAttribute(name)
  return svg.toText()
}

const svgSpace = "http://www.w3.org/2000/svg"

class SvgElement {
  readonly nodeType = 1
  readonly tagName: string
  readonly namespaceURI: string
  readonly ownerDocument: SvgDocument
  readonly style = { setProperty: () => undefined }
  readonly childNodes: Array<SvgElement | string> = []
  parentNode: SvgElement | null = null
  private readonly attributes = new Map<string, string>()

  constructor(name: string, space: string, document: SvgDocument) {
    this.tagName = name
    this.namespaceURI = space
    this.ownerDocument = document
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value))
  }
  setAttributeNS(_space: string, name: string, value: unknown): void {
    this.setAttribute(name, value)
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null
  }
  hasAttribute(name: string): boolean {
    return this.attributes.has(name)
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }
  appendChild(child: SvgElement | string): SvgElement | string {
    return this.insertBefore(child, null)
  }
  append(...children: ReadonlyArray<SvgElement | string>): void {
    for (const child of children) this.insertBefore(child, null)
  }
  insertBefore(child: SvgElement | string, next: SvgElement | string | null): SvgElement | string {
    if (child instanceof SvgElement) {
      child.parentNode?.removeChild(child)
      child.parentNode = this
    }
    const at = next === null ? -1 : this.childNodes.indexOf(next)
    if (at < 0) this.childNodes.push(child)
    else this.childNodes.splice(at, 0, child)
    return child
  }
  removeChild(child: SvgElement | string): SvgElement | string {
    const at = this.childNodes.indexOf(child)
    if (at >= 0) this.childNodes.splice(at, 1)
    return child
  }
  get firstChild(): SvgElement | string | null {
    return this.childNodes[0] ?? null
  }
  get textContent(): string {
    return this.childNodes.map((child) => (typeof child === "string" ? child : child.textContent)).join("")
  }
  set textContent(text: string) {
    this.childNodes.splice(0, this.childNodes.length, String(text))
  }
  querySelector(): null {
    return null
  }
  querySelectorAll(): ReadonlyArray<SvgElement> {
    return []
  }

  /**
   * As text. Plot's own style sheet is left out: the report has one for all charts. Labels of its groups are left out too:
   * the whole is one image with a title and a description.
   */
  toText(isInner = false): string {
    if (this.tagName === "style") return ""
    const attributes = [...this.attributes]
      .filter(([name]) => !isInner || !name.startsWith("aria-"))
      .map(([name, value]) => ` ${name}="${plain(value.replace(/\d+\.\d{3,}/g, short))}"`)
    const children = this.childNodes.map((child) => (typeof child === "string" ? plain(child) : child.toText(true)))
    return `<${this.tagName}${attributes.join("")}>${children.join("")}</${this.tagName}>`
  }
}

/** A hundredth of a pixel is enough. */
const short = (number: string): string => String(Number(Number(number).toFixed(2)))

/**
 * As much of a document as Observable Plot needs to draw: elements of SVG in a tree, written as text at the end.
 *
 * Plot draws into any document. A whole one for the server takes as much room as Plot and all of D3; what Plot really calls
 * is here. Every text and every attribute is escaped when it is written, so no value of a row can become markup.
 */
class SvgDocument {
  /** D3 asks it for the document, and for the namespace of names without one. */
  readonly documentElement: { readonly namespaceURI: string; readonly ownerDocument: SvgDocument } = {
    namespaceURI: "http://www.w3.org/1999/xhtml",
    ownerDocument: this
  }

  createElementNS(space: string, name: string): SvgElement {
    return new SvgElement(name, space, this)
  }
  createElement(name: string): SvgElement {
    return new SvgElement(name, svgSpace, this)
  }
  createTextNode(text: string): string {
    return String(text)
  }
}
