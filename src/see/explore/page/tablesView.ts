/** The tables, and one of them beside their list. */
import type { TableInfo } from "../ExploreApi.ts"
import { filtersIn } from "../filters.ts"
import type { Answers } from "./Answers.ts"
import { count, el, problem } from "./dom.ts"
import { OpenTable } from "./OpenTable.ts"
import { hashOf, type Route, type View } from "./route.ts"

/** A window in which a list of tables leaves no place for one of them (`pageHtml.ts` says the same). */
const narrow = "(max-width:50rem)"

export const tablesView = async ({ name, params }: Route, answers: Answers): Promise<View> => {
  const { sink, tables } = await answers.tables()
  const table = tables.find((one) => one.name === name) ?? (name === "" ? tables[0] : undefined)
  const list = tableList(tables, table)
  const split = el("div", { class: name === "" ? "split listed" : "split opened" }, list.element)
  if (table === undefined) {
    const message =
      name === "" ? `Sink ${sink} has no tables yet: run the pipeline first.` : `There is no table ${name}.`
    split.append(el("p", {}, message))
    return { elements: [split] }
  }
  const where = filtersIn(params.get("where") ?? "")
  if (where === undefined) {
    split.append(problem(new Error("The filters in the URL cannot be read: open the table again from the list.")))
    return { elements: [split] }
  }
  const open = new OpenTable(answers, table, { params, where, mark: list.mark })
  const size = matchMedia(narrow)
  const show = (): void => {
    // A phone shows the list first, and asks for no rows that nobody sees.
    if (size.matches && name === "") return
    size.removeEventListener("change", show)
    split.append(open.element)
    open.begin()
  }
  size.addEventListener("change", show)
  show()
  return {
    elements: [split],
    close: () => {
      size.removeEventListener("change", show)
      open.close()
    }
  }
}

/**
 * The tables that can be opened: those of the pipeline, those of others, and what Millrace writes down about its runs.
 */
interface TableList {
  readonly element: HTMLElement
  /** Marks the table that is open. `isAll`: all versions of a history, and not only the current ones. */
  readonly mark: (name: string, isAll: boolean) => void
}

const tableList = (tables: ReadonlyArray<TableInfo>, opened: TableInfo | undefined): TableList => {
  // The current rows of a history are what its first link shows.
  const listed = tables.filter(({ currentOf }) => currentOf === undefined)
  const own = listed.filter(({ isOwn, isRecord }) => isOwn && !isRecord)
  const others = listed.filter(({ isOwn, isRecord }) => !isOwn && !isRecord)
  const records = listed.filter(({ isRecord }) => isRecord)
  const element = el("nav", { class: "side", "aria-label": "Tables" }, list(own))
  if (others.length > 0) element.append(el("p", { class: "soft" }, "Other tables of the sink"), list(others))
  if (records.length > 0) {
    const isOpen = opened?.isRecord === true
    const group = el(
      "details",
      { open: isOpen },
      el("summary", {}, "About the runs: errors, rejects, loads"),
      list(records)
    )
    element.append(group)
  }
  const mark = (name: string, isAll: boolean): void => {
    const wanted = hrefOf(name, isAll)
    for (const link of element.querySelectorAll("a")) {
      if (link.getAttribute("href") === wanted) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
    }
  }
  return { element, mark }
}

const hrefOf = (name: string, isAll: boolean): string => hashOf("tables", name, isAll ? { versions: "all" } : {})

const list = (tables: ReadonlyArray<TableInfo>): HTMLElement =>
  el(
    "ul",
    { class: "list" },
    ...tables.map((table) => {
      const line = entry(table.name, table, table.current ?? table.rows, false)
      // A history is read by its current rows; who wants the past finds it below them.
      if (table.current !== undefined)
        line.append(el("ul", { class: "list" }, entry("all versions", table, table.rows, true)))
      return line
    })
  )

const entry = (label: string, { name }: TableInfo, rows: number, isAll: boolean): HTMLElement =>
  el(
    "li",
    {},
    el("a", { href: hrefOf(name, isAll), class: "table" }, el("span", {}, label), " ", el("small", {}, count(rows)))
  )
