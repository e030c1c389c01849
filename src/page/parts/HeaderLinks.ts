/**
 * Reads the headers `Link` and `Refresh` like `<link>` and `<meta http-equiv=refresh>` in the page: the canonical address,
 * the next page of a list, versions in other languages, and the target of a refresh.
 */
import { isWebAddress } from "../Address.ts"
import type { Page } from "../PageOptions.ts"
import { refreshTarget } from "./Metadata.ts"
import { isNeighbour, maxLanguage, maxVersions } from "./PageLinks.ts"

export interface PageHeader {
  /** `Link`, as sent. */
  readonly link?: string | undefined
  /** `Refresh`, as sent. */
  readonly refresh?: string | undefined
}

/** Adds what the headers say to the page. What the page itself says has priority. */
export const withHeader = (page: Page, { link, refresh }: PageHeader, url: string): Page => {
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
