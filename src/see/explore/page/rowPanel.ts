/** One row beside its grid: each value with its name, and a way to where it comes from. */
import { jsonOf } from "#base/readableText"
import * as Sheet from "../../Sheet.ts"
import type { CellValue, Filter, TableInfo } from "../ExploreApi.ts"
import { marksOf } from "../findWords.ts"
import { isText, longestCell } from "../gridSql.ts"
import type { Answers } from "./Answers.ts"
import { isLink, type ShownColumn } from "./columnContent.ts"
import { button, count, el, fromFirstMark, linked, markedNodes, outerLink, problem, tableOf } from "./dom.ts"
import { valueFilter } from "./Grid.ts"
import { hashOf } from "./route.ts"
import type { Row, TableQuestion } from "./rows.ts"

/** Characters of a value that are shown before somebody asks for all of them. */
const longest = 1500
/** Of them, before a word that is looked for. */
const beforeMark = 300
/** Characters that a click adds: a browser stalls over a megabyte. */
const step = 50_000
/** The same of Markdown, which becomes many elements. */
const markdownStep = 8000
/** Characters of a value that stands beside its name. */
const longestBeside = 160
/** More items of a list stand as text. */
const mostItems = 100

interface Opened {
  readonly table: TableInfo
  readonly question: TableQuestion
  /** Which of the rows of the question. */
  readonly at: number
  readonly total: number
  /** Its values as the grid has them, of which long ones are cut; undefined: the grid does not have them. */
  readonly known: Row | undefined
  /** The columns in the order of the grid, and those that are empty behind them. */
  readonly shown: ReadonlyArray<ShownColumn>
  readonly empty: ReadonlySet<string>
}

interface PanelActions {
  readonly close: () => void
  /** Opens another row. */
  readonly move: (at: number) => void
  readonly choose: (filter: Filter) => void
}

export const rowPanel = (answers: Answers, opened: Opened, { choose, close, move }: PanelActions): HTMLElement => {
  const { at, question, table, total } = opened
  const title = `Row ${count(at + 1)} of ${table.name}`
  const step = (label: string, by: number) =>
    button(label, () => move(at + by), { disabled: at + by < 0 || at + by >= total, "aria-label": `${label} row` })
  const panel = el(
    "section",
    { class: "panel", tabindex: 0, "aria-label": title },
    el("div", { class: "tools" }, el("h3", {}, title), step("Previous", -1), step("Next", 1), button("Close", close))
  )
  panel.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey } = event
    if (altKey || ctrlKey || metaKey) return
    if (key === "n" && at + 1 < total) move(at + 1)
    else if (key === "p" && at > 0) move(at - 1)
    else return
    event.preventDefault()
  })
  const { known } = opened
  const begun = known === undefined ? undefined : valuesOf(opened, known, choose)
  if (begun !== undefined) {
    panel.append(...begun.nodes)
    if (begun.cut.size === 0) return panel
  }
  answers.rows({ ...question, offset: at, limit: 1, whole: true }).then(
    ({ rows: [row = []] }) => {
      // What is there stays, since somebody may be at it: only values that were cut are shown anew.
      if (begun === undefined) panel.append(...valuesOf(opened, row, choose).nodes)
      else for (const [shown, place] of begun.cut) place.replaceWith(saidOf(opened, shown, row))
      panel.querySelector("mark")?.scrollIntoView({ block: "center" })
    },
    (error: unknown) => panel.append(problem(error))
  )
  return panel
}

interface Values {
  readonly nodes: ReadonlyArray<Node>
  /** Where values are that are not whole. */
  readonly cut: ReadonlyMap<ShownColumn, HTMLElement>
}

