/**
 * Reads an HTML page once: each tag goes to the metadata, the links, the Markdown and the clean HTML that were asked for.
 */
import { Addresses, isWebAddress } from "./Address.ts"
import type { Attributes } from "./Attributes.ts"
import { Buttons } from "./Buttons.ts"
import { BLOCK, HEADING, UNSEEN } from "./Elements.ts"
import { Html } from "./Html.ts"
import { Images } from "./Images.ts"
import { ASIDE, MainContent } from "./MainContent.ts"
import { Markdown } from "./Markdown.ts"
import { Metadata } from "./Metadata.ts"
import type { Page, PageOptions } from "./PageOptions.ts"
import { Selection } from "./Selection.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./Tree.ts"

export const readHtml = (html: string, url: string, options: PageOptions, xhtml: boolean): Page => {
  const document = new Document(url, options)
  const tree = new Tree(document, xhtml)
  tokenize(html, tree)
  tree.end()
  return document.finish()
}

class Document implements Reader {
  private readonly addresses: Addresses
  private readonly url: string
  private readonly metadata = new Metadata()
  private readonly versions: Array<{ readonly lang: string; readonly href: string }> = []
  private readonly links = new Set<string>()
  private readonly main: MainContent | undefined
  private readonly markdown: Markdown | undefined
  private readonly html: Html | undefined
  private readonly images: Images | undefined
  private readonly selection: Selection | undefined
  private readonly removeData: boolean
  private readonly buttons = new Buttons()
  private region = 0
  private skipping = 0
  private anchors = 0
  private title: { readonly element: Element; text: string } | undefined
  private math: { readonly element: Element; text: string; source: string | undefined; inSource: boolean } | undefined
  private readonly resolve = (href: string): string | undefined => this.addresses.resolve(href)
  private readonly resolveSource = (href: string): string | undefined =>
    this.removeData && dataUrl.test(href) ? undefined : this.addresses.resolve(href)

  constructor(url: string, options: PageOptions) {
    this.addresses = new Addresses(url)
    this.url = url
    const { choice } = options
    // Who says which elements are wanted has said what the main content is.
    const picks = choice !== undefined && choice.wanted.include.length > 0
    this.main = options.onlyMainContent && !picks ? new MainContent() : undefined
    this.selection = choice === undefined ? undefined : new Selection(choice)
    this.images = options.images === true ? new Images() : undefined
    this.markdown = options.markdown ? new Markdown() : undefined
    this.html = options.html ? new Html() : undefined
    this.removeData = options.removeBase64Images
  }

