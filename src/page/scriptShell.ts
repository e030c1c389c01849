/**
 * Whether a page is an empty shell that scripts fill, as single-page applications send it.
 *
 * The evidence is what the page says before its scripts run: nothing, outside of its header, its footer and what stands there
 * until scripts fill it: "Loading ...", a spinner, a skeleton, a template ("{{ title }}"), the text for readers without scripts, the
 * text of an error that has not happened. A page with a place for scripts, a custom element or an empty block with an id, may say
 * up to a sentence. A page without any place that says nothing is a shell too, unless its scripts only lead elsewhere.
 *
 * A page that says little, leads nowhere and loads code may be a shell or not: only a browser knows. So may a page with a place for
 * scripts whose text is that of another page of its site: then the text may be the template of all pages.
 */
import type { Attributes } from "./Attributes.ts"
import { UNSEEN } from "./Elements.ts"
import type { Page } from "./PageOptions.ts"
import { redirectsIn } from "./scriptedLinks.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./tree/Tree.ts"

/**
 * A shell that says nothing, a shell that says something beside the place for its scripts, a page that says little, or one whose
 * text is that of another page.
 */
export type ShellEvidence = "empty" | "place" | "little" | "template"

/** A cheap test for every page: only pages with few words are read again by `shellEvidence`. */
export const maybeShell = ({ markdown = "" }: Page): boolean => markdown.length <= shortMarkdown

/** A cheap test for every page: only pages with not too many words are read again by `templateText`. */
export const maybeTemplate = ({ markdown = "" }: Page): boolean => markdown.length <= longestTemplate

/** Undefined: the page is no shell. */
export const shellEvidence = (html: string): ShellEvidence | undefined => {
  const shell = shellIn(html)
  return shell === undefined ? undefined : evidenceIn(shell, html)
}

const evidenceIn = (shell: Shell, html: string): ShellEvidence | undefined => {
  const evidence = shell.evidence()
  return evidence !== undefined && (shell.hasPlace || redirectsIn(html).length === 0) ? evidence : undefined
}

/** All that a page says if it may be the template of many: it loads code, and has a place that scripts can fill. */
export const templateText = (html: string): string | undefined => shellIn(html)?.template()

/** Whether a page with not too many words may be a shell, or the template of many pages. */
export const mayBeFilled = (page: Page, html: string): boolean => {
  const shell = shellIn(html)
  if (shell === undefined) return false
  return (maybeShell(page) && evidenceIn(shell, html) !== undefined) || shell.template() !== undefined
}

/** Undefined: no script can fill the page. */
const shellIn = (html: string): Shell | undefined => {
  if (!/<script/i.test(html)) return undefined
  const shell = new Shell()
  const tree = new Tree(shell, false)
  tokenize(html, tree)
  tree.end()
  return shell
}

export const isScriptShell = (html: string): boolean => isShell(shellEvidence(html))

/** Whether the evidence needs no browser to confirm it. */
export const isShell = (evidence: ShellEvidence | undefined): boolean => evidence === "empty" || evidence === "place"

