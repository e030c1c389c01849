/** What stands above the grid of a table: words to find, filters that can be taken away, empty columns, files, the link. */
import type { ColumnInfo, Filter } from "../ExploreApi.ts"
import { longestFind } from "../findWords.ts"
import type { FileFormat } from "./Answers.ts"
import { filterWords } from "./columnHead.ts"
import { button, el } from "./dom.ts"
import { showKeyboardHelp } from "./keyboardHelp.ts"

interface Actions {
  readonly find: () => void
  readonly download: (format: FileFormat) => void
  readonly remove: (filter: Filter) => void
  readonly showEmpty: (isShown: boolean) => void
}

export interface TableTools {
  readonly element: HTMLElement
  readonly find: HTMLInputElement
  readonly state: HTMLElement
  readonly showFilters: (filters: ReadonlyArray<Filter>, columns: ReadonlyArray<ColumnInfo>) => void
  /** How many columns are empty. */
  readonly countEmpty: (count: number) => void
}

export const tableTools = (words: string, formats: ReadonlyArray<FileFormat>, actions: Actions): TableTools => {
  const find = el("input", {
    type: "search",
    value: words,
    size: 24,
    maxlength: longestFind,
    placeholder: `words, or "a phrase"`
  })
  const state = el("p", { class: "soft", role: "status" })
  const form = el("form", { class: "tools", role: "search" }, el("label", {}, "Find", find), el("button", {}, "Find"))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    actions.find()
  })
  let [emptyColumns, isShown] = [0, false]
  const empty = button("", () => {
    isShown = !isShown
    labelEmpty()
    actions.showEmpty(isShown)
  })
  const labelEmpty = (): void => {
    empty.hidden = emptyColumns === 0
    empty.textContent = `${isShown ? "Hide" : "Show"} ${emptyColumns} empty ${emptyColumns === 1 ? "column" : "columns"}`
  }
  labelEmpty()
  const files = formats.map((format) => {
    const name = format === "csv" ? "CSV" : "Parquet"
    return button(name, () => actions.download(format), { "aria-label": `Download these rows as ${name}` })
  })
  const copied = el("span", { class: "soft", role: "status" })
  const copy = button("Copy link", () => void copyLink(copied))
  const help = button("?", showKeyboardHelp, { "aria-label": "Keyboard help", title: "Keyboard help (?)" })
  const chips = el("ul", { class: "chips", "aria-label": "Filters", hidden: true })
  const element = el(
    "div",
    { class: "above" },
    el(
      "div",
      { class: "tools" },
      form,
      el("div", { class: "tools" }, el("span", { class: "soft" }, "Download"), ...files),
      copy,
      help
    ),
    el("div", { class: "tools" }, state, empty, chips, copied)
  )
  return {
    element,
    find,
    state,
    showFilters: (filters, columns) => {
      chips.hidden = filters.length === 0
      chips.replaceChildren(
        ...filters.map((filter) => chipOf(filterWords(filter, columns), () => actions.remove(filter)))
      )
    },
    countEmpty: (count) => {
      emptyColumns = count
      labelEmpty()
    }
  }
}

const chipOf = (words: string, remove: () => void): HTMLElement =>
  el(
    "li",
    {},
    el("span", {}, words),
    button("×", remove, { "aria-label": `Remove the filter: ${words}`, title: "Remove this filter" })
  )

/** A browser gives its clipboard to pages of this machine and of https alone: elsewhere the link is shown. */
const copyLink = async (place: HTMLElement): Promise<void> => {
  const { href } = location
  try {
    await navigator.clipboard.writeText(href)
    place.textContent = "The link is copied."
  } catch {
    const text = el("input", { readonly: true, value: href, "aria-label": "The link to this page", size: 40 })
    place.replaceChildren("Copy it from here: ", text)
    text.select()
  }
}
