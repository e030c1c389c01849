/**
 * Reads the bytes of an answer as a page: Markdown, HTML, links and metadata.
 *
 * `parse` throws only `TooCostly`, takes linear time, and does not trust what the page says about its size, charset or
 * structure.
 */

import { isWebAddress } from "./Address.ts"
import { decoded } from "./Charset.ts"
import { contentKind, essence } from "./ContentKind.ts"
import { contentHash, shortHash } from "./contentHash.ts"
import { readHtml } from "./Document.ts"
import { fenced } from "./markdown/Pre.ts"
import type { Page, PageOptions } from "./PageOptions.ts"
import { refreshTarget } from "./parts/Metadata.ts"
import { isNeighbour, maxLanguage, maxVersions } from "./parts/PageLinks.ts"

export type { Page, PageOptions } from "./PageOptions.ts"
export { TooCostly } from "./tree/Budget.ts"

export interface PageInput extends PageHeader {
  /** The URL that answered. Links resolve against it, or against `<base href>`. */
  readonly url: string
  /** Already decompressed. */
  readonly body: Uint8Array
  /** The header `Content-Type`, as sent. */
  readonly contentType: string | undefined
}

export const defaults: PageOptions = {
  markdown: true,
  html: false,
  rawHtml: false,
  onlyMainContent: true,
  removeBase64Images: true
}

export const parse = (input: PageInput, options: PageOptions): Page => {
  const { theme, unthemed } = options
  if (theme !== undefined && unthemed !== undefined) {
    const page = parse(input, { ...options, theme: undefined })
    if (shortHash(contentHash(page)) !== unthemed) return page
  }
  return withHeader(parseBody(input, options), input, input.url)
}

const parseBody = (input: PageInput, options: PageOptions): Page => {
  const kind = contentKind(input.contentType, input.body)
  if (kind === "other") return { links: [], metadata: {} }
  const { charset, text } = decoded(input.body, input.contentType, kind)
  const raw = options.rawHtml ? { rawHtml: text } : undefined
  if (kind === "html") {
    const page = readHtml(text, input.url, options, essence(input.contentType) === "application/xhtml+xml", charset)
    return raw === undefined ? page : { ...page, ...raw }
  }
  const trimmed = text.trim()
  const markdown = kind === "text" || trimmed === "" ? trimmed : fenced(kind, trimmed)
  return { ...(options.markdown ? { markdown } : undefined), ...raw, links: [], metadata: {} }
}

/**
 * The headers `Link` and `Refresh`, which are read like `<link>` and `<meta http-equiv=refresh>` in the page: the canonical
 * address, the next page of a list, versions in other languages, and the target of a refresh.
 */
interface PageHeader {
  /** `Link`, as sent. */
  readonly link?: string | undefined
  /** `Refresh`, as sent. */
  readonly refresh?: string | undefined
}

/** Adds what the headers say to the page. What the page itself says has priority. */
const withHeader = (page: Page, { link, refresh }: PageHeader, url: string): Page => {
  if (link === undefined && refresh === undefined) return page
  const links = new Set(page.links)
  const versions = Array.from(page.hreflang ?? [])
  let canonical = page.metadata["canonical"]
  for (const { href, lang, rel } of link === undefined ? [] : linksIn(link)) {
    const address = addressOf(href, url)
    if (address === undefined) continue
    const isVersion = lang !== "" && rel.includes("alternate") && versions.length < maxVersions
    if (rel.includes("canonical")) canonical ??= address
    if (isVersion) versions.push({ lang, href: address })
    if (isVersion || isNeighbour(rel.join(" "))) links.add(address)
  }
  const target = refresh === undefined ? undefined : addressOf(refreshTarget(refresh), url)
  return {
    ...page,
    links: Array.from(links),
    metadata: canonical === undefined ? page.metadata : { ...page.metadata, canonical },
    ...(versions.length === 0 ? {} : { hreflang: versions }),
    ...(page.refresh !== undefined || target === undefined ? {} : { refresh: target })
  }
}

const addressOf = (href: string | undefined, url: string): string | undefined => {
  const address = href === undefined ? undefined : URL.parse(href, url)?.href
  return address !== undefined && isWebAddress(address) ? address : undefined
}

/** RFC 8288: `<address>; rel="next"; hreflang=de`, separated by commas. */
const linksIn = (header: string) =>
  Array.from(header.slice(0, maxHeader).matchAll(/<([^<>]*)>([^<]*)/g), ([, href = "", parameters = ""]) => ({
    href,
    rel: parameterOf(parameters, rel).toLowerCase().split(/\s+/),
    lang: parameterOf(parameters, hreflang).slice(0, maxLanguage)
  }))

const maxHeader = 65_536

const parameterOf = (parameters: string, pattern: RegExp): string => {
  const [, quoted, plain] = pattern.exec(parameters) ?? []
  return (quoted ?? plain ?? "").trim()
}

const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i
const hreflang = /;\s*hreflang\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i
