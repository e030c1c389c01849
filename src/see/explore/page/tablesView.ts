/** The tables, and one of them beside their list. */
import { filtersIn } from "../filters.ts"
import type { Answers } from "./Answers.ts"
import { el, problem } from "./dom.ts"
import { OpenTable } from "./OpenTable.ts"
import type { Route, View } from "./route.ts"
import { tableList } from "./tableList.ts"

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
