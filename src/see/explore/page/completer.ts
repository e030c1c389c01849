/** Completion of a text area: the words that fit are below it, Tab takes one, arrows choose, Escape closes. */
import { complete } from "../../sql/completion.ts"
import { el } from "./dom.ts"

const most = 12

export const completer = (
  text: HTMLTextAreaElement,
  names: ReadonlyArray<string>
): { readonly list: HTMLElement; readonly close: () => void } => {
  const list = el("ul", { class: "words", role: "listbox", id: "words", "aria-label": "Completions" })
  text.setAttribute("aria-autocomplete", "list")
  text.setAttribute("aria-controls", "words")
  let found: ReadonlyArray<string> = []
  let begun = ""
  let chosen = 0

  const draw = (): void => {
    list.replaceChildren(
      ...found.map((word, at) =>
        el("li", { role: "option", id: `word${at}`, "aria-selected": String(at === chosen) }, word)
      )
    )
    if (found.length === 0) text.removeAttribute("aria-activedescendant")
    else text.setAttribute("aria-activedescendant", `word${chosen}`)
  }
  const close = (): void => {
    found = []
    draw()
  }
  const take = (word: string | undefined): void => {
    if (word === undefined) return
    text.setRangeText(word, text.selectionStart - begun.length, text.selectionStart, "end")
    close()
  }
  text.addEventListener("input", () => {
    const [all, part] = complete(text.value.slice(0, text.selectionStart), names)
    found = [...new Set(all)].filter((word) => word !== part).slice(0, most)
    begun = part
    chosen = 0
    draw()
  })
  text.addEventListener("keydown", (event) => {
    if (found.length === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const steps: Readonly<Record<string, () => void>> = {
      Tab: () => take(found[chosen]),
      Escape: close,
      ArrowDown: () => {
        chosen = (chosen + 1) % found.length
        draw()
      },
      ArrowUp: () => {
        chosen = (chosen + found.length - 1) % found.length
        draw()
      }
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    step()
  })
  text.addEventListener("blur", close)
  // Before the text area loses the focus.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault()
    if (event.target instanceof Element) take(found[[...list.children].indexOf(event.target)])
  })
  return { list, close }
}