const valuesOf = (opened: Opened, row: Row, choose: (filter: Filter) => void): Values => {
  const filled = opened.shown.filter(({ column }) => !opened.empty.has(column.name))
  const rest = opened.shown.filter(({ column }) => opened.empty.has(column.name))
  const cut = new Map<ShownColumn, HTMLElement>()
  const list = (columns: ReadonlyArray<ShownColumn>) =>
    el(
      "dl",
      {},
      ...columns.flatMap((column) => {
        const value = row[column.at]
        const isBegin = row === opened.known && isCut(value)
        const cell = isBegin ? el("dd", { class: "soft wide" }, String(value)) : saidOf(opened, column, row)
        if (isBegin) cut.set(column, cell)
        return entry(opened, column, row, cell, choose)
      })
    )
  if (rest.length === 0) return { nodes: [list(filled)], cut }
  const words = `${count(rest.length)} empty ${rest.length === 1 ? "column" : "columns"}`
  return { nodes: [list(filled), el("details", {}, el("summary", {}, words), list(rest))], cut }
}

/** A grid has the beginning of a text, or the place of a word in it. */
const isCut = (value: CellValue | undefined): boolean =>
  typeof value === "string" && (value.length > longestCell || value.startsWith("…"))

const valueIn = (columns: ReadonlyArray<ShownColumn>, row: Row, name: string): CellValue =>
  row[columns.find(({ column }) => column.name === name)?.at ?? -1] ?? null

const entry = (
  { shown: columns, table }: Opened,
  shown: ShownColumn,
  row: Row,
  cell: HTMLElement,
  choose: (filter: Filter) => void
): ReadonlyArray<Node> => {
  const { column } = shown
  const value = row[shown.at] ?? null
  const term = el("dt", column.description === undefined ? {} : { title: column.description }, column.name)
  const actions = el("dd", { class: "actions" })
  // `millrace why` answers for the version of a row that is current.
  const isCurrent = valueIn(columns, row, "valid_to") === null
  if (table.key.length > 0 && isCurrent) {
    const key = Object.fromEntries(table.key.map((name) => [name, valueIn(columns, row, name)]))
    const href = hashOf("why", "", { table: table.name, column: column.name, key: JSON.stringify(key) })
    actions.append(el("a", { href, "aria-label": `Why ${column.name}` }, "why"))
  }
  const filter = valueFilter(shown, value)
  if (filter !== undefined)
    actions.append(button("filter", () => choose(filter), { class: "plain", "aria-label": `Filter by ${column.name}` }))
  // A text for reading has the whole width, below its name.
  return cell.classList.contains("wide") ? [term, actions, cell] : [term, cell, actions]
}

const saidOf = ({ question, shown: columns }: Opened, shown: ShownColumn, row: Row): HTMLElement => {
  const value = row[shown.at] ?? null
  if (value === null) return el("dd", { class: "soft" }, "null")
  const marks = isText(shown.column) ? marksOf(question.find) : undefined
  const base = ["url", "_source_url"].map((name) => valueIn(columns, row, name)).find((url) => isLink(String(url)))
  const cell = shownValue(shown, row, { marks, base: typeof base === "string" ? base : undefined })
  cell.classList.toggle("wide", String(value).length > longestBeside && shown.kind !== "link")
  return cell
}

interface Shown {
  readonly marks: RegExp | undefined
  /** Where links of Markdown begin that name no host. */
  readonly base: string | undefined
}

const shownValue = (shown: ShownColumn, row: Row, { base, marks }: Shown): HTMLElement => {
  const value = String(row[shown.at])
  const nodes = (text: string) => (marks === undefined ? [text] : markedNodes(text, marks))
  switch (shown.kind) {
    case "number":
    case "money":
    case "boolean":
      return el("dd", { title: value }, shown.text(row))
    case "time":
      return el("dd", { title: value }, shown.text(row), / \d\d:\d\d/.test(shown.text(row)) ? " UTC" : "")
    case "nested":
      return nestedValue(value, shown.column.name === "sheet")
    case "link":
      return el("dd", {}, ...(marks === undefined ? [linked(value)] : nodes(value)))
    case "text":
      if (isMarkdown(value)) return markdownValue(value, { base, nodes })
      return textValue(value, marks === undefined ? (text) => [linked(text)] : nodes, marks)
  }
}

