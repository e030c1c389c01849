/**
 * Reads an HTML page once: each tag goes to the metadata, the links, the Markdown and the clean HTML that were asked for.
 * Throws `TooCostly`, and nothing else.
 */
import { Addresses, isWebAddress } from "./Address.ts"
import type { Attributes } from "./Attributes.ts"
import { Budget } from "./Budget.ts"
import { Buttons } from "./Buttons.ts"
import { everything, MainContent } from "./content/MainContent.ts"
import { HEADING, UNSEEN } from "./Elements.ts"
import { canBeContent, isLong, minPage, SHOWN, veilOf } from "./Hidden.ts"
import { Html } from "./Html.ts"
import { Images } from "./Images.ts"
import { Markdown } from "./Markdown.ts"
import { isMark } from "./Marks.ts"
import { Metadata } from "./Metadata.ts"
import type { Page, PageOptions } from "./PageOptions.ts"
import { Selection } from "./Selection.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Element, type Reader, Tree } from "./Tree.ts"

export const readHtml = (html: string, url: string, options: PageOptions, xhtml: boolean): Page => {
  const document = new Document(html, url, options)
  const tree = new Tree(document, xhtml)
  document.tree = tree
  tokenize(html, tree)
  tree.end()
  return document.finish()
}

class Document implements Reader {
  private readonly budget = new Budget()
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
  tree: Tree | undefined
  private readonly source: string
  /** The block of the page that is being read. */
  private block = 0
  private skipping = 0
  /** Whether a script that is read holds data about the page. */
  private declares = false
  private inBody = false
  private title: { readonly element: Element; text: string } | undefined
  private math: { readonly element: Element; text: string; source: string | undefined; inSource: boolean } | undefined
  private readonly resolve = (href: string): string | undefined => this.addresses.resolve(href)
  private readonly resolveSource = (href: string): string | undefined =>
    this.removeData && dataUrl.test(href) ? undefined : this.addresses.resolve(href)

  constructor(source: string, url: string, options: PageOptions) {
    this.source = source
    this.addresses = new Addresses(url, this.budget)
    this.url = url
    const { choice } = options
    // Who says which elements are wanted has said what the main content is.
    const picks = choice !== undefined && choice.wanted.include.length > 0
    const writes = options.markdown || options.html
    this.main = options.onlyMainContent && writes && !picks ? new MainContent() : undefined
    this.selection = choice === undefined ? undefined : new Selection(choice)
    this.images = options.images === true ? new Images() : undefined
    this.markdown = options.markdown ? new Markdown(this.budget) : undefined
    this.html = options.html ? new Html(this.budget) : undefined
    this.removeData = options.removeBase64Images
  }

  open(element: Element, attributes: Attributes): void {
    const name = element.name
    const flags = element.kind.flags
    this.budget.open(element.kind, attributes.length)
    let address: string | undefined
    switch (name) {
      case "html":
        this.metadata.language(attributes.get("lang") ?? attributes.get("xml:lang"))
        break
      case "body":
        this.inBody = true
        break
      case "script":
        if (jsonLd.test(attributes.get("type") ?? "")) this.declares = true
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
        break
      case "frame":
      case "iframe":
        this.readFrame(attributes)
        break
      case "img":
        if (this.skipping === 0) address = this.imageAddress(attributes)
        break
    }
    const item = this.main === undefined || attributes.length === 0 ? undefined : attributes.get("itemtype")
    if (item !== undefined) this.main?.item(item)
    this.images?.open(name, attributes, this.resolve)
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
    if (this.math !== undefined || name === "math") this.openMath(element, attributes)
    if (this.main !== undefined) this.place(this.main, element, attributes, address)
    this.markdown?.open(element, attributes, address)
    this.html?.open(
      element,
      attributes,
      this.block,
      name === "img" || name === "source" ? this.resolveSource : this.resolve
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
      return
    }
    if (element.silent) return
    if (this.main !== undefined) {
      this.main.outline.close(element.kind)
      this.block = this.main.outline.at
    }
    if (this.math !== undefined) this.closeMath(element)
    this.markdown?.close(element)
    this.html?.close(element, this.main?.outline.last ?? 0)
    if (partEnds) this.separate()
  }

