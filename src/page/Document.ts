/**
 * Reads an HTML page once, and passes each tag to the readers that the options ask for: metadata, links, Markdown, HTML.
 * Throws only `TooCostly`.
 */
import { Addresses, isWebAddress } from "./Address.ts"
import type { Attributes } from "./Attributes.ts"
import { everything, MainContent } from "./content/MainContent.ts"
import { HEADING, UNSEEN } from "./Elements.ts"
import { hiddenListWarning } from "./hiddenList.ts"
import { Html } from "./markdown/Html.ts"
import { Markdown } from "./markdown/Markdown.ts"
import type { Page, PageOptions } from "./PageOptions.ts"
import { Formula } from "./parts/Formula.ts"
import { Images } from "./parts/Images.ts"
import { Metadata } from "./parts/Metadata.ts"
import { PageLinks } from "./parts/PageLinks.ts"
import { Selection } from "./Selection.ts"
import { mayHoldText, scriptTextWarning } from "./scriptText.ts"
import { versionWith } from "./Theme.ts"
import { tokenize } from "./Tokenizer.ts"
import { Budget } from "./tree/Budget.ts"
import { canBeContent, isLong, minPage, SHOWN, veilOf } from "./tree/Hidden.ts"
import { isMark } from "./tree/Marks.ts"
import { type Element, type Reader, Tree } from "./tree/Tree.ts"

export const readHtml = (html: string, url: string, options: PageOptions, xhtml: boolean, charset = "utf-8"): Page => {
  const document = new Document(html, url, options, charset)
  const tree = new Tree(document, xhtml)
  document.tree = tree
  document.readAhead()
  tokenize(html, tree)
  tree.end()
  return document.finish()
}

class Document implements Reader {
  private readonly budget = new Budget()
  private readonly addresses: Addresses
  private readonly url: string
  private readonly options: PageOptions
  private readonly metadata = new Metadata()
  private readonly links: PageLinks
  private readonly main: MainContent | undefined
  private readonly markdown: Markdown | undefined
  private readonly html: Html | undefined
  private readonly images: Images | undefined
  private readonly selection: Selection | undefined
  private readonly buttons = new Buttons()
  tree: Tree | undefined
  private readonly source: string
  /** The lists that count down, from the last one to the next one. */
  private readonly countdowns: Array<{ readonly items: number }> = []
  /** The number of the block that is being read. */
  private block = 0
  private skipping = 0
  /** The length of what is left out: scripts, styles, what is hidden. */
  private unread = 0
  /** Whether the open script is JSON-LD. */
  private declares = false
  /** The TeX of the open script, which MathJax shows; undefined: it is another script. */
  private tex: string | undefined
  private inBody = false
  private title: { readonly element: Element; text: string } | undefined
  private formula: Formula | undefined

  constructor(source: string, url: string, options: PageOptions, charset: string) {
    this.source = source
    this.addresses = new Addresses(url, this.budget, charset)
    this.links = new PageLinks(url, this.addresses, options.removeBase64Images)
    this.url = url
    this.options = options
    const { choice } = options
    // If the caller names the elements to include, there is no main content to find.
    const picks = choice !== undefined && choice.wanted.include.length > 0
    const writes = options.markdown || options.html
    this.main = options.onlyMainContent && writes && !picks ? new MainContent() : undefined
    this.selection = choice === undefined ? undefined : new Selection(choice, this.budget)
    this.images = options.images === true ? new Images() : undefined
    this.markdown = options.markdown ? new Markdown(this.budget) : undefined
    this.html = options.html ? new Html(this.budget) : undefined
  }

  /**
   * Reads what counts before it is written: the first `<base href>` is the base of all addresses, and a list that counts down begins
   * with how many items it has.
   */
  readAhead(): void {
    const { addresses, countdowns, source } = this
    const countsDown = source.includes("reversed") && /<ol\s[^<>]*reversed/i.test(source)
    if (!countsDown && !/<base\s/i.test(source)) return
    const lists: Array<{ items: number } | undefined> = []
    tokenize(source, {
      foreign: false,
      open: (name, attributes) => {
        const href = name === "base" ? attributes.get("href") : undefined
        if (href !== undefined) addresses.rebase(href)
        if (!isList(name)) {
          const list = name === "li" ? lists[lists.length - 1] : undefined
          if (list !== undefined) list.items++
          return
        }
        const list = name === "ol" && attributes.has("reversed") ? { items: 0 } : undefined
        if (list !== undefined) countdowns.push(list)
        lists.push(list)
      },
      close: (name) => {
        if (isList(name)) lists.pop()
      },
      text: () => {}
    })
    countdowns.reverse()
  }