/** A list as its items, and an object as JSON with a line for each member. */
const nestedValue = (text: string, isSheet: boolean): HTMLElement => {
  const value = jsonOf(text)
  const sheet = isSheet ? Sheet.read(value) : undefined
  if (sheet !== undefined) return sheetValue(sheet)
  if (Array.isArray(value) && value.length <= mostItems && value.every((item: unknown) => typeof item !== "object")) {
    return value.length === 0
      ? el("dd", { class: "soft" }, "an empty list")
      : el("dd", {}, el("ul", {}, ...value.map((item: unknown) => el("li", {}, linked(String(item))))))
  }
  const lines = value === undefined ? text : JSON.stringify(value, null, 2)
  return textValue(lines, (part) => [part], undefined, "code")
}

/** What was asked, found and left of the pages of a job. */
const sheetValue = ({ fields, pages_gone: gone, pages_not_read: notRead }: Sheet.Sheet): HTMLElement =>
  el(
    "dd",
    { class: "wide" },
    tableOf(
      `${count(notRead)} pages were not read, ${count(gone)} links are gone`,
      Sheet.heads,
      fields.map((field) => [...Sheet.rowOf(field)])
    )
  )

/** It can be read as it is written, too. */
const markdownValue = (
  value: string,
  { base, nodes }: { readonly base: string | undefined; readonly nodes: (text: string) => ReadonlyArray<Node | string> }
): HTMLElement => {
  const read = el("div", { class: "markdown" })
  const source = el("div", { hidden: true })
  let shown = 0
  const more = button("", () => add())
  const add = (): void => {
    const end = pieceEnd(value, shown)
    more.remove()
    read.append(...markdownNodes(value.slice(shown, end), { base, nodes }))
    shown = end
    more.textContent = `Show more of ${count(value.length)} characters`
    if (shown < value.length) read.append(more)
  }
  add()
  const turn = button(
    "as text",
    () => {
      source.hidden = !source.hidden
      read.hidden = !source.hidden
      turn.textContent = source.hidden ? "as text" : "as a page"
      if (source.childElementCount === 0) source.append(...textValue(value, nodes, undefined).childNodes)
    },
    { class: "plain turn" }
  )
  return el("dd", { class: "read" }, turn, read, source)
}

/** The end of a piece of Markdown: between two paragraphs, if there is such a place. */
const pieceEnd = (text: string, from: number): number => {
  if (text.length - from <= markdownStep) return text.length
  const end = text.lastIndexOf("\n\n", from + markdownStep)
  return end > from ? end : from + markdownStep
}

const textValue = (
  value: string,
  nodes: (text: string) => ReadonlyArray<Node | string>,
  marks: RegExp | undefined,
  kind = ""
): HTMLElement => {
  if (value.length <= longest) return el("dd", { class: kind }, ...nodes(value))
  const all = el("button", { type: "button" })
  const begin = marks === undefined ? value : fromFirstMark(value, marks, longest - beforeMark, beforeMark)
  const place = el("dd", { class: kind }, ...nodes(begin.slice(0, longest).toWellFormed()), "… ", all)
  let shown = 0
  const label = (): void => {
    const next = Math.min(value.length, shown + step)
    all.textContent = `Show ${next === value.length ? "all" : `${count(next)} of`} ${count(value.length)} characters`
  }
  label()
  all.addEventListener("click", () => {
    shown = Math.min(value.length, shown + step)
    const isAll = shown === value.length
    label()
    all.parentElement?.replaceChildren(...nodes(value.slice(0, shown).toWellFormed()), ...(isAll ? [] : ["… ", all]))
  })
  return place
}

/** More depth is text. */
const deepest = 6
/** Of a longer paragraph, the rest is plain text. */
const longestInline = 20_000

