/** The head of a column in a grid: its name, and what its values are, of which a click filters by one. */
import type { Bin, ColumnInfo, ColumnSummary, Filter } from "../ExploreApi.ts"
import { isOfCurrent, isTime } from "../gridSql.ts"
import { isLink, kindWord, type ShownColumn, timeFormat, timeOf, yesOrNo } from "./columnContent.ts"
import { count, el, svg } from "./dom.ts"

/** Values of which a head shows how many there are. */
const shownTop = 2
const [drawnWidth, drawnHeight] = [100, 34]

export interface HeadActions {
  readonly choose: (filter: Filter) => void
  readonly about: (column: ShownColumn) => void
}

/** `summary` undefined: it is not known yet. */
export const columnHead = (
  shown: ShownColumn,
  summary: ColumnSummary | undefined,
  { about, choose }: HeadActions
): ReadonlyArray<Node> => {
  const { name } = shown.column
  const more = el("button", { type: "button", class: "more", tabindex: -1, "aria-label": `About ${name}` }, "⋯")
  more.addEventListener("click", (event) => {
    event.stopPropagation()
    about(shown)
  })
  const figures = el("div", { class: "figures" })
  if (summary === undefined) return [more, figures]
  figures.append(
    el("div", { class: "words-of" }, [kindWord(shown), filledWords(summary)].filter((text) => text !== "").join(", ")),
    el("div", { class: "words-of" }, shown.kind === "boolean" ? "" : distinctWords(summary)),
    profileOf(shown, summary, choose)
  )
  return [more, figures]
}

export const shareWords = (part: number, all: number): string => {
  if (all === 0) return "0%"
  const share = (100 * part) / all
  if (part === all || part === 0) return `${share}%`
  return share < 1 ? "under 1%" : share > 99 ? "over 99%" : `${Math.round(share)}%`
}

const filledWords = ({ filled, rows }: ColumnSummary): string =>
  rows === 0 ? "" : filled === rows ? "all filled" : filled === 0 ? "empty" : `${shareWords(filled, rows)} filled`

export const distinctWords = ({ compared, distinct, filled, isDistinctExact, rows }: ColumnSummary): string => {
  if (distinct === null || filled === 0) return ""
  const among = (compared * filled) / rows
  const isAll = compared >= rows
  if (distinct === filled && isAll && isDistinctExact && filled > 1) return "all distinct"
  const words = `${distinct < 10_000 ? count(distinct) : short.format(distinct)} distinct`
  if (isAll) return isDistinctExact ? words : `~${words}`
  // Of a part of the rows: whether the rest has other values shows in how often a value comes again.
  const share = distinct / among
  return share > 0.95 ? "nearly all distinct" : share < 0.2 ? `~${words}` : `over ${words}`
}

/** As "127K". */
const short = new Intl.NumberFormat("en-US", { notation: "compact" })

const profileOf = (shown: ShownColumn, summary: ColumnSummary, choose: HeadActions["choose"]): Element => {
  if (summary.bins.length > 0) return histogramOf(shown, summary.bins, choose)
  // Values that each one row has say nothing.
  const frequent = summary.top.filter((one) => one.count > 1)
  const lines = frequent.slice(0, shownTop).map(({ count: n, value }) => {
    const label = `${valueWords(value, shown.column)}: ${count(n)} ${n === 1 ? "row" : "rows"}`
    const line = el(
      "div",
      { class: "top", title: label },
      el("span", {}, valueWords(value, shown.column)),
      el("small", {}, shareWords(n, summary.rows))
    )
    line.style.setProperty("--share", String(n / Math.max(1, summary.rows)))
    line.addEventListener("click", (event) => {
      event.stopPropagation()
      choose({ column: shown.column.name, kind: "is", value })
    })
    return line
  })
  return el("div", { class: "tops" }, ...lines)
}