/** The maximum length of the Markdown, with images and markup. */
const shortMarkdown = 400
/** A template says more than its header and its footer, but no page of text. */
const longestTemplate = 2000
/** The maximum length of the visible text: "Loading, please wait ..." */
const sentence = 80
/** The maximum length of all visible text of a page that says little. */
const littleText = 200

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
  /** The length of the texts. */
  private said = 0
  /** The length of the texts that stand in for others, and of those that do so if they are in a place for scripts. */
  private standsIn = 0
  private trailsOff = 0
  private hasScript = false
  /** Whether code is loaded from elsewhere. */
  private loadsCode = false
  private hasContent = false
  private furniture = 0
  private hasClassedPlace = false
  /** Whether it leads to other pages, or shows more than texts and pictures. */
  private leadsOn = false
  /** The visible text, and the text for readers without scripts. */
  private visible = ""
  private withoutScripts = ""
  /** The number of open elements whose text is not visible, including those inside another one. */
  private unseen = 0
  private readonly elements: Array<Open> = []

  open(element: Element, attributes: Attributes): void {
    const { name } = element
    if (name === "script") this.script(attributes)
    const around = this.elements.at(-1)?.role ?? "content"
    const role = around === "content" ? roleOf(name, attributes) : around
    if (this.unseen > 0 || (element.kind.flags & UNSEEN) !== 0) {
      if (this.unseen === 0 && role === "content" && shown.has(name) && !isUnseenFrame(name, attributes)) {
        this.hasContent = true
        if (name !== "button") this.leadsOn = true
      }
      this.unseen += 1
      this.elements.push({ element, role, isContent: false, place: undefined })
      return
    }
    if (role === "content" && media.has(name) && !isStandInPicture(name, attributes)) this.hasContent = true
    if ((media.has(name) && !pictures.has(name)) || (name === "a" && !isItself.test(attributes.get("href") ?? "")))
      this.leadsOn = true
    this.elements.push({
      element,
      role,
      isContent: texts.has(name) || (name === "a" && attributes.has("href")),
      place: role === "furniture" ? undefined : placeOf(name, attributes)
    })
  }

  private script(attributes: Attributes): void {
    if (!isCode(attributes)) return
    this.hasScript = true
    if (attributes.has("src") || attributes.get("type") === "module") this.loadsCode = true
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
    const words = value.trim()
    if (words === "") return
    if (this.unseen > 0) {
      const isForOthers = this.elements.some(({ element }) => element.name === "noscript")
      if (isForOthers && this.withoutScripts.length < longestTemplate) this.withoutScripts += ` ${words}`
      return
    }
    if (this.visible.length < longestTemplate) this.visible += ` ${words}`
    const role = this.elements.at(-1)?.role ?? "content"
    if (role === "furniture") this.furniture += words.length
    else if (role === "waiting" || isWaiting(words)) this.standsIn += words.length
    else if (trailing.test(words) && words.length <= sentence) this.trailsOff += words.length
    else this.says(words)
  }

  private says(words: string): void {
    this.said += words.length
    for (const open of this.elements) {
      if (open.isContent) this.hasContent = true
      open.place = undefined
    }
  }

  evidence(): ShellEvidence | undefined {
    if (!this.hasScript) return undefined
    if (!this.leadsOn && this.visible !== "" && isPartOf(this.visible, this.withoutScripts)) return "empty"
    if (!this.hasContent && this.standsIn <= 2 * sentence && this.trailsOff <= sentence) {
      if (this.said === 0 && (this.hasPlace || this.isBlank())) return "empty"
      if (this.hasPlace && this.said <= sentence) return "place"
    }
    const length = this.said + this.standsIn + this.trailsOff + this.furniture
    return this.loadsCode && !this.leadsOn && length > 0 && length <= littleText ? "little" : undefined
  }

  template(): string | undefined {
    const isOne = this.loadsCode && this.hasPlace && this.visible !== "" && this.visible.length < longestTemplate
    return isOne ? plain(this.visible) : undefined
  }

  /** Whether a page without a text and without a named place is a shell. */
  private isBlank(): boolean {
    return this.hasClassedPlace || (this.furniture === 0 && this.trailsOff === 0)
  }
}

const isPartOf = (text: string, whole: string): boolean => plain(whole).includes(plain(text))

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** Whether a picture is decoration, or says that the page loads. */
const isStandInPicture = (name: string, attributes: Attributes): boolean => {
  const alt = name === "img" ? attributes.get("alt") : undefined
  return alt !== undefined && (alt.trim() === "" || waiting.test(alt))
}

/** Whether a frame has no page of its own, or is not visible. */
const isUnseenFrame = (name: string, attributes: Attributes): boolean =>
  name === "iframe" && (attributes.has("hidden") || /^(?:$|javascript:|about:)/i.test(attributes.get("src") ?? ""))

const roleOf = (name: string, attributes: Attributes): Role => {
  if (furniture.has(name)) return "furniture"
  const words = `${attributes.get("id") ?? ""} ${attributes.get("class") ?? ""}`
  return standIn.test(words) ? "waiting" : "content"
}

const placeOf = (name: string, attributes: Attributes): Open["place"] => {
  if (name.includes("-") || (places.has(name) && attributes.has("id"))) return "named"
  return places.has(name) && attributes.has("class") ? "classed" : undefined
}

/** Whether a text stands there until scripts fill the page. */
const isWaiting = (words: string): boolean =>
  words.length <= sentence && (waiting.test(words) || 2 * words.replaceAll(template, "").length <= words.length)

const waiting = /\b(?:(?:re)?loading|wait|javascript)\b|^[.\s\u2026]+$/i
const template = /\{\{[^{}]*\}\}/g
/** "Wird geladen ..." in any language. */
const trailing = /(?:\.\.\.|\u2026)$/
/** An address that leads to no other page. */
const isItself = /^(?:\.?\/?|javascript:.*|#.*)$/i
/** What stands in a place until scripts fill it, or only if they fail, as its authors call it. */
const standIn =
  /(?:^|[-_\s])(?:pre)?(?:load(?:er|ing)?|spinner|skeleton|splash|placeholder|error|noscript)(?:[-_\s]|$)/i
const furniture = new Set(["header", "footer", "nav"])
const places = new Set(["div", "main", "section", "article"])
/** Elements whose text is content, and elements that are content without a text. */
const texts = new Set(["p", "li", "h1", "h2", "td", "th", "pre"])
const pictures = new Set(["img", "picture"])
const media = new Set(["img", "picture", "frame", "frameset", "form", "input"])
const shown = new Set(["iframe", "object", "embed", "video", "audio", "canvas", "textarea", "select", "button"])

/** Whether a script element has code. One with data, such as JSON-LD, does not run. */
const isCode = (attributes: Attributes): boolean => {
  const type = attributes.get("type") ?? ""
  return type === "" || type === "module" || /javascript/i.test(type)
}