  open(element: Element, attributes: Attributes): void {
    const name = element.name
    const flags = element.kind.flags
    this.budget.open(element.kind, attributes.length)
    const address = this.links.open(name, attributes, this.skipping > 0)
    switch (name) {
      case "html":
        this.metadata.language(attributes.get("lang") ?? attributes.get("xml:lang"))
        break
      case "body":
        this.inBody = true
        break
      case "script":
        this.openScript(attributes.get("type") ?? "")
        break
      case "meta":
        if (this.skipping === 0) this.metadata.meta(attributes)
        break
      case "link":
        this.links.link(attributes, this.metadata)
        break
      case "ol":
        if (attributes.has("reversed")) element.items = this.countdowns.pop()?.items
        break
      case "title":
        if (this.skipping === 0) this.title = { element, text: "" }
        break
    }
    const item = this.main === undefined || attributes.length === 0 ? undefined : attributes.get("itemtype")
    if (item !== undefined) this.main?.item(item)
    this.images?.open(name, attributes, this.links.resolve)
    this.selection?.open(element, attributes)
    if ((flags & HEADING) !== 0) this.skipping -= this.buttons.reopen(this.skipping)
    if (this.skipping > 0 || this.skips(element, attributes)) {
      element.skipped = true
      this.skipping++
      this.buttons.leaveOut(element, this.skipping, hides(element, attributes))
      return
    }
    if ((flags & HEADING) !== 0) this.buttons.openHeading(element)
    if (this.selection?.silent === true) {
      element.silent = true
      return
    }
    if (attributes.length > 0 && (name === "div" || name === "span")) {
      const role = attributes.get("role")
      if (role !== undefined) element.as = partsOfTables.get(role) ?? name
    }
    if (name === "math") this.formula ??= new Formula(element)
    this.formula?.open(element, attributes)
    if (this.main !== undefined) this.place(this.main, element, attributes, address)
    this.markdown?.open(element, attributes, address)
    this.html?.open(
      element,
      attributes,
      this.block,
      name === "img" || name === "source" ? this.links.resolveSource : this.links.resolve
    )
  }

  close(element: Element): void {
    this.buttons.close(element)
    const partEnds = this.selection?.close(element) === true
    if (element.skipped) {
      if (this.title?.element === element) {
        this.metadata.title(this.title.text)
        this.title = undefined
      }
      this.declares = false
      this.skipping--
      if (element.name === "script") this.closeScript()
      return
    }
    if (element.silent) return
    if (this.main !== undefined) {
      this.main.outline.close(element.kind)
      this.block = this.main.outline.at
    }
    if (this.formula?.close(element) === true) this.write(this.formula)
    this.markdown?.close(element)
    this.html?.close(element, this.main?.outline.last ?? 0)
    if (partEnds) this.separate()
  }

  text(value: string): void {
    if (this.skipping > 0) {
      this.unread += value.length
      if (this.title !== undefined && this.title.text.length < maxTitle) this.title.text += value
      if (this.declares) this.main?.declared(value)
      if (this.tex !== undefined) this.tex += value
      return
    }
    if (this.selection?.silent === true) return
    this.buttons.text(value)
    if (this.main !== undefined) {
      this.block = this.main.outline.text(value)
      this.markdown?.place(this.block)
    }
    if (this.formula !== undefined) this.formula.write(value)
    else this.markdown?.text(value)
    this.html?.text(value, this.block)
  }

  finish(): Page {
    this.budget.step()
    const metadata = this.metadata.finish(this.links.resolve)
    const main = this.main?.finish(this.url, metadata, this.options)
    this.budget.step()
    const keeps = main?.keeps ?? everything
    const markdown = this.markdown?.finish(keeps)
    if ((markdown ?? "").length <= fewWords) this.links.redirects(this.source)
    const warnings = this.warningsOf(main?.hasHiddenList === true, markdown)
    const refresh = this.metadata.refresh === undefined ? undefined : this.addresses.resolve(this.metadata.refresh)
    return {
      ...(markdown === undefined ? undefined : { markdown }),
      ...(this.html === undefined ? undefined : { html: this.html.finish(keeps) }),
      links: Array.from(this.links.all),
      ...(this.images === undefined ? undefined : { images: this.images.finish() }),
      ...(this.selection === undefined ? undefined : { attributes: this.selection.finish() }),
      metadata,
      ...(main === undefined ? undefined : { kind: main.kind, contentVersion: versionWith(this.options.theme) }),
      ...(main?.sketch === undefined ? undefined : { sketch: main.sketch }),
      ...(warnings.length === 0 ? undefined : { warnings }),
      ...(this.links.versions.length === 0 ? {} : { hreflang: this.links.versions }),
      ...(refresh === undefined || !isWebAddress(refresh) ? undefined : { refresh })
    }
  }

  /** What a reader should know of the page. */
  private warningsOf(hasHiddenList: boolean, markdown: string | undefined): ReadonlyArray<string> {
    const reads = markdown !== undefined && this.selection === undefined && mayHoldText(this.unread, markdown)
    const ofScripts = reads ? scriptTextWarning(this.source, markdown) : undefined
    return [...(hasHiddenList ? [hiddenListWarning] : []), ...(ofScripts === undefined ? [] : [ofScripts])]
  }