/** All bars are one path: a page has many of them, and each more element costs. */
const histogramOf = (shown: ShownColumn, bins: ReadonlyArray<Bin>, choose: HeadActions["choose"]): Element => {
  const most = bins.reduce((max, bin) => Math.max(max, bin.count), 1)
  const step = drawnWidth / bins.length
  const bars = bins.map(({ count: n }, at) => {
    // A bin with few rows is still seen.
    const height = n === 0 ? 0 : Math.max(1.5, (n / most) * (drawnHeight - 2))
    return `M${(at + 0.06) * step} ${drawnHeight}v${-height}h${step * 0.88}v${height}z`
  })
  const title = svg("title")
  const place = svg("rect", { class: "place", y: 0, width: step, height: drawnHeight })
  const picture = svg(
    "svg",
    {
      class: "histogram",
      viewBox: `0 0 ${drawnWidth} ${drawnHeight}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true"
    },
    title,
    svg("path", { class: "bar", d: bars.join("") }),
    svg("rect", { x: 0, width: drawnWidth, y: drawnHeight - 0.5, height: 0.5, class: "base" }),
    place
  )
  const binAt = (event: MouseEvent): number => {
    const { left, width } = picture.getBoundingClientRect()
    return Math.max(0, Math.min(bins.length - 1, Math.floor(((event.clientX - left) / width) * bins.length)))
  }
  picture.addEventListener("pointermove", (event) => {
    const at = binAt(event)
    const bin = bins[at]
    if (bin === undefined) return
    const { from, to } = binFilter(shown, bin, false)
    place.setAttribute("x", String(at * step))
    title.textContent = `${rangeWords(from, to, shown.column)}: ${count(bin.count)}`
  })
  picture.addEventListener("click", (event) => {
    event.stopPropagation()
    const at = binAt(event)
    const bin = bins[at]
    if (bin !== undefined) choose(binFilter(shown, bin, at === bins.length - 1))
  })
  return picture
}

/** The rows of a bin. Bins of times are seconds, and a filter has the text of a moment or a day. */
export const binFilter = (
  { column }: Pick<ShownColumn, "column">,
  { from, to }: Bin,
  isLast: boolean
): Extract<Filter, { kind: "range" }> => {
  const border = (value: number): number | string => {
    if (!isTime(column)) return value
    const text = new Date(value * 1000).toISOString()
    return /^DATE$/i.test(column.type) ? text.slice(0, 10) : /ZONE|TZ/i.test(column.type) ? text : text.slice(0, 19)
  }
  return { column: column.name, kind: "range", from: border(from), to: border(to), isClosed: isLast }
}

const longest = 60

/** A filter in words: "language is en", "price 10 to 20". */
export const filterWords = (filter: Filter, columns: ReadonlyArray<ColumnInfo>): string => {
  if (isOfCurrent(filter)) return "current rows only"
  const column = columns.find(({ name }) => name === filter.column)
  switch (filter.kind) {
    case "filled":
      return `${filter.column} is not empty`
    case "is":
      return filter.value === null
        ? `${filter.column} is empty`
        : `${filter.column} is ${valueWords(filter.value, column)}`
    case "range":
      return `${filter.column} ${rangeWords(filter.from, filter.to, column)}`
  }
}

/** A value in a sentence. */
export const valueWords = (value: string | number | boolean, column: ColumnInfo | undefined): string => {
  if (typeof value === "boolean" || /^BOOL/i.test(column?.type ?? "")) return yesOrNo(value)
  if (typeof value === "number") return value.toLocaleString("en-US", { useGrouping: "min2", maximumFractionDigits: 8 })
  const time = column !== undefined && isTime(column) ? timeOf(value) : undefined
  if (time !== undefined) return timeFormat(time % 86_400_000 === 0 ? "day" : "second").format(time)
  const text = isLink(value) ? value.replace(/^https?:\/\//i, "") : value
  return text === "" ? "an empty text" : text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}

export const rangeWords = (from: number | string, to: number | string, column: ColumnInfo | undefined): string =>
  `${valueWords(from, column)} to ${valueWords(to, column)}`
