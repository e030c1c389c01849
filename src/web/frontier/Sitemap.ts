/**
 * Reads the URLs of a sitemap: urlset, index, RSS, Atom or plain text, gzipped or not.
 *
 * A sitemap comes from an untrusted site. Reading never throws, unpacks to a limited size and gives a limited number of
 * URLs. What is wrong with the file is in `problem`, beside everything that could be read.
 */
import * as zlib from "node:zlib"
import type { Attributes } from "#page/Attributes"
import { decode } from "#page/Charset"
import { type Sink, tokenize } from "#page/Tokenizer"

interface Entry {
  readonly loc: string
  /** As written. */
  readonly lastmod?: string
}

interface Sitemap {
  readonly urls: ReadonlyArray<Entry>
  /** The sitemaps that an index lists. */
  readonly sitemaps: ReadonlyArray<Entry>
  readonly problem?: string
  /** Whether the file is a sitemap, readable or not; false if the site answers with a page, or with nothing. */
  readonly isSitemap: boolean
  /** Whether it is a feed: RSS or Atom. */
  readonly isFeed?: boolean
}

/** The pages that a feed links to; empty: another kind of XML, or too large to be read for that. */
export const feedLinks = (body: Uint8Array, url: string): ReadonlyArray<string> => {
  if (body.byteLength > maxFeedBytes) return []
  const { isFeed = false, urls } = parse(body, url)
  return isFeed ? [...new Set(urls.map(({ loc }) => loc))] : []
}

/** The protocol allows 50,000, but some sites write one file for all of their pages. */
const maxEntries = 100_000
export const maxBytes = 50 * 1024 * 1024
/** A feed is read while other work waits: half a second would be too long. */
const maxFeedBytes = 2 * 1024 * 1024

export const parse = (body: Uint8Array, url: string, contentType?: string): Sitemap => {
  const unpacked = unpack(body)
  if (typeof unpacked === "string") return { urls: [], sitemaps: [], problem: unpacked, isSitemap: true }
  const { bytes, isCutOff } = unpacked
  const text = decode(bytes, undefined, "xml")
  const entries = new Entries(url)
  if (isCutOff) entries.problem = cutOff
  const start = /\S/.exec(text)?.index
  if (start === undefined) return { urls: [], sitemaps: [], problem: "the sitemap is empty", isSitemap: false }
  // A site that answers every URL may answer with part of a page, with words, or in JSON; only XML claims to be a
  // sitemap.
  let isSitemap = contentType?.includes("xml") === true
  let isFeed = false
  if (text[start] !== "<") readLines(text, entries)
  else {
    const reader = new XmlReader(entries)
    tokenize(text, reader, { xml: true })
    if (reader.root === "html")
      return { urls: [], sitemaps: [], problem: "the sitemap is an html page", isSitemap: false }
    const isRoot = roots.has(reader.root)
    isSitemap ||= isRoot
    isFeed = feeds.has(reader.root)
    if (!isRoot) entries.problem ??= `the sitemap has an unknown root element "${reader.root.slice(0, 40)}"`
    else if (reader.isOpen && !entries.isEmpty) entries.problem ??= cutOff
  }
  const problem = entries.problem ?? (entries.isEmpty ? "the sitemap names no address" : undefined)
  return {
    urls: entries.urls,
    sitemaps: entries.sitemaps,
    isSitemap: isSitemap || !entries.isEmpty,
    ...(isFeed ? { isFeed } : undefined),
    ...(problem === undefined ? undefined : { problem })
  }
}

/** As when the site was still writing it: the rest is unknown. */
const cutOff = "the sitemap is cut off before its end"

const feeds = new Set(["rss", "feed", "rdf"])
const roots = new Set(["urlset", "sitemapindex", ...feeds])

/** Unpacks gzip, or says what is wrong with it. A truncated file gives what it had. */
const unpack = (body: Uint8Array): { readonly bytes: Uint8Array; readonly isCutOff: boolean } | string => {
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    return body.length > maxBytes ? `the sitemap is larger than ${maxBytes} bytes` : { bytes: body, isCutOff: false }
  }
  try {
    return { bytes: zlib.gunzipSync(body, { maxOutputLength: maxBytes }), isCutOff: false }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ERR_BUFFER_TOO_LARGE") return `the sitemap unpacks to more than ${maxBytes} bytes`
    if (code !== "Z_BUF_ERROR") return "the sitemap is not valid gzip"
  }
  const bytes = zlib.gunzipSync(body, { maxOutputLength: maxBytes, finishFlush: zlib.constants.Z_SYNC_FLUSH })
  return { bytes, isCutOff: true }
}

