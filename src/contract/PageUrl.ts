/**
 * Which URLs are the same page.
 *
 * Variants of one page have the same key: http and https, with and without www, a trailing slash, and unreserved characters
 * written as percent codes. `default.html` and similar names are separate pages. The caller chooses which other URLs are
 * the same page (`Identity`): in the contract, `/index.html` is the same page as its folder, and a hash route (`#/`, `#!/`)
 * is a page; a crawl for tables reads both and decides afterwards.
 */
import * as AliasParameters from "./AliasParameters.ts"

/** Which further URLs are the same page. */
export interface Identity {
  /** URLs that differ only in their query are one page. */
  readonly ignoreQuery: boolean
  /** A URL with a fragment that begins with `#/` or `#!/` is a separate page. */
  readonly routes: boolean
  /** `/docs/index.html` and `/docs/` are the same page, without reading them. */
  readonly indexIsFolder: boolean
  /** Whether URLs with and without a parameter are the same page. Default: never. */
  readonly isAlias?: ((name: string, value: string) => boolean) | undefined
}

/** The identity of pages in the contract. */
export const plainly = (ignoreQuery: boolean): Identity => ({ ignoreQuery, routes: true, indexIsFolder: true })

/** The URL of a link. Returns undefined if it is not an http or https URL. */
export const normalize = (href: string, base?: string): URL | undefined => {
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined
  if (url.hash !== "" && !isHashRoute(url.hash)) url.hash = ""
  url.username = ""
  url.password = ""
  // A final dot names the same host.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.replace(/\.+$/, "")
  return url
}

/** The key of a URL in the contract: all URLs of one page have the same. */
export const key = (url: URL, ignoreQuery: boolean): string => keyOf(url, plainly(ignoreQuery))

/** The key of a URL with any identity. */
export const keyOf = (url: URL, { ignoreQuery, indexIsFolder, isAlias, routes }: Identity): string => {
  const written = isAlias === undefined ? url.pathname : url.pathname.replace(AliasParameters.pathSession, "")
  const plain = plainPath(written)
  const path = indexIsFolder ? plain.replace(indexFile, "/") : plain
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  const search = ignoreQuery ? "" : isAlias === undefined ? url.search : withoutAliases(url.search, isAlias)
  return bareHost(url) + bare + search + (routes && isHashRoute(url.hash) ? url.hash : "")
}

/** The URL to request for a page: without parameters and fragments that make no other page. If unchanged, the same object. */
export const plainOf = (url: URL, { isAlias, routes }: Identity): URL => {
  const search = isAlias === undefined ? url.search : withoutAliases(url.search, isAlias)
  const path = isAlias === undefined ? url.pathname : url.pathname.replace(AliasParameters.pathSession, "")
  const hash = routes && isHashRoute(url.hash) ? url.hash : ""
  if (search === url.search && path === url.pathname && hash === url.hash) return url
  const plain = new URL(url.href)
  plain.search = search
  plain.pathname = path
  plain.hash = hash
  return plain
}

/** A link without its fragment. `routes`: a hash route stays, because it is a page. */
export const withoutPlace = (href: string, routes: boolean): string => {
  const at = href.indexOf("#")
  if (at === -1) return href
  const next = href.charCodeAt(at + 1)
  return routes && (next === slash || next === exclamation) ? href : href.slice(0, at)
}
const slash = 47
const exclamation = 33

/** The pages of links, each once: an index may link to a thousand fragments of one page. */
export const pagesOf = (links: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(links.map((link) => withoutPlace(link, true)))
]

/** The folder of an index file, as a URL. Returns undefined for any other URL. */
export const folderOf = (url: URL): URL | undefined => {
  if (!indexFile.test(url.pathname)) return undefined
  const folder = new URL(url.href)
  folder.pathname = url.pathname.replace(indexFile, "/")
  return folder
}

/** The host without `www.`, with its port, unless that is the default of the scheme. */
export const bareHost = (url: URL): string => url.host.replace(/^www\./, "")

/** Orders the spellings of a page by length, then alphabetically: the first is the one of its row. */
export const compare = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** The parameters of a query, not decoded, in their order. */
export const parametersOf = (search: string): ReadonlyArray<readonly [name: string, written: string]> =>
  search.length < 2
    ? []
    : search
        .slice(1)
        .split("&")
        .map((written) => [nameOf(written), written] as const)

const indexFile = /\/index\.(?:html?|php|aspx?|xhtml)$/i

const isHashRoute = (hash: string): boolean => hash.startsWith("#/") || hash.startsWith("#!/")

/** Removes alias parameters. All others stay as they are written. */
const withoutAliases = (search: string, isAlias: (name: string, value: string) => boolean): string => {
  if (search === "") return ""
  const parameters = parametersOf(search)
  const canonical = parameters.filter(([name, written]) => !isAlias(name, written.slice(written.indexOf("=") + 1)))
  if (canonical.length === parameters.length) return search
  return canonical.length === 0 ? "" : `?${canonical.map(([, written]) => written).join("&")}`
}

const nameOf = (written: string): string => {
  const at = written.indexOf("=")
  const name = at === -1 ? written : written.slice(0, at)
  return name.includes("%") ? (Array.from(new URLSearchParams(name).keys())[0] ?? name) : name
}

const plainPath = (path: string): string =>
  path.includes("%")
    ? path.replace(/%[0-9a-f]{2}/gi, (code) => {
        const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
        return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase()
      })
    : path
