/**
 * Makes the addresses in a page absolute.
 *
 * The result is always the one that the URL standard gives. Most links have a plain form, and the code joins these itself:
 * parsing a URL costs more than reading its tag. Pages repeat their links, so the results are kept.
 */

import { encodedQuery } from "./charset/encodedQuery.ts"
import type { Budget } from "./tree/Budget.ts"

export class Addresses {
  private base: URL
  private readonly budget: Budget | undefined
  private document = ""
  private directory = ""
  private readonly known = new Map<string, string | undefined>()
  private fixed = false
  private readonly charset: string

  /** `charset`: the encoding of the page, which is also the encoding of the queries in its links. */
  constructor(page: string, budget?: Budget, charset = "utf-8") {
    this.budget = budget
    this.charset = charset
    this.base = URL.parse(page) ?? new URL("about:blank")
    this.prepare()
  }

  /** Sets the base of all later addresses. Only the first valid `<base href>` counts. */
  rebase(href: string): void {
    if (this.fixed) return
    const base = URL.parse(href.trim(), this.base.href)
    if (base === null || !isWeb(base.protocol)) return
    this.fixed = true
    this.base = base
    this.known.clear()
    this.prepare()
  }

  /** The absolute address, with any scheme; undefined: it is invalid. */
  resolve(href: string): string | undefined {
    let address = this.known.get(href)
    if (address === undefined && !this.known.has(href)) {
      address = this.join(href) ?? URL.parse(encodedQuery(href, this.charset), this.base.href)?.href
      if (this.known.size < maxKnown) this.known.set(href, address)
    }
    if (address !== undefined) this.budget?.write(address.length)
    return address
  }

  private prepare(): void {
    const web = isWeb(this.base.protocol)
    this.document = web ? this.base.href.replace(/#.*$/s, "") : ""
    this.directory = web ? this.base.origin + this.base.pathname.slice(0, this.base.pathname.lastIndexOf("/") + 1) : ""
  }

  private join(href: string): string | undefined {
    if (this.document === "" || !plain.test(href) || href.includes("/.")) return undefined
    const first = href.charCodeAt(0)
    if (first === 35) return this.document + href
    if (first === 47) return href.charCodeAt(1) === 47 ? undefined : this.base.origin + href
    return this.directory + href
  }
}

const maxKnown = 20_000

/** A path, a fragment or both, without characters that need encoding and without a dot at the start. */
const plain = /^(?:[\w~/-][\w~/.-]*(?:#[\w~/.-]*)?|#[\w~/.-]*)$/

const isWeb = (protocol: string): boolean => protocol === "http:" || protocol === "https:"

export const isWebAddress = (address: string): boolean =>
  address.startsWith("http://") || address.startsWith("https://")
