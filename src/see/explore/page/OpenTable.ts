/** A table that is shown: which of its rows, in which order, and what is open beside them. */
import type { ColumnSummary, Filter, RowsAnswer, TableInfo } from "../ExploreApi.ts"
import { filtersText, isSame } from "../filters.ts"
import { marksOf } from "../findWords.ts"
import { currentFilter, isNested, isOfCurrent, isText } from "../gridSql.ts"
import type { Answers, FileFormat } from "./Answers.ts"
import { arranged, columnContent, kindWord, type ShownColumn } from "./columnContent.ts"
import { binFilter, distinctWords, rangeWords, shareWords, valueWords } from "./columnHead.ts"
import { button, count, counted, el, problem } from "./dom.ts"
import { type Grid, makeGrid } from "./Grid.ts"
import { showKeyboardHelp } from "./keyboardHelp.ts"
import { hashOf, remember } from "./route.ts"
import { rowPanel } from "./rowPanel.ts"
import { firstRows, type Rows, rowsOfTable, type TableQuestion } from "./rows.ts"
import { type TableTools, tableTools } from "./tableTools.ts"

interface Begin {
  readonly params: URLSearchParams
  readonly where: ReadonlyArray<Filter>
  readonly mark: (name: string, isAll: boolean) => void
}

export class OpenTable {
  readonly element: HTMLElement
  readonly #answers: Answers
  readonly #table: TableInfo
  readonly #mark: Begin["mark"]
  readonly #tools: TableTools
  readonly #place = el("div", { class: "place" })
  readonly #isOver = new AbortController()
  #where: ReadonlyArray<Filter>
  #order: string
  #find: string
  /** The row that is open; undefined: none. */
  #row: number | undefined
  #grid: Grid | undefined
  #rows: Rows | undefined
  #asking: AbortController | undefined
  /** All columns as they are shown; undefined: no row of the table was seen yet. */
  #columns: ReadonlyArray<ShownColumn> | undefined
  #empty: ReadonlySet<string> = new Set()
  #isEmptyShown = false
  #first: RowsAnswer | undefined
  /** What columns hold, in the rows that these filters leave. */
  #profile:
    | { readonly of: string; readonly basis: string; readonly columns: ReadonlyMap<string, ColumnSummary> }
    | undefined

  /** Shows in an open card what its column holds. */
  #described: () => void = () => undefined

  constructor(answers: Answers, table: TableInfo, { mark, params, where }: Begin) {
    this.#answers = answers
    this.#table = table
    this.#mark = mark
    const isHistory = table.current !== undefined
    this.#where = isHistory && params.get("versions") !== "all" ? [currentFilter, ...where] : where
    this.#order = params.get("order") ?? ""
    this.#find = params.get("find") ?? ""
    const row = params.get("row") ?? ""
    this.#row = /^[1-9]\d{0,14}$/.test(row) ? Number(row) - 1 : undefined
    this.#tools = tableTools(this.#find, answers.formats, {
      find: () => {
        this.#find = this.#tools.find.value
        this.#row = undefined
        void this.#fill(false)
      },
      download: (format) => void this.#download(format),
      remove: (filter) => this.#filter(this.#where.filter((one) => !isSame(one, filter))),
      showEmpty: (isShown) => {
        this.#isEmptyShown = isShown
        this.#row = undefined
        if (this.#first !== undefined) this.#show(this.#first, false)
        void this.#askProfile()
      }
    })
    this.element = sectionOf(table, this.#tools.element, this.#place)
  }

  begin(): void {
    addEventListener("keydown", this.#keys, { signal: this.#isOver.signal })
    void this.#fill(false)
  }

  close(): void {
    this.#isOver.abort()
    this.#grid?.close()
    this.#asking?.abort()
  }

  readonly #keys = (event: KeyboardEvent): void => {
    const { altKey, ctrlKey, key, metaKey, target } = event
    const isTyping = target instanceof Element && target.closest("input, textarea, select, dialog") !== null
    if (altKey || ctrlKey || metaKey || isTyping) return
    if (key === "?") showKeyboardHelp()
    else if (key === "/") this.#tools.find.focus()
    else if (key === "Escape" && this.#row !== undefined) this.#closeRow()
    else return
    event.preventDefault()
  }

  get #isCurrent(): boolean {
    return this.#where.some(isOfCurrent)
  }

