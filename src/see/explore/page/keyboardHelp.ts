/** Which keys the tables have: opened by "?". */
import { button, el } from "./dom.ts"

const keys: ReadonlyArray<readonly [string, string]> = [
  ["Arrows, Page Up, Page Down", "move in the grid"],
  ["Home, End", "to the first and the last column; with Ctrl, to the first and the last row"],
  ["Enter", "open the row"],
  ["n, p", "in an open row: the next and the previous row"],
  ["Escape", "close the row, or what is open above the page"],
  ["s", "sort by the column: up, down, not at all"],
  ["f", "show only rows with the value of the cell"],
  ["c", "all about the column, and filters by its values"],
  ["+, -", "make the column wider or narrower"],
  ["o", "open the link of the cell"],
  ["/", "find words"],
  ["?", "this help"]
]

/** Shows the help above the page, until Escape or its button. */
export const showKeyboardHelp = (): void => {
  const dialog = el("dialog", { class: "card", "aria-label": "Keyboard" })
  dialog.append(
    el(
      "div",
      { class: "tools" },
      el("h3", {}, "Keyboard"),
      button("Close", () => dialog.close())
    ),
    el(
      "dl",
      { class: "facts" },
      ...keys.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)])
    )
  )
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
