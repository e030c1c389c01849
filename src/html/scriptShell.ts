/**
 * Whether a page is an empty shell that only scripts fill: what a site of one page sends before it has run.
 *
 * The rule, of which all has to hold: the page loads a script; what a reader sees of it is shorter than a sentence; no link
 * leads on, and no picture, frame, form or table stands on it; and there is an empty place for the scripts to fill: an
 * element that has an id, or a name of its own kind (`<app-root>`), and nothing in it but "Loading ...". A short page with a script
 * beside it has no such place.
 */
import type { Attributes } from "./Attributes.ts"
import { UNSEEN } from "./Elements.ts"
import type { Page } from "./PageOptions.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./Tree.ts"

/** The cheap question, asked of every page: only a page with hardly a word and hardly a link is read once more. */
export const maybeShell = ({ links, markdown = "" }: Page): boolean =>
  links.length <= fewLinks && markdown.length <= shortMarkdown

export const isScriptShell = (html: string): boolean => {
  const shell = new Shell()
  const tree = new Tree(shell, false)
  tokenize(html, tree)
  tree.end()
  return shell.isEmpty()
}

/** "Please enable JavaScript" has a link now and then. */
const fewLinks = 2
/** Of a page whose own words are few, images and markup included. */
const shortMarkdown = 400
/** "Loading, please wait ..." */
const sentence = 80

interface Open {
  readonly element: Element
  /** Whether scripts may fill it, while nothing is in it. */
  isPlace: boolean
}

class Shell implements Reader {
  private words = 0
  private hasScript = false
  private hasContent = false
  private hasPlace = false
  /** How many elements are open that show no text. */
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

/** What stands in a place until it is filled. */
const waiting = /load|wait|javascript|^[.\s\u2026]+$/i
const places = new Set(["div", "main", "section", "article"])
const content = new Set(["img", "picture", "frame", "frameset", "form", "input", "table", "pre", "h1", "h2", "p", "li"])
const shown = new Set(["iframe", "object", "embed", "video", "audio", "canvas", "svg", "textarea", "select", "button"])

/** Data in a script element, as JSON-LD, runs nothing. */
const isCode = (attributes: Attributes): boolean => {
  const type = attributes.get("type") ?? ""
  return type === "" || type === "module" || /javascript/i.test(type)
}