  get #question(): TableQuestion {
    return { table: this.#table.name, find: this.#find, where: this.#where, order: this.#order }
  }

  #filter(where: ReadonlyArray<Filter>): void {
    this.#where = where
    void this.#fill(true)
  }

  readonly #choose = (filter: Filter): void => {
    const isThere = this.#where.some((one) => isSame(one, filter))
    if (!isThere) this.#filter([...this.#where, filter])
  }

  readonly #sort = (order: string): void => {
    this.#order = order
    void this.#fill(true)
  }

  async #fill(hasFocus: boolean): Promise<void> {
    this.#asking?.abort()
    const own = new AbortController()
    this.#asking = own
    const question = this.#question
    const row = hasFocus ? undefined : this.#row
    this.#row = row
    this.#remember()
    this.#tools.showFilters(this.#where, this.#table.columns)
    this.#tools.state.textContent = "Loading…"
    try {
      const first = await firstRows(this.#answers, question, own.signal)
      if (own !== this.#asking) return
      this.#first = first
      this.#show(first, hasFocus, question)
      if (row !== undefined) {
        this.#grid?.go(row, 0)
        this.#open(question, row, first.total ?? 0, false)
      }
      await this.#askProfile()
    } catch (error) {
      if (own !== this.#asking || own.signal.aborted) return
      this.#tools.state.textContent = ""
      this.#place.replaceChildren(problem(error))
    }
  }

  /** The URL has all that a link needs to show the same. */
  #remember(): void {
    const { name } = this.#table
    const isAll = this.#table.current !== undefined && !this.#isCurrent
    const where = filtersText(this.#where.filter((filter) => !isOfCurrent(filter)))
    const { find, order } = this.#question
    const row = this.#row === undefined ? "" : String(this.#row + 1)
    remember(hashOf("tables", name, { find, where, order, versions: isAll ? "all" : "", row }))
    this.#mark(name, isAll)
  }

  #show(first: RowsAnswer, hasFocus: boolean, question = this.#question): void {
    const rows = rowsOfTable(this.#answers, question, first, (error) => {
      this.#tools.state.textContent = error instanceof Error ? error.message : String(error)
    })
    const content = { columns: first.columns, rows: first.rows, key: this.#table.key, isProfiled: true }
    const all = this.#columns ?? arranged(columnContent(content), content)
    // Columns stay where they are while somebody filters.
    if (first.rows.length > 0) {
      this.#columns = all
      this.#empty = new Set(first.empty)
    }
    const { columns: summaries } = this.#profile ?? {}
    const shown = all.filter(({ column: { name } }) => this.#isEmptyShown || !this.#empty.has(name))
    this.#tools.countEmpty(this.#empty.size)
    this.#grid?.close()
    const marks = marksOf(question.find)
    const grid = makeGrid({
      label: this.#table.name,
      columns: first.columns,
      rows,
      shown,
      order: this.#order,
      marks,
      head: { choose: this.#choose, about: (column) => this.#about(column) },
      open: (at, isByKey) => this.#open(question, at, rows.total, isByKey),
      sized: (columns) => {
        const sized = new Map(columns.map((one) => [one.column.name, one] as const))
        this.#columns = all.map((one) => sized.get(one.column.name) ?? one)
      },
      sort: (column) => {
        const order = this.#order
        this.#sort(order === column ? `-${column}` : order === `-${column}` ? "" : column)
      }
    })
    this.#grid = grid
    this.#rows = rows
    if (summaries !== undefined) grid.profile(summaries)
    this.#place.replaceChildren(grid.element)
    const marked = marks === undefined ? -1 : markedColumn(first, shown, marks)
    if (marked !== -1) grid.go(0, marked)
    this.#tools.state.textContent = `${counted(rows.total)}${question.find === "" ? "" : ` with “${question.find}”`}${this.#ofAll(rows.total)}`
    if (hasFocus) grid.element.focus()
  }

  #ofAll(found: number): string {
    const all = this.#isCurrent ? (this.#table.current ?? 0) : this.#table.rows
    return found < all ? `, of ${count(all)}` : ""
  }

  /** What the columns hold: asked when the rows are there, so nobody waits for it. */
  async #askProfile(): Promise<void> {
    const [grid, asking, of] = [this.#grid, this.#asking, filtersText(this.#where)]
    const old = this.#profile?.of === of ? this.#profile : undefined
    const columns = (this.#columns ?? []).flatMap(({ column: { name } }) =>
      (this.#isEmptyShown || !this.#empty.has(name)) && old?.columns.has(name) !== true ? [name] : []
    )
    if (columns.length === 0 || grid === undefined || asking === undefined) return
    const question = { table: this.#table.name, where: this.#where, columns }
    try {
      const found = await this.#answers.profile(question, asking.signal)
      if (asking !== this.#asking) return
      const all = new Map([...(old?.columns ?? []), ...found.columns.map((one) => [one.name, one] as const)])
      this.#profile = { of, basis: found.basis, columns: all }
      this.#grid?.profile(all)
      this.#described()
    } catch (error) {
      if (asking !== this.#asking || asking.signal.aborted) return
      this.#tools.state.append(
        `. The columns are not described: ${error instanceof Error ? error.message : String(error)}`
      )
    }
  }

  #about(shown: ShownColumn): void {
    const show = (): HTMLDialogElement => {
      const card = columnCard({
        shown,
        summary: this.#profile?.columns.get(shown.column.name),
        basis: this.#profile?.basis ?? "",
        choose: this.#choose,
        sort: this.#sort
      })
      document.body.append(card)
      card.showModal()
      return card
    }
    const card = show()
    // Somebody may be faster than the database.
    this.#described = () => {
      if (!card.isConnected) return
      card.remove()
      show()
    }
  }

  #open(question: TableQuestion, at: number, total: number, isByKey: boolean): void {
    if (at >= total) return
    this.#row = at
    this.#remember()
    const panel = rowPanel(
      this.#answers,
      {
        table: this.#table,
        question,
        at,
        total,
        known: this.#rows?.at(at),
        shown: this.#columns ?? [],
        empty: this.#empty
      },
      {
        close: () => this.#closeRow(),
        move: (to) => {
          this.#grid?.go(to, 0)
          this.#open(question, to, total, true)
        },
        choose: this.#choose
      }
    )
    const old = this.#place.querySelector(".panel")
    if (old === null) this.#place.append(panel)
    else old.replaceWith(panel)
    if (isByKey) panel.focus()
  }

  #closeRow(): void {
    this.#place.querySelector(".panel")?.remove()
    this.#row = undefined
    this.#remember()
    this.#grid?.element.focus()
  }

  async #download(format: FileFormat): Promise<void> {
    const { state } = this.#tools
    const before = state.textContent
    state.textContent = "Making the file…"
    try {
      const href = await this.#answers.fileUrl(this.#question, format, this.#isOver.signal)
      const link = el("a", { href, download: `${this.#table.name}.${format}` })
      link.click()
      state.textContent = before
    } catch (error) {
      state.textContent = error instanceof Error ? error.message : String(error)
    }
  }
}

