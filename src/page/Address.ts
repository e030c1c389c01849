/**
 * Makes the addresses in a page absolute.
 *
 * The result is always the one that the URL standard gives. Most links have a plain form, and the code joins these itself:
 * parsing a URL costs more than reading its tag. Pages repeat their links, so the results are kept.
 */

import { koreanOf } from "./charset/koreanOf.ts"
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

/**
 * Encodes the query of an address in the encoding of its page, as the URL standard requires: on a page in Shift_JIS, the link
 * "/search?q=掃除機" becomes "?q=%91|%8F%9C%8B@". Paths are always UTF-8.
 */

/** `href`: as written on the page. `charset`: as `TextDecoder` names it. */
const encodedQuery = (href: string, charset: string): string => {
  const from = href.indexOf("?")
  if (from === -1) return href
  const hash = href.indexOf("#")
  const to = hash === -1 ? href.length : hash
  if (to < from) return href
  const query = href.slice(from, to)
  if (!foreign.test(query) || notTheirs.test(charset)) return href
  const bytes = bytesOf(charset)
  const encoded = query.replaceAll(eachForeign, (char) => percentOf(bytes.get(char)) ?? reference(char))
  return href.slice(0, from) + encoded + href.slice(to)
}

const foreign = /[^\0-\x7f]/
const eachForeign = /[^\0-\x7f]/gu
/** For pages in these encodings, queries stay UTF-8: UTF-8, UTF-16, encodings with escape sequences, special ones. */
const notTheirs = /^(?:utf-|iso-2022|replacement|x-user)/

const percentOf = (bytes: ReadonlyArray<number> | undefined): string | undefined =>
  bytes
    ?.map((byte) =>
      byte < 0x7f && !escaped.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .join("")

/** ASCII characters that are percent-encoded in a query. */
const escaped = /["#<>' ]/

/** A character that the encoding lacks, as a character reference, as forms send it. */
const reference = (char: string): string => `%26%23${char.codePointAt(0)}%3B`

const tables = new Map<string, ReadonlyMap<string, ReadonlyArray<number>>>()

const bytesOf = (charset: string): ReadonlyMap<string, ReadonlyArray<number>> => {
  const made = tables.get(charset)
  if (made !== undefined) return made
  const table = tableOf(charset)
  tables.set(charset, table)
  return table
}

/** The bytes of each character. Node has no encoder for these encodings, so every code is decoded once. */
const tableOf = (charset: string): ReadonlyMap<string, ReadonlyArray<number>> => {
  const decoder = new TextDecoder(charset, { ignoreBOM: true })
  const bytesByText = new Map<string, ReadonlyArray<number>>()
  const add = (...bytes: ReadonlyArray<number>) => {
    const body = Uint8Array.from(bytes)
    const text = charset === "euc-kr" ? koreanOf(body) : decoder.decode(body)
    const isOne = text.length > 0 && text.codePointAt(0) !== 0xfffd && Array.from(text).length === 1
    if (isOne && foreign.test(text) && !bytesByText.has(text)) bytesByText.set(text, bytes)
  }
  for (let byte = 0x80; byte <= 0xff; byte++) add(byte)
  if (!twoBytes.test(charset)) return bytesByText
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    // If Shift_JIS has two codes for a character, the later one is used.
    if (charset === "shift_jis" && (lead === 0xed || lead === 0xee)) continue
    for (let trail = 0x40; trail <= 0xfe; trail++) add(lead, trail)
  }
  return bytesByText
}

const twoBytes = /^(?:shift_jis|euc-jp|euc-kr|gbk|gb18030|big5)$/
