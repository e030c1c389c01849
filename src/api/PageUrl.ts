/**
 * URLs as the crawler counts them.
 *
 * Variants of one page have one key: http and https, with and without www, a trailing slash, and unreserved characters
 * written as percent codes. `default.html` and similar names are pages of their own. The caller chooses what else makes
 * two URLs one page (`Identity`): in the contract `/index.html` is its folder and a hash route (`#/`, `#!/`) is a page;
 * a crawl for tables reads both and decides when it has them.
 */
import * as AliasParameters from "./AliasParameters.ts"

/** What makes two URLs one page, beside what always does. */
export interface Identity {
  /** URLs that differ only in their query are one page. */
  readonly ignoreQuery: boolean
  /** A fragment that begins with `#/` or `#!/` names a page. */
  readonly routes: boolean
  /** `/docs/index.html` is `/docs/` without a look at either. */
  readonly indexIsFolder: boolean
  /** Whether a parameter names no page of its own. Undefined: every parameter does. */
  readonly isAlias?: ((name: string, value: string) => boolean) | undefined
}

/** How URLs are counted over the contract. */
export const plainly = (ignoreQuery: boolean): Identity => ({ ignoreQuery, routes: true, indexIsFolder: true })

/** The URL a link means, or undefined where it means no page: another scheme, or not a URL. */
export const normalize = (href: string, base?: string): URL | undefined => {
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined
  if (url.hash !== "" && !isHashRoute(url.hash)) url.hash = ""
  url.username = ""
  url.password = ""
  return url
}

/** What two URLs of one page have in common. */
export const key = (url: URL, ignoreQuery: boolean): string => keyOf(url, plainly(ignoreQuery))

/** The same for whoever counts otherwise. */
export const keyOf = (url: URL, { ignoreQuery, indexIsFolder, isAlias, routes }: Identity): string => {
  const written = isAlias === undefined ? url.pathname : url.pathname.replace(AliasParameters.pathSession, "")
  const plain = plainPath(written)
  const path = indexIsFolder ? plain.replace(indexFile, "/") : plain
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  const search = ignoreQuery ? "" : isAlias === undefined ? url.search : withoutAliases(url.search, isAlias)
  return bareHost(url) + bare + search + (routes && isHashRoute(url.hash) ? url.hash : "")
}

/** The URL that is asked for where this one is found: without what names no page. The same object where nothing goes. */
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

/** A link without the place on its page that it names; where a hash route is a page, it stays. */
export const withoutPlace = (href: string, routes: boolean): string => {
  const at = href.indexOf("#")
  if (at === -1) return href
  const next = href.charCodeAt(at + 1)
  return routes && (next === slash || next === exclamation) ? href : href.slice(0, at)
}
const slash = 47
const exclamation = 33

/** Where links lead, each page once: an index may name a thousand places of one page. */
export const pagesOf = (links: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(links.map((link) => withoutPlace(link, true)))
]

/** The folder that this is the index file of, as a URL; undefined: it is none. */
export const folderOf = (url: URL): URL | undefined => {
  if (!indexFile.test(url.pathname)) return undefined
  const folder = new URL(url.href)
  folder.pathname = url.pathname.replace(indexFile, "/")
  return folder
}

/** The host and a port that is not the scheme's own, without `www.`. */
export const bareHost = (url: URL): string => url.host.replace(/^www\./, "")

/** Which of two spellings of a page is its row's: the shorter, else the lesser. */
export const compare = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** The parameters of a query as they are written, in their order. */
export const parametersOf = (search: string): ReadonlyArray<readonly [name: string, written: string]> =>
  search.length < 2
    ? []
    : search
        .slice(1)
        .split("&")
        .map((written) => [nameOf(written), written] as const)

const indexFile = /\/index\.(?:html?|php|aspx?|xhtml)$/i

const isHashRoute = (hash: string): boolean => hash.startsWith("#/") || hash.startsWith("#!/")

/** The other parameters stay as they are written. */
const withoutAliases = (search: string, isAlias: (name: string, value: string) => boolean): string => {
  if (search === "") return ""
  const parameters = parametersOf(search)
  const kept = parameters.filter(([name, written]) => !isAlias(name, written.slice(written.indexOf("=") + 1)))
  if (kept.length === parameters.length) return search
  return kept.length === 0 ? "" : `?${kept.map(([, written]) => written).join("&")}`
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