const sectionOf = (table: TableInfo, tools: HTMLElement, place: HTMLElement): HTMLElement => {
  const key = table.key.length === 0 ? "" : `key: ${table.key.join(", ")}`
  return el(
    "section",
    { class: "content", "aria-label": table.name },
    el("p", { class: "back" }, el("a", { href: hashOf("tables") }, "All tables")),
    el(
      "div",
      { class: "title" },
      el("h2", {}, table.name),
      el("p", { class: "soft" }, [table.description, key].filter((text) => text !== "").join("; "))
    ),
    tools,
    place
  )
}

/** The column that shows why the first row was found: it may stand far to the right. */
const markedColumn = ({ rows: [row = []] }: RowsAnswer, shown: ReadonlyArray<ShownColumn>, marks: RegExp): number =>
  shown.findIndex(({ at, column }) => {
    const value = row[at]
    return typeof value === "string" && isText(column) && value.search(marks) !== -1
  })

interface Card {
  readonly shown: ShownColumn
  readonly summary: ColumnSummary | undefined
  /** Where the figures are from. */
  readonly basis: string
  readonly choose: (filter: Filter) => void
  /** The order of a column: `name` or `-name`. */
  readonly sort: (order: string) => void
}

/**
 * All about a column: what it is, what its values are, and what can be done with it; each by a button, for every key and finger.
 */
