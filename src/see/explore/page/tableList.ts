/** The tables that can be opened: those of the pipeline, those of others, and what Millrace writes down about its runs. */
import type { TableInfo } from "../ExploreApi.ts"
import { count, el } from "./dom.ts"
import { hashOf } from "./route.ts"

export interface TableList {
  readonly element: HTMLElement
  /** Marks the table that is open. `isAll`: all versions of a history, and not only the current ones. */
  readonly mark: (name: string, isAll: boolean) => void
}

export const tableList = (tables: ReadonlyArray<TableInfo>, opened: TableInfo | undefined): TableList => {
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