  text(value: string): void {
    if (this.skipping > 0) {
      if (this.title !== undefined && this.title.text.length < maxTitle) this.title.text += value
      if (this.declares) this.main?.declared(value)
      return
    }
    if (this.selection?.silent === true) return
    this.buttons.text(value)
    if (this.main !== undefined) {
      this.block = this.main.outline.text(value)
      this.markdown?.place(this.block)
    }
    if (this.math !== undefined) {
      if (this.math.inSource) this.math.source = (this.math.source ?? "") + value
      else this.math.text += value
    } else this.markdown?.text(value)
    this.html?.text(value, this.block)
  }

  finish(): Page {
    this.budget.step()
    const metadata = this.metadata.finish(this.resolve)
    const main = this.main?.finish(this.url, {
      titles: [metadata["title"], metadata["ogTitle"]].flatMap((title) => title ?? []),
      site: textOf(metadata["ogSiteName"]),
      ogType: textOf(metadata["ogType"]),
      canonical: textOf(metadata["canonical"]) || undefined
    })
    this.budget.step()
    const keeps = main?.keeps ?? everything
    const refresh = this.metadata.refresh === undefined ? undefined : this.addresses.resolve(this.metadata.refresh)
    return {
      ...(this.markdown === undefined ? undefined : { markdown: this.markdown.finish(keeps) }),
      ...(this.html === undefined ? undefined : { html: this.html.finish(keeps) }),
      links: Array.from(this.links),
      ...(this.images === undefined ? undefined : { images: this.images.finish() }),
      ...(this.selection === undefined ? undefined : { attributes: this.selection.finish() }),
      metadata,
      ...(main === undefined ? undefined : { kind: main.kind }),
      ...(this.versions.length === 0 ? {} : { hreflang: this.versions }),
      ...(refresh === undefined || !isWebAddress(refresh) ? undefined : { refresh })
    }
  }

  /** Parts that were picked do not run into each other. */
  private separate(): void {
    this.markdown?.separate()
    this.html?.text("\n", this.block)
  }

  /** Whether the element is left out with all that is in it. */
  private skips({ kind }: Element, attributes: Attributes): boolean {
    const { flags, name } = kind
    const hidden = attributes.length > 0 && veilOf(name, attributes) !== SHOWN
    if (this.main === undefined) return hidden || ((flags & UNSEEN) !== 0 && !this.isTitle(name))
    if ((flags & UNSEEN) !== 0) return name === "noscript" ? !this.holdsPage() : !this.isTitle(name)
    return (hidden && !canBeContent(name, flags)) || (attributes.length > 0 && isMark(kind, attributes))
  }

  private isTitle(name: string): boolean {
    return this.buttons.isTitle(name)
  }

  /** Whether the `<noscript>` that begins here holds the page. */
  private holdsPage(): boolean {
    const from = this.tree?.to ?? 0
    // Only as far as it takes to know: a page may open a million of them and close none.
    return (
      this.inBody && isLong(this.source.length - from) && !noscriptEnd.test(this.source.slice(from, from + minPage))
    )
  }

  /** Tells the finder of main content where a tag stands, and the Markdown where what the tag writes does. */
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
    const image = this.addresses.resolve(address)
    return image !== undefined && (isWebAddress(image) || picture.test(image)) ? image : undefined
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

const maxTitle = 10_000
const maxLinks = 100_000
const maxVersions = 200
const maxLanguage = 35

const dataUrl = /^\s*data:/i
/** A picture that stands in the page itself. */
const picture = /^data:image\//i
/** Beside the web's, the schemes that the HTML standard lets a site handle, and `tel`'s like. */
const useful =
  /^(?:bitcoin|ftps?|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sftp|sips?|sms|smsto|ssh|tel|urn|webcal|xmpp):/

const hides = (element: Element, attributes: Attributes): boolean =>
  (element.kind.flags & UNSEEN) !== 0 || veilOf(element.name, attributes) !== SHOWN

const textOf = (value: string | ReadonlyArray<string> | undefined): string =>
  typeof value === "string" ? value : (value?.[0] ?? "")

const noscriptEnd = /<\/noscript/i

const jsonLd = /^\s*application\/ld\+json/i