const columnCard = ({ basis, choose, shown, sort, summary }: Card): HTMLDialogElement => {
  const { column } = shown
  const dialog = el("dialog", { class: "card", "aria-label": `Column ${column.name}` })
  const doing = (work: () => void) => (): void => {
    dialog.close()
    work()
  }
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["type", `${kindWord(shown)} (${column.type})`],
    ...(summary === undefined ? [] : factsOf(summary))
  ]
  dialog.append(
    el(
      "div",
      { class: "tools" },
      el("h3", {}, column.name),
      button("Close", () => dialog.close())
    ),
    ...(column.description === undefined ? [] : [el("p", {}, column.description)]),
    el(
      "div",
      { class: "tools" },
      button(
        "Sort ascending",
        doing(() => sort(column.name))
      ),
      button(
        "Sort descending",
        doing(() => sort(`-${column.name}`))
      )
    ),
    el("dl", { class: "facts" }, ...facts.flatMap(([name, fact]) => [el("dt", {}, name), el("dd", {}, fact)])),
    ...(summary === undefined
      ? []
      : [valuesOf(shown, summary, (filter) => doing(() => choose(filter))), el("p", { class: "soft" }, basis)])
  )
  dialog.addEventListener("click", ({ target }) => {
    // The dialog itself is what is clicked beside its content.
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  return dialog
}

const factsOf = (summary: ColumnSummary): ReadonlyArray<readonly [string, string]> => {
  const number = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 6 })
  const { filled, mean, median, rows } = summary
  return [
    ["filled", `${count(filled)} of ${counted(rows)} (${shareWords(filled, rows)})`],
    ...(summary.distinct === null ? [] : [["distinct", distinctWords(summary)] as const]),
    ...(mean === null ? [] : [["mean", number(mean)] as const]),
    ...(median === null ? [] : [["median", number(median)] as const])
  ]
}

/** One line for each value or range: it is a button that shows its rows. */
const valuesOf = (
  shown: ShownColumn,
  { bins, filled, rows, top }: ColumnSummary,
  choosing: (filter: Filter) => () => void
): HTMLElement => {
  const { column } = shown
  const lines: ReadonlyArray<readonly [string, number, Filter]> = [
    ...bins.flatMap((bin, at): ReadonlyArray<readonly [string, number, Filter]> => {
      const filter = binFilter(shown, bin, at === bins.length - 1)
      return bin.count === 0 ? [] : [[rangeWords(filter.from, filter.to, column), bin.count, filter]]
    }),
    ...top.map(
      ({ count: n, value }) => [valueWords(value, column), n, { column: column.name, kind: "is", value }] as const
    ),
    ...(filled === rows || filled === 0
      ? []
      : [
          ["empty", rows - filled, { column: column.name, kind: "is", value: null }] as const,
          ["not empty", filled, { column: column.name, kind: "filled" }] as const
        ])
  ]
  if (lines.length === 0)
    return el("p", { class: "soft" }, isNested(column) ? "Lists and objects are not counted." : "No value is frequent.")
  const most = lines.reduce((max, [, n]) => Math.max(max, n), 1)
  const list = el("ul", { class: "list values" })
  for (const [label, n, filter] of lines) {
    const line = button(el("span", {}, label), choosing(filter), { title: `Only rows with this` })
    line.append(el("small", {}, count(n)))
    line.style.setProperty("--share", String(n / most))
    list.append(el("li", {}, line))
  }
  return list
}