interface Options {
  /** Where links begin that name no host. */
  readonly base: string | undefined
  /** A piece of text as nodes: with marks, for one. */
  readonly nodes: (text: string) => ReadonlyArray<Node | string>
}

/** Whether a text has what only Markdown has: a heading, a list, a link, a table, code. */
const isMarkdown = (text: string): boolean =>
  !/^\s*[<{[]/.test(text) &&
  /^#{1,6} \S|^\s*[-*+] \S.*\n\s*[-*+] \S|^\d+[.)] \S.*\n|\]\((?:https?:|\/|#)|^\|.*\|\s*\n\|[\s:|-]+\|\s*$|^```/m.test(
    text
  )

/**
 * Markdown as elements of the page: headings, lists, tables, quotes, code, emphasis, links.
 *
 * Guarantee: its text becomes text nodes, and nothing of it is HTML; a link leads to a web page or is text. Images are links, since
 * the page loads nothing from elsewhere. It reads each line a few times at most, however it is nested.
 */
const markdownNodes = (text: string, options: Options): ReadonlyArray<Node> =>
  blocks(text.replace(/\r\n?/g, "\n").split("\n"), options, 0)

const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const fence = /^( {0,3})(`{3,}|~{3,})/
const quoteLine = /^ {0,3}> ?/
const item = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t|$)/
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

const blocks = (lines: ReadonlyArray<string>, options: Options, depth: number): ReadonlyArray<Node> => {
  const made: Array<Node> = []
  let at = 0
  const take = (isPart: (line: string) => boolean): ReadonlyArray<string> => {
    const from = at
    while (at < lines.length && isPart(lines[at] ?? "")) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ""
    const [, signs, title = ""] = heading.exec(line) ?? []
    const [, indent = "", ticks] = fence.exec(line) ?? []
    if (line.trim() === "") at++
    else if (signs !== undefined) {
      made.push(el("p", { class: `heading level${signs.length}` }, ...inline(title, options)))
      at++
    } else if (ticks !== undefined) {
      at++
      const code = take((next) => !next.trimStart().startsWith(ticks))
      at++
      made.push(
        el("pre", {}, el("code", {}, ...options.nodes(code.map((one) => without(one, indent.length)).join("\n"))))
      )
    } else if (rule.test(line)) {
      made.push(el("hr"))
      at++
    } else if (depth < deepest && quoteLine.test(line)) {
      const quoted = take((next) => quoteLine.test(next)).map((one) => one.replace(quoteLine, ""))
      made.push(el("blockquote", {}, ...blocks(quoted, options, depth + 1)))
    } else if (depth < deepest && item.test(line)) made.push(list(take, options, depth, line))
    else if (line.includes("|") && tableRule.test(lines[at + 1] ?? "") && cellsOf(lines[at + 1] ?? "").length > 0)
      made.push(
        table(
          take((next) => next.includes("|")),
          options
        )
      )
    else {
      // A paragraph has its first line whatever that looks like, so each turn goes on.
      at++
      made.push(el("p", {}, ...inline([line, ...take((next) => !endsParagraph(next))].join("\n"), options)))
    }
  }
  return made
}

const endsParagraph = (line: string): boolean =>
  line.trim() === "" || heading.test(line) || fence.test(line) || quoteLine.test(line) || item.test(line)

const without = (line: string, spaces: number): string => line.replace(new RegExp(`^ {0,${spaces}}`), "")

const list = (
  take: (isPart: (line: string) => boolean) => ReadonlyArray<string>,
  options: Options,
  depth: number,
  first: string
): HTMLElement => {
  const isNumbered = /^\s*\d/.test(first)
  const items: Array<Array<string>> = []
  let [width, isBlank] = [0, false]
  take((line) => {
    const [whole = "", , sign = ""] = item.exec(line) ?? []
    const isInner = /^\s/.test(line) && line.search(/\S/) >= width
    if (line.trim() === "") {
      if (isBlank) return false
      isBlank = true
      items.at(-1)?.push("")
      return true
    }
    if (whole !== "" && !(isInner && items.length > 0) && !rule.test(line)) {
      if (/^\d/.test(sign) !== isNumbered) return false
      width = whole.length
      items.push([line.slice(whole.length)])
    } else if (isInner) items.at(-1)?.push(without(line, width))
    else if (isBlank || endsParagraph(line)) return false
    else items.at(-1)?.push(line)
    isBlank = false
    return true
  })
  const shown = items.map((lines) => {
    const nodes = blocks(lines, options, depth + 1)
    const [only] = nodes
    // An item of one paragraph is no paragraph of its own.
    return only instanceof HTMLParagraphElement && only.className === ""
      ? el("li", {}, ...only.childNodes, ...nodes.slice(1))
      : el("li", {}, ...nodes)
  })
  return isNumbered ? el("ol", { start: Number.parseInt(first, 10) }, ...shown) : el("ul", {}, ...shown)
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const table = ([head = "", , ...body]: ReadonlyArray<string>, options: Options): HTMLElement => {
  const cells = (line: string, tag: "th" | "td") => cellsOf(line).map((cell) => el(tag, {}, ...inline(cell, options)))
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...cells(head, "th"))),
      el("tbody", {}, ...body.map((line) => el("tr", {}, ...cells(line, "td"))))
    )
  )
}

/** Bounded, so that a text of signs alone takes no longer than another. */
const span =
  /\\([!-/:-@[-`{-~])|(`{1,3})([^`]{1,1000})\2|(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]{0,300}\]){0,500})\]\(\s*<?([^\s()<>]{0,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,500})?)>?(?:\s+["'][^"']{0,300}["'])?\s*\)|<(https?:\/\/[^\s<>]{1,2000})>|(https?:\/\/[^\s<>()[\]]{1,2000}[^\s<>()[\].,;:!?'"*_])|(\*\*|__)(?=\S)((?:[^*_\\]|\\.|[*_](?!\9)){1,1000}?)\9|(~~)(?=\S)([^~]{1,1000})~~|(?<![\w*])(\*|_)(?=\S)([^*_]{1,1000}?)(?<=\S)\13(?![\w*])|( {2,}|\\)\n/gu

const inline = (text: string, options: Options, depth = 0): ReadonlyArray<Node | string> => {
  const made: Array<Node | string> = []
  const read = depth < deepest ? text.slice(0, longestInline) : ""
  let from = 0
  for (const found of read.matchAll(span)) {
    if (found.index > from) made.push(...options.nodes(text.slice(from, found.index)))
    made.push(...spanNodes(found, options, depth))
    from = found.index + found[0].length
  }
  if (from < text.length) made.push(...options.nodes(text.slice(from)))
  return made
}

const spanNodes = (found: RegExpMatchArray, options: Options, depth: number): ReadonlyArray<Node | string> => {
  const [whole, escaped, , code, image, label, href = "", auto, bare, , strong, , struck, , weak, wrap] = found
  const inner = (text: string) => inline(text, options, depth + 1)
  if (escaped !== undefined) return options.nodes(escaped)
  if (code !== undefined) return [el("code", {}, ...options.nodes(code))]
  if (strong !== undefined) return [el("strong", {}, ...inner(strong))]
  if (struck !== undefined) return [el("s", {}, ...inner(struck))]
  if (weak !== undefined) return [el("em", {}, ...inner(weak))]
  if (wrap !== undefined) return [el("br")]
  const address = auto ?? bare
  if (address !== undefined) return [outerLink(address, ...options.nodes(address)) ?? whole]
  const shown = label === undefined || label === "" ? options.nodes(href) : inner(label)
  const words = image === "!" ? ["picture: ", ...shown] : shown
  const link = outerLink(URL.parse(href, options.base)?.href ?? "", ...words)
  return link === undefined ? words : [link]
}
