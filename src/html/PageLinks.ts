/** Where a page leads: its links, its frames, the same page in other languages, and the addresses of its pictures. */
import { type Addresses, isWebAddress } from "./Address.ts"
import type { Attributes } from "./Attributes.ts"
import { lateSource } from "./Images.ts"
import type { Metadata } from "./Metadata.ts"
import { redirectsIn, scriptedLinks } from "./scriptedLinks.ts"
import { isScriptShell } from "./scriptShell.ts"

export class PageLinks {
  /** Addresses of the web, each once, as they stand on the page. */
  readonly all = new Set<string>()
  readonly versions: Array<{ readonly lang: string; readonly href: string }> = []
  private readonly url: string
  private readonly addresses: Addresses
  private readonly removeData: boolean

  /** `removeData` leaves out pictures that stand in the page itself. */
  constructor(url: string, addresses: Addresses, removeData: boolean) {
    this.url = url
    this.addresses = addresses
    this.removeData = removeData
  }

  resolve = (href: string): string | undefined => this.addresses.resolve(href)

  resolveSource = (href: string): string | undefined =>
    this.removeData && dataUrl.test(href) ? undefined : this.addresses.resolve(href)

  /** The address of a link or a picture. `isHidden`: it stands where nothing is shown. */
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

  /** The address of an `<a>` that a reader can follow; in drawings, older ones write `xlink:href`. */
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

  /** Where a click goes that a script makes a link of. */
  private scripted(code: string | undefined): void {
    if (code !== undefined) for (const href of scriptedLinks(code)) this.own(href)
  }

  /** What a page shows in a frame, or goes to by a script, is a page of its site, where it is not another site's. */
  private own(href: string | undefined): void {
    const address = href === undefined ? undefined : this.addresses.resolve(href)
    if (address === undefined || !isWebAddress(address)) return
    if (URL.parse(address)?.host === URL.parse(this.url)?.host) this.add(address)
  }

  /** Where a page leads that shows nothing and has a script that goes elsewhere. */
  redirects(source: string): void {
    const hrefs = this.all.size === 0 ? redirectsIn(source) : []
    // A shell's scripts go elsewhere only with readers that they cannot serve.
    if (hrefs.length > 0 && !isScriptShell(source)) for (const href of hrefs) this.own(href)
  }

  /**
   * A `<link>`: what it says of the page goes to the metadata. The next page of a list is a link: where a script adds the items
   * as the reader scrolls, nothing else names it. So is the page in another language: a menu of languages may be a script's.
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

/** Whether a `rel` leads to the next or the previous page of a list. */
export const isNeighbour = (rel: string): boolean => /(?:^|\s)(?:next|prev)(?:\s|$)/i.test(rel)

/** What an object may be that is a page of its own. */
const readable = /^$|html|pdf/
const dataUrl = /^\s*data:/i
/** A picture that stands in the page itself. */
const picture = /^data:image\//i
/** Beside the web's, the schemes that the HTML standard lets a site handle, and `tel`'s like. */
const useful =
  /^(?:bitcoin|ftps?|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sftp|sips?|sms|smsto|ssh|tel|urn|webcal|xmpp):/
