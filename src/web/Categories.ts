/**
 * The categories to which a search can be limited: by host, or by the type of file.
 *
 * The URL of a result decides its category, wherever the result came from.
 */
import type { CategoryName, SearchRequest } from "#contract/Search"
import { type Site, siteOf } from "./SearchQuery.ts"

export interface Category {
  readonly name: CategoryName
  readonly sites: ReadonlyArray<Site>
}

export const of = (categories: SearchRequest["categories"]): ReadonlyArray<Category> =>
  (categories ?? []).map((category) => {
    const name = typeof category === "string" ? category : category.type
    const own = typeof category === "string" ? [] : (category.sites ?? [])
    const sites = own.length > 0 ? own : (hosts.get(name) ?? [])
    return { name, sites: sites.flatMap((site) => siteOf(site) ?? []) }
  })

/** The first of these categories to which a page belongs. */
export const nameOf = (categories: ReadonlyArray<Category>, href: string): CategoryName | undefined => {
  const url = URL.parse(href)
  if (url === null) return undefined
  return categories.find(({ name, sites }) =>
    name === "pdf" ? /\.pdf$/i.test(url.pathname) : sites.some((site) => isOn(url, site))
  )?.name
}

/** Whether a page is on this host or a subdomain, and below this path. */
export const isOn = (url: URL, { host, path }: Site): boolean => {
  const own = url.host.replace(/^www\./, "")
  return (own === host || own.endsWith(`.${host}`)) && url.pathname.startsWith(path)
}

const hosts = new Map<CategoryName, ReadonlyArray<string>>([
  ["github", ["github.com"]],
  [
    "research",
    "arxiv.org nature.com science.org ieee.org acm.org ncbi.nlm.nih.gov pubmed.ncbi.nlm.nih.gov biorxiv.org medrxiv.org springer.com sciencedirect.com plos.org jstor.org semanticscholar.org openreview.net".split(
      " "
    )
  ],
  [
    "developer",
    "github.com gitlab.com codeberg.org stackoverflow.com developer.mozilla.org npmjs.com pypi.org crates.io docs.rs readthedocs.io pkg.go.dev".split(
      " "
    )
  ]
])
