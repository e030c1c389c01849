/** The tables beside the editor of SQL, each with its columns; a click on a name puts it into the query. */

import { sqlName } from "../../sql/sqlName.ts"
import type { TableInfo } from "../ExploreApi.ts"
import { count, el } from "./dom.ts"

/** `insert` gets a name as SQL has it. */
export const sqlTables = (tables: ReadonlyArray<TableInfo>, insert: (name: string) => void): HTMLElement => {
  const own = tables.filter(({ isOwn }) => isOwn)
  const others = tables.filter(({ isOwn }) => !isOwn)
  const item = (table: TableInfo, at: number): HTMLElement => itemOf(table, `columns-${table.name}`, at === 0, insert)
  const list = el("ul", { class: "list" }, ...own.map(item))
  const rest =
    others.length === 0
      ? []
      : [
          el(
            "details",
            {},
            el("summary", {}, `${count(others.length)} other tables`),
            el("ul", { class: "list" }, ...others.map((table) => item(table, 1)))
          )
        ]
  const fold = el("details", { class: "names" }, el("summary", {}, "Tables and columns"), list, ...rest)
  // On a narrow screen the query comes first, and its names are there on request.
  fold.open = matchMedia("(min-width: 50rem)").matches
  return el("nav", { class: "names-of", "aria-label": "Tables and columns" }, fold)
}

const itemOf = (table: TableInfo, id: string, isOpen: boolean, insert: (name: string) => void): HTMLElement => {
  const columns = el("ul", { class: "list", id, hidden: !isOpen })
  for (const { description, name, type } of table.columns) {
    columns.append(
      el("li", {}, nameButton(name, description, insert), " ", el("small", { title: type }, shortType(type)))
    )
  }
  const fold = el(
    "button",
    {
      type: "button",
      class: "fold",
      "aria-expanded": String(isOpen),
      "aria-controls": id,
      "aria-label": `Columns of ${table.name}`
    },
    "▸"
  )
  fold.addEventListener("click", () => {
    columns.hidden = !columns.hidden
    fold.setAttribute("aria-expanded", String(!columns.hidden))
  })
  return el(
    "li",
    {},
    fold,
    nameButton(table.name, table.description, insert),
    " ",
    el("small", {}, count(table.rows)),
    columns
  )
}

const nameButton = (name: string, description: string | undefined, insert: (name: string) => void): HTMLElement => {
  const title = description === undefined || description === "" ? undefined : description
  const button = el("button", { type: "button", class: "name", title }, name)
  button.addEventListener("click", () => insert(sqlName(name, undefined)))
  return button
}

/** A struct may say all of its fields. */
const shortType = (type: string): string => (type.length > 24 ? `${type.slice(0, 23)}…` : type)