  open(element: Element, attributes: Attributes): void {
    const name = element.name
    const flags = element.kind.flags
    let address: string | undefined
    switch (name) {
      case "html":
        this.metadata.language(attributes.get("lang") ?? attributes.get("xml:lang"))
        break
      case "base": {
        const href = attributes.get("href")
        if (href !== undefined) this.addresses.rebase(href)
        break
      }
      case "meta":
        if (this.skipping === 0) this.metadata.meta(attributes)
        break
      case "link":
        this.readLink(attributes)
        break
      case "title":
        if (this.skipping === 0) this.title = { element, text: "" }
        break
      case "a":
      case "area":
        address = this.readAnchor(attributes)
        if (name === "a") this.anchors++
        break
      case "frame":
      case "iframe":
        this.readFrame(attributes)
        break
      case "img":
        if (this.skipping === 0) address = this.imageAddress(attributes)
        break
    }
    this.images?.open(name, attributes, this.resolve)
    this.selection?.open(element, attributes)
    element.outer = this.region
    if ((flags & HEADING) !== 0) this.skipping -= this.buttons.reopen(this.skipping)
    if (this.skipping > 0 || this.skips(element, flags, attributes)) {
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
    if (this.math !== undefined || name === "math") this.openMath(element, attributes)
    this.markdown?.open(element, attributes, address)
    if (this.region !== element.outer && this.markdown !== undefined) this.markdown.region = this.region
    if (this.html !== undefined) {
      this.html.region = this.region
      this.html.open(element, attributes, name === "img" || name === "source" ? this.resolveSource : this.resolve)
    }
  }

  close(element: Element): void {
    if (element.name === "a") this.anchors--
    this.buttons.close(element)
    const partEnds = this.selection?.close(element) === true
    if (element.skipped) {
      if (this.title?.element === element) {
        this.metadata.title(this.title.text)
        this.title = undefined
      }
      this.skipping--
      return
    }
    if (!element.silent) {
      if (this.math !== undefined) this.closeMath(element)
      this.markdown?.close(element)
      this.html?.close(element)
      if (partEnds) this.separate()
    }
    if (element.outer !== this.region && (element.kind.flags & BLOCK) !== 0) {
      this.region = element.outer
      if (this.markdown !== undefined) this.markdown.region = this.region
      if (this.html !== undefined) this.html.region = this.region
    }
  }

  text(value: string): void {
    if (this.skipping > 0) {
      if (this.title !== undefined && this.title.text.length < maxTitle) this.title.text += value
      return
    }
    if (this.selection?.silent === true) return
    this.buttons.text(value)
    this.main?.weigh(this.region, value.length < maxPadded ? value.trim().length : value.length, this.anchors > 0)
    if (this.math !== undefined) {
      if (this.math.inSource) this.math.source = (this.math.source ?? "") + value
      else this.math.text += value
    } else this.markdown?.text(value)
    this.html?.text(value)
  }

  finish(): Page {
    const keeps = this.main?.choose() ?? everything
    const refresh = this.metadata.refresh === undefined ? undefined : this.addresses.resolve(this.metadata.refresh)
    return {
      ...(this.markdown === undefined ? undefined : { markdown: this.markdown.finish(keeps) }),
      ...(this.html === undefined ? undefined : { html: this.html.finish(keeps) }),
      links: Array.from(this.links),
      ...(this.images === undefined ? undefined : { images: this.images.finish() }),
      ...(this.selection === undefined ? undefined : { attributes: this.selection.finish() }),
      metadata: this.metadata.finish(this.resolve),
      ...(this.versions.length === 0 ? {} : { hreflang: this.versions }),
      ...(refresh === undefined || !isWebAddress(refresh) ? undefined : { refresh })
    }
  }

  /** Parts that were picked do not run into each other. */
  private separate(): void {
    this.markdown?.separate()
    this.html?.text("\n")
  }

  /** Whether the element is left out with all that is in it. Sets the region of one that is not. */
  private skips(element: Element, flags: number, attributes: Attributes): boolean {
    if ((flags & UNSEEN) !== 0) return !this.buttons.isTitle(element)
    if (attributes.length === 0 && this.main === undefined) return false
    if (attributes.length > 0 && isHidden(element.name, attributes)) return true
    if (this.main === undefined) return false
    const region = this.main.regionOf(element.kind, attributes, this.region)
    if (region === this.region) return false
    if ((flags & BLOCK) === 0) return region >= ASIDE && this.region < ASIDE
    this.region = region
    return false
  }

  private readAnchor(attributes: Attributes): string | undefined {
    const href = attributes.get("href")
    if (href === undefined) return undefined
    const address = this.addresses.resolve(href)
    if (address === undefined) return undefined
    if (isWebAddress(address)) {
      if (this.links.size < maxLinks) this.links.add(address)
      return address
    }
    return useful.test(address) ? address : undefined
  }

  /** What a page shows in a frame is a page of its site, where it is not another site's. */
  private readFrame(attributes: Attributes): void {
    const source = attributes.get("src")
    const address = source === undefined ? undefined : this.addresses.resolve(source)
    if (address === undefined || !isWebAddress(address) || this.links.size >= maxLinks) return
    if (URL.parse(address)?.host === URL.parse(this.url)?.host) this.links.add(address)
  }

  private readLink(attributes: Attributes): void {
    const rel = attributes.get("rel")
    const href = attributes.get("href")
    if (rel === undefined || href === undefined) return
    const address = this.addresses.resolve(href)
    if (address === undefined || !isWebAddress(address)) return
    this.metadata.link(rel, address)
    const lang = attributes.get("hreflang")?.trim()
    if (lang === undefined || lang === "" || lang.length > maxLanguage || !/\balternate\b/i.test(rel)) return
    if (this.versions.length < maxVersions) this.versions.push({ lang, href: address })
  }

  /** Pages that load images late keep the address elsewhere. */
  private imageAddress(attributes: Attributes): string | undefined {
    const source = attributes.get("src") ?? ""
    const isData = dataUrl.test(source)
    const late = source === "" || isData ? (attributes.get("data-src") ?? attributes.get("data-original")) : undefined
    const address = late ?? source
    if (address === "" || (dataUrl.test(address) && this.removeData)) return undefined
    return this.addresses.resolve(address)
  }

  private openMath(element: Element, attributes: Attributes): void {
    this.math ??= { element, text: "", source: undefined, inSource: false }
    if (element.name === "annotation" && /tex/i.test(attributes.get("encoding") ?? "")) this.math.inSource = true
  }

  private closeMath(element: Element): void {
    const math = this.math
    if (math === undefined) return
    if (element.name === "annotation") math.inSource = false
    if (math.element !== element) return
    this.math = undefined
    const source = math.source?.trim()
    if (source !== undefined && source !== "") this.markdown?.math(source)
    else this.markdown?.text(math.text)
  }
}

const everything = (): boolean => true

const maxTitle = 10_000
/** White space around a text longer than this weighs nothing to speak of. */
const maxPadded = 80
const maxLinks = 100_000
const maxVersions = 200
const maxLanguage = 35

const dataUrl = /^\s*data:/i
/** Beside the web's, the schemes that the HTML standard lets a site handle, and `tel`'s like. */
const useful =
  /^(?:bitcoin|ftps?|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sftp|sips?|sms|smsto|ssh|tel|urn|webcal|xmpp):/

const hides = (element: Element, attributes: Attributes): boolean =>
  (element.kind.flags & UNSEEN) !== 0 || isHidden(element.name, attributes)

const isHidden = (name: string, attributes: Attributes): boolean => {
  if (name === "body" || name === "html" || name === "main") return false
  if (attributes.has("hidden")) return attributes.get("hidden") !== "until-found"
  if (attributes.get("aria-hidden") === "true") return name !== "img" && name !== "article"
  const style = attributes.get("style")
  return style !== undefined && invisible.test(style)
}

const invisible = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
