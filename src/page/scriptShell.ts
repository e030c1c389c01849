/**
 * Whether a page is an empty shell that scripts fill, as single-page applications send it.
 *
 * All of this must be true: the page has a script; its visible text is shorter than a sentence; it has no link, image, frame,
 * form, table, heading or paragraph; and it has an empty place for the scripts to fill: a custom element (`<app-root>`), or a
 * block with an id, that contains nothing but "Loading ...". A short page that happens to load a script has no such place.
 */
import type { Attributes } from "./Attributes.ts"
import { UNSEEN } from "./Elements.ts"
import type { Page } from "./PageOptions.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./tree/Tree.ts"

/** A cheap test for every page: only pages with few words and few links are read again by `isScriptShell`. */
export const maybeShell = ({ links, markdown = "" }: Page): boolean =>
  links.length <= fewLinks && markdown.length <= shortMarkdown

export const isScriptShell = (html: string): boolean => {
  const shell = new Shell()
  const tree = new Tree(shell, false)
  tokenize(html, tree)
  tree.end()
  return shell.isEmpty()
}

/** "Please enable JavaScript" sometimes has a link. */
const fewLinks = 2
/** The maximum length of the Markdown, with images and markup. */
const shortMarkdown = 400
/** The maximum length of the visible text: "Loading, please wait ..." */
const sentence = 80

interface Open {
  readonly element: Element
  /** Whether scripts can fill the element: no text was found in it so far. */
  isPlace: boolean
}

class Shell implements Reader {
  private words = 0
  private hasScript = false
  private hasContent = false
  private hasPlace = false
  /** The number of open elements whose text is not visible, including those inside another one. */
  private unseen = 0
  private readonly elements: Array<Open> = []

  open(element: Element, attributes: Attributes): void {
    const { name } = element
    if (name === "script" && isCode(attributes)) this.hasScript = true
    if (this.unseen > 0 || (element.kind.flags & UNSEEN) !== 0) {
      if (this.unseen === 0 && shown.has(name)) this.hasContent = true
      this.unseen += 1
      this.elements.push({ element, isPlace: false })
      return
    }
    if (content.has(name) || (name === "a" && attributes.has("href"))) this.hasContent = true
    this.elements.push({ element, isPlace: name.includes("-") || (places.has(name) && attributes.has("id")) })
  }

  close(element: Element): void {
    const at = this.elements.findLastIndex((open) => open.element === element)
    const [open] = at === -1 ? [] : this.elements.splice(at, 1)
    if (open === undefined) return
    if (this.unseen > 0) this.unseen -= 1
    else if (open.isPlace) this.hasPlace = true
  }

  text(value: string): void {
    const words = this.unseen > 0 ? "" : value.trim()
    this.words += words.length
    if (words === "" || waiting.test(words)) return
    for (const open of this.elements) open.isPlace = false
  }

  isEmpty(): boolean {
    return this.hasScript && this.hasPlace && !this.hasContent && this.words <= sentence
  }
}

/** The text in a place until scripts fill it. */
const waiting = /load|wait|javascript|^[.\s\u2026]+$/i
const places = new Set(["div", "main", "section", "article"])
const content = new Set(["img", "picture", "frame", "frameset", "form", "input", "table", "pre", "h1", "h2", "p", "li"])
const shown = new Set(["iframe", "object", "embed", "video", "audio", "canvas", "svg", "textarea", "select", "button"])

/** Whether a script element has code. One with data, such as JSON-LD, does not run. */
const isCode = (attributes: Attributes): boolean => {
  const type = attributes.get("type") ?? ""
  return type === "" || type === "module" || /javascript/i.test(type)
}
