/**
 * The addresses of a page's images: absolute, unique, in the order of the page. Embedded images (`data:`) are not listed.
 */
import { isWebAddress } from "../Address.ts"
import type { Attributes } from "../Attributes.ts"

export class Images {
  private readonly addresses = new Set<string>()

  open(name: string, attributes: Attributes, resolve: (href: string) => string | undefined): void {
    switch (name) {
      case "img":
        for (const key of sources) this.add(attributes.get(key), resolve)
        for (const key of sets) this.addSet(attributes.get(key), resolve)
        break
      case "source":
        for (const key of sets) this.addSet(attributes.get(key), resolve)
        break
      case "video":
        this.add(attributes.get("poster"), resolve)
        break
      case "meta": {
        const named = (attributes.get("property") ?? attributes.get("name"))?.toLowerCase()
        if (named !== undefined && metas.has(named)) this.add(attributes.get("content"), resolve)
      }
    }
  }

  finish(): ReadonlyArray<string> {
    return Array.from(this.addresses)
  }

  private add(written: string | undefined, resolve: (href: string) => string | undefined): void {
    const href = written?.trim() ?? ""
    if (href === "" || dataUrl.test(href) || this.addresses.size >= maxImages) return
    const address = resolve(href)
    if (address !== undefined && isWebAddress(address)) this.addresses.add(address)
  }

  /** Adds the addresses of a `srcset`, such as "a.png 1x, b.png 2x". A comma next to white space ends a candidate. */
  private addSet(written: string | undefined, resolve: (href: string) => string | undefined): void {
    if (written === undefined) return
    for (const candidate of written.split(/,\s+|\s,/)) this.add(/^\s*([^\s]+)/.exec(candidate)?.[1], resolve)
  }
}

/** The address of an image that is loaded late, or has only a `srcset`. */
export const lateSource = (attributes: Attributes): string | undefined => {
  for (const key of sources) {
    const source = attributes.get(key)
    if (key !== "src" && source !== undefined && source !== "") return source
  }
  for (const key of sets) {
    const first = /^\s*(\S*[^\s,])/.exec(attributes.get(key) ?? "")?.[1]
    if (first !== undefined) return first
  }
  return undefined
}

const maxImages = 20_000

const dataUrl = /^data:/i
/** Pages that load images late have the address in another attribute than `src`. */
const sources = ["src", "data-src", "data-original", "data-lazy-src"]
const sets = ["srcset", "data-srcset"]
const metas = new Set(["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"])
