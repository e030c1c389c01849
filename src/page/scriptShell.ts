/**
 * Whether a page is an empty shell that scripts fill, as single-page applications send it.
 *
 * The evidence is what the page says before its scripts run: nothing, outside of its header, its footer and what stands there
 * until scripts fill it: "Loading ...", a spinner, a skeleton, the text of an error that has not happened. A page with a place for
 * scripts, a custom element or an empty block with an id, may say up to a sentence. A page without any place that says nothing is a
 * shell too, unless its scripts only lead elsewhere.
 */
import type { Attributes } from "./Attributes.ts"
import { UNSEEN } from "./Elements.ts"
import type { Page } from "./PageOptions.ts"
import { redirectsIn } from "./scriptedLinks.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./tree/Tree.ts"

/** A cheap test for every page: only pages with few words are read again by `isScriptShell`. */
export const maybeShell = ({ markdown = "" }: Page): boolean => markdown.length <= shortMarkdown

export const isScriptShell = (html: string): boolean => {
  const shell = new Shell()
  const tree = new Tree(shell, false)
  tokenize(html, tree)
  tree.end()
  return shell.isEmpty() && (shell.hasPlace || redirectsIn(html).length === 0)
}

/** The maximum length of the Markdown, with images and markup. */
const shortMarkdown = 400
/** The maximum length of the visible text: "Loading, please wait ..." */
const sentence = 80

/** What an element says of the text in it: nothing, that it is furniture, or that it stands there only for a time. */
type Role = "content" | "furniture" | "waiting"

interface Open {
  readonly element: Element
  readonly role: Role
  /** Whether its text is the content of a page, as that of a paragraph is. */
  readonly isContent: boolean
  /** Whether scripts can fill the element: no text was found in it so far. */
  place: "named" | "classed" | undefined
}

class Shell implements Reader {
  hasPlace = false
  private said = 0
  /** The length of the texts that stand in for others. */
  private standsIn = 0
  private hasScript = false
  private hasContent = false
  private hasFurniture = false
  private hasClassedPlace = false
  /** The number of open elements whose text is not visible, including those inside another one. */
  private unseen = 0
  private readonly elements: Array<Open> = []

  open(element: Element, attributes: Attributes): void {
    const { name } = element
    if (name === "script" && isCode(attributes)) this.hasScript = true
    const around = this.elements.at(-1)?.role ?? "content"
    const role = around === "content" ? roleOf(name, attributes) : around
    if (this.unseen > 0 || (element.kind.flags & UNSEEN) !== 0) {
      if (this.unseen === 0 && role === "content" && shown.has(name)) this.hasContent = true
      this.unseen += 1
      this.elements.push({ element, role, isContent: false, place: undefined })
      return
    }
    const isPicture = name === "img" && waiting.test(attributes.get("alt") ?? "")
    if (role === "content" && media.has(name) && !isPicture) this.hasContent = true
    this.elements.push({
      element,
      role,
      isContent: texts.has(name) || (name === "a" && attributes.has("href")),
      place: role === "furniture" ? undefined : placeOf(name, attributes)
    })
  }

  close(element: Element): void {
    const at = this.elements.findLastIndex((open) => open.element === element)
    const [open] = at === -1 ? [] : this.elements.splice(at, 1)
    if (open === undefined) return
    if (this.unseen > 0) this.unseen -= 1
    else if (open.place === "named") this.hasPlace = true
    else if (open.place === "classed") this.hasClassedPlace = true
  }

  text(value: string): void {
    const words = this.unseen > 0 ? "" : value.trim()
    const role = this.elements.at(-1)?.role ?? "content"
    if (words === "") return
    if (role === "waiting") {
      this.standsIn += words.length
      return
    }
    if (role === "furniture") {
      this.hasFurniture = true
      return
    }
    this.said += words.length
    if (waiting.test(words)) return
    for (const open of this.elements) {
      if (open.isContent) this.hasContent = true
      open.place = undefined
    }
  }

  isEmpty(): boolean {
    if (!this.hasScript || this.hasContent || this.said > sentence || this.standsIn > 2 * sentence) return false
    if (this.hasPlace) return true
    return this.said === 0 && (this.hasClassedPlace || !this.hasFurniture)
  }
}

const roleOf = (name: string, attributes: Attributes): Role => {
  if (furniture.has(name)) return "furniture"
  const words = `${attributes.get("id") ?? ""} ${attributes.get("class") ?? ""}`
  return standIn.test(words) ? "waiting" : "content"
}

const placeOf = (name: string, attributes: Attributes): Open["place"] => {
  if (name.includes("-") || (places.has(name) && attributes.has("id"))) return "named"
  return places.has(name) && attributes.has("class") ? "classed" : undefined
}

/** The text in a place until scripts fill it. */
const waiting = /load|wait|javascript|^[.\s\u2026]+$/i
/** What stands in a place until scripts fill it, or only if they fail, as its authors call it. */
const standIn =
  /(?:^|[-_\s])(?:pre)?(?:load(?:er|ing)?|spinner|skeleton|splash|placeholder|error|noscript)(?:[-_\s]|$)/i
const furniture = new Set(["header", "footer", "nav"])
const places = new Set(["div", "main", "section", "article"])
/** Elements whose text is content, and elements that are content without a text. */
const texts = new Set(["p", "li", "h1", "h2", "td", "th", "pre"])
const media = new Set(["img", "picture", "frame", "frameset", "form", "input"])
const shown = new Set(["iframe", "object", "embed", "video", "audio", "canvas", "textarea", "select", "button"])

/** Whether a script element has code. One with data, such as JSON-LD, does not run. */
const isCode = (attributes: Attributes): boolean => {
  const type = attributes.get("type") ?? ""
  return type === "" || type === "module" || /javascript/i.test(type)
}