  private write({ source, text }: Formula): void {
    this.formula = undefined
    if (source === "") this.markdown?.text(text)
    else this.markdown?.math(source)
  }

  private openScript(type: string): void {
    if (jsonLd.test(type)) this.declares = true
    else if (this.skipping === 0 && mathTex.test(type)) this.tex = ""
  }

  private closeScript(): void {
    const source = this.tex?.trim() ?? ""
    this.tex = undefined
    if (source === "" || this.selection?.silent === true) return
    if (this.main !== undefined) {
      this.block = this.main.outline.text(source)
      this.markdown?.place(this.block)
    }
    this.markdown?.math(source)
  }

  /** Separates an included part from the next one. */
  private separate(): void {
    this.markdown?.separate()
    this.html?.text("\n", this.block)
  }

  /** Whether the element and its content are left out. */
  private skips({ kind }: Element, attributes: Attributes): boolean {
    const { flags, name } = kind
    const hidden = attributes.length > 0 && veilOf(name, attributes) !== SHOWN
    if (this.main === undefined) return hidden || ((flags & UNSEEN) !== 0 && !this.buttons.isTitle(name))
    if ((flags & UNSEEN) !== 0) return name === "noscript" ? !this.holdsPage() : !this.buttons.isTitle(name)
    return (hidden && !canBeContent(name, flags)) || (attributes.length > 0 && isMark(kind, attributes))
  }

  /** Whether the `<noscript>` that begins here holds the text of the page. */
  private holdsPage(): boolean {
    const from = this.tree?.to ?? 0
    // Searches only the first `minPage` characters: a page can open a million of these elements and close none.
    return (
      this.inBody && isLong(this.source.length - from) && !noscriptEnd.test(this.source.slice(from, from + minPage))
    )
  }

  /** Adds a tag to the outline, and tells the Markdown from which block the tag writes. */
  private place(
    { outline }: MainContent,
    { kind, name }: Element,
    attributes: Attributes,
    address: string | undefined
  ): void {
    outline.open(kind, attributes, attributes.length === 0 ? SHOWN : veilOf(name, attributes))
    this.block = name === "hr" || (name === "img" && address !== undefined) ? outline.image() : outline.at
    if (name === "hr" || name === "img") this.markdown?.place(this.block)
  }
}

const isList = (name: string): boolean => name === "ol" || name === "ul" || name === "menu" || name === "dir"

const maxTitle = 10_000
/** The maximum length of a page that only redirects: "You are being redirected, please wait ..." */
const fewWords = 200

const hides = (element: Element, attributes: Attributes): boolean =>
  (element.kind.flags & UNSEEN) !== 0 || veilOf(element.name, attributes) !== SHOWN

/** The elements that ARIA's roles stand for. */
const partsOfTables = new Map([
  ["table", "table"],
  ["grid", "table"],
  ["row", "tr"],
  ["cell", "td"],
  ["gridcell", "td"],
  ["columnheader", "th"],
  ["rowheader", "th"]
])

const noscriptEnd = /<\/noscript/i
const jsonLd = /^\s*application\/ld\+json/i
const mathTex = /^\s*math\/tex/i

/**
 * Buttons that are titles: the title of a collapsible section is often a button inside a heading, or around one.
 *
 * Other buttons are controls, and their text is left out. So is the text of a button before the heading in it.
 */
class Buttons {
  private heading: Element | undefined
  private headingHasText = false
  /** The button that is being left out, and the open elements in it, if they are left out only because of the button. */
  private chain: Array<Element> = []

  openHeading(element: Element): void {
    this.heading = element
    this.headingHasText = false
  }

  /** Whether this is a button in a heading without other text. A button after the text of a heading is a control. */
  isTitle(name: string): boolean {
    return name === "button" && this.heading !== undefined && !this.headingHasText
  }

  /** Takes text that is not left out. */
  text(value: string): void {
    if (this.heading !== undefined && !this.headingHasText && value.trim() !== "") this.headingHasText = true
  }

  /** An element is left out, inside `depth - 1` others. `hides`: it would be left out outside the button, too. */
  leaveOut(element: Element, depth: number, hides: boolean): void {
    if (depth === 1) this.chain = element.name === "button" ? [element] : []
    else if (this.chain.length === depth - 1 && !hides) this.chain.push(element)
  }

  /**
   * A heading begins in what is left out. If only a button hides it, the open elements are read after all: returns how many
   * these are.
   */
  reopen(depth: number): number {
    if (depth === 0 || this.chain.length !== depth) return 0
    for (const element of this.chain) {
      element.skipped = false
      element.silent = true
    }
    this.chain = []
    return depth
  }

  close(element: Element): void {
    if (this.heading === element) this.heading = undefined
    if (this.chain.at(-1) === element) this.chain.pop()
  }
}
