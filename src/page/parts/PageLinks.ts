/** The links of a page, its frames, its versions in other languages, and the addresses of its images. */
import { type Addresses, isWebAddress } from "../Address.ts"
import type { Attributes } from "../Attributes.ts"
import { redirectsIn, scriptedLinks } from "../scriptedLinks.ts"
import { isScriptShell } from "../scriptShell.ts"
import { tokenize } from "../Tokenizer.ts"
import { lateSource } from "./Images.ts"
import type { Metadata } from "./Metadata.ts"

export class PageLinks {
  /** Web addresses: unique, in the order of the page. */
  readonly all = new Set<string>()
  readonly versions: Array<{ readonly lang: string; readonly href: string }> = []
  private readonly url: string
  private readonly addresses: Addresses
  private readonly removeData: boolean

  /** `removeData`: leave out embedded images (`data:`). */
  constructor(url: string, addresses: Addresses, removeData: boolean) {
    this.url = url
    this.addresses = addresses
    this.removeData = removeData
  }

  resolve = (href: string): string | undefined => this.addresses.resolve(href)

  resolveSource = (href: string): string | undefined =>
    this.removeData && dataUrl.test(href) ? undefined : this.addresses.resolve(href)

  /** Adds the links of a tag. Returns the address of a link or an image. `isHidden`: the tag is in something left out. */
  open(name: string, attributes: Attributes, isHidden: boolean): string | undefined {
    if (attributes.length === 0) return undefined
    this.scripted(attributes.get("onclick"))
    this.own(attributes.get("data-href"))
    switch (name) {
      case "a":
      case "area":
        return this.anchor(attributes)
      case "frame":
      case "iframe":
        this.own(attributes.get("src"))
        this.within(attributes.get("srcdoc"))
        return undefined
      case "embed":
      case "object":
        if (readable.test(attributes.get("type") ?? "")) this.own(attributes.get("src") ?? attributes.get("data"))
        return undefined
      case "img":
        return isHidden ? undefined : this.image(attributes)
      default:
        return undefined
    }
  }

  /** Adds the links of a page that a frame has in itself. */
  private within(html: string | undefined): void {
    if (html === undefined) return
    const open = (name: string, attributes: Attributes) => void this.open(name, attributes, true)
    tokenize(html, { foreign: false, open, close: () => {}, text: () => {} })
  }

  /** The address of an `<a>`; undefined: it leads nowhere. Older drawings have `xlink:href` instead of `href`. */
  private anchor(attributes: Attributes): string | undefined {
    const href = attributes.get("href") ?? attributes.get("xlink:href")
    const address = href === undefined ? undefined : this.addresses.resolve(href)
    if (address === undefined) return undefined
    if (!isWebAddress(address)) {
      if (address.startsWith("javascript:")) this.scripted(href)
      return useful.test(address) ? address : undefined
    }
    this.add(address)
    return address
  }

  /** Adds the addresses that a script goes to. */
  private scripted(code: string | undefined): void {
    if (code !== undefined) for (const href of scriptedLinks(code)) this.own(href)
  }

  /** Adds an address that a frame shows or a script goes to, if it has the host of the page. */
  private own(href: string | undefined): void {
    const address = href === undefined ? undefined : this.addresses.resolve(href)
    if (address === undefined || !isWebAddress(address)) return
    if (URL.parse(address)?.host === URL.parse(this.url)?.host) this.add(address)
  }

  /** Adds the addresses that the scripts of a page without links go to. */
  redirects(source: string): void {
    const hrefs = this.all.size === 0 ? redirectsIn(source) : []
    // The scripts of an empty shell go elsewhere only if they cannot run in this browser.
    if (hrefs.length > 0 && !isScriptShell(source)) for (const href of hrefs) this.own(href)
  }

  /**
   * Reads a `<link>` into the metadata. The next page of a list and the versions in other languages are links, too: if a
   * script loads more items on scrolling, or builds the language menu, the page has no other link to them.
   */
  link(attributes: Attributes, metadata: Metadata): void {
    const rel = attributes.get("rel")
    const href = attributes.get("href")
    if (rel === undefined || href === undefined) return
    const address = this.addresses.resolve(href)
    if (address === undefined || !isWebAddress(address)) return
    metadata.link(rel, address)
    if (isNeighbour(rel)) this.add(address)
    const lang = attributes.get("hreflang")?.trim()
    if (lang === undefined || lang === "" || lang.length > maxLanguage || !/\balternate\b/i.test(rel)) return
    if (this.versions.length >= maxVersions) return
    this.versions.push({ lang, href: address })
    this.add(address)
  }

  private add(address: string): void {
    if (this.all.size < maxLinks) this.all.add(address)
  }

  private image(attributes: Attributes): string | undefined {
    const source = attributes.get("src") ?? ""
    const address = (source === "" || dataUrl.test(source) ? lateSource(attributes) : undefined) ?? source
    if (address === "" || (dataUrl.test(address) && this.removeData)) return undefined
    const image = this.addresses.resolve(address)
    return image !== undefined && (isWebAddress(image) || picture.test(image)) ? image : undefined
  }
}

const maxLinks = 100_000
export const maxVersions = 200
export const maxLanguage = 35

/** Whether a `rel` names the next or the previous page of a list. */
export const isNeighbour = (rel: string): boolean => /(?:^|\s)(?:next|prev)(?:\s|$)/i.test(rel)

/** The types of embedded objects that are read as pages; empty: the type is not known. */
const readable = /^$|html|pdf/
const dataUrl = /^\s*data:/i
/** An embedded image. */
const picture = /^data:image\//i
/** The schemes that the HTML standard lets a site handle, and others like `tel`. */
const useful =
  /^(?:bitcoin|ftps?|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sftp|sips?|sms|smsto|ssh|tel|urn|webcal|xmpp):/
