/** Shows the list of a page that a script would show, if it is the only one. Returns whether there is one. */
import { hiddenListOf } from "./content/hiddenList.ts"
import { readDom } from "./content/readDom.ts"
import { type Element, show } from "./Dom.ts"

export const showHiddenList = (root: Element): boolean => {
  const { elements, outline } = readDom(root)
  const element = elements[hiddenListOf(outline)?.number ?? -1]
  if (element !== undefined) show(element)
  return element !== undefined
}

/** What a reader should know of a page with such a list. */
export const hiddenListWarning =
  "the only list of the page is hidden until a script shows it: it is read, and the page may show another one"