class Entries {
  readonly urls: Array<Entry> = []
  readonly sitemaps: Array<Entry> = []
  problem: string | undefined
  private readonly base: string

  constructor(base: string) {
    this.base = base
  }

  get isEmpty(): boolean {
    return this.urls.length === 0 && this.sitemaps.length === 0
  }

  add(to: "urls" | "sitemaps", loc: string, lastmod: string): void {
    const written = loc.trim()
    const address = written === "" ? null : URL.parse(written, this.base)
    if (address === null || (address.protocol !== "http:" && address.protocol !== "https:")) return
    if (this[to].length >= maxEntries) {
      this.problem ??= `the sitemap names more than ${maxEntries} addresses: the others are left out`
      return
    }
    const date = lastmod.trim()
    this[to].push(date === "" || date.length > maxDate ? { loc: address.href } : { loc: address.href, lastmod: date })
  }
}

const maxDate = 64

/** A text sitemap has one URL per line. Other lines are ignored. */
const readLines = (text: string, entries: Entries): void => {
  for (const line of text.split(/\r\n|\r|\n/)) if (/^\s*https?:\/\//i.test(line)) entries.add("urls", line, "")
}

/** Reads elements by their local names, because prefixes differ from file to file. */
class XmlReader implements Sink {
  readonly foreign = false
  root = ""
  private readonly entries: Entries
  private readonly path: Array<string> = []
  private loc = ""
  private lastmod = ""
  /** Some entries of RSS name their page only by their guid. */
  private guid = ""
  private value: string | undefined

  constructor(entries: Entries) {
    this.entries = entries
  }

  open(written: string, attributes: Attributes): void {
    const name = localName(written)
    if (this.root === "") this.root = name
    const parent = this.path[this.path.length - 1]
    if (holders.has(name)) this.loc = this.lastmod = this.guid = ""
    if (parent !== undefined && holders.has(parent)) {
      if (texts.has(name) || (name === "guid" && isPermanent(attributes))) this.value = ""
      const rel = attributes.get("rel") ?? "alternate"
      if (parent === "entry" && name === "link" && rel === "alternate" && this.loc === "")
        this.loc = attributes.get("href") ?? ""
      // `<xhtml:link rel="alternate" hreflang="de" href="...">`: the page in another language.
      if (parent === "url" && name === "link" && rel === "alternate")
        this.entries.add("urls", attributes.get("href") ?? "", "")
    }
    if (!attributes.selfClosing && this.path.length < maxDepth) this.path.push(name)
  }

  close(written: string): void {
    const name = localName(written)
    const at = this.path.lastIndexOf(name)
    if (at === -1) return
    this.path.length = at
    if (this.value !== undefined && holders.has(this.path[at - 1] ?? "")) {
      if (name === "loc" || name === "link") this.loc ||= this.value
      else if (name === "guid") this.guid ||= this.value
      else if (texts.has(name)) this.lastmod ||= this.value
      this.value = undefined
    }
    if (!holders.has(name)) return
    const loc = this.loc.trim() === "" && /^\s*https?:/i.test(this.guid) ? this.guid : this.loc
    this.entries.add(name === "sitemap" ? "sitemaps" : "urls", loc, this.lastmod)
  }

  /** Whether an element is still open. */
  get isOpen(): boolean {
    return this.path.length > 0
  }

  text(value: string): void {
    if (this.value !== undefined && this.value.length < maxText) this.value += value
  }
}

const maxDepth = 32
const maxText = 8192

const holders = new Set(["url", "sitemap", "item", "entry"])
const texts = new Set(["loc", "link", "lastmod", "pubdate", "updated", "date"])

/** Whether a guid is a URL. Default: it is. */
const isPermanent = (attributes: Attributes): boolean =>
  (attributes.get("isPermaLink") ?? attributes.get("ispermalink")) !== "false"

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase()
