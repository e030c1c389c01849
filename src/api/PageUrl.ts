/**
 * Which URLs are one page.
 *
 * URLs have the same key if they differ only in http and https, www, a trailing slash, or unreserved characters written as
 * percent codes. `default.html` and similar names are pages of their own. The caller chooses what else makes two URLs one page
 * (`Identity`): in the contract, `/index.html` is the same page as its folder, and a hash route (`#/`, `#!/`) is a page. A crawl
 * for tables reads both variants and then decides.
 */
import * as AliasParameters from "./AliasParameters.ts"

/** The optional rules by which two URLs are one page. */
export interface Identity {
  /** URLs that differ only in their query are one page. */
  readonly ignoreQuery: boolean
  /** A fragment that begins with `#/` or `#!/` names a page. */
  readonly routes: boolean
  /** `/docs/index.html` is the same page as `/docs/`, without reading them. */
  readonly indexIsFolder: boolean
  /** Whether a query parameter does not change the page. Undefined: every parameter changes it. */
  readonly isAlias?: ((name: string, value: string) => boolean) | undefined
}

/** The rules of the /v2 contract. */
export const plainly = (ignoreQuery: boolean): Identity => ({ ignoreQuery, routes: true, indexIsFolder: true })

/** The absolute URL of a link; undefined: it is invalid, or neither http nor https. */
export const normalize = (href: string, base?: string): URL | undefined => {
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined
  if (url.hash !== "" && !isHashRoute(url.hash)) url.hash = ""
  url.username = ""
  url.password = ""
  return url
}

/** The key of a URL by the rules of the contract: URLs of one page have the same key. */
export const key = (url: URL, ignoreQuery: boolean): string => keyOf(url, plainly(ignoreQuery))

/** The key of a URL by given rules. */
export const keyOf = (url: URL, { ignoreQuery, indexIsFolder, isAlias, routes }: Identity): string => {
  const written = isAlias === undefined ? url.pathname : url.pathname.replace(AliasParameters.pathSession, "")
  const plain = plainPath(written)
  const path = indexIsFolder ? plain.replace(indexFile, "/") : plain
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  const search = ignoreQuery ? "" : isAlias === undefined ? url.search : withoutAliases(url.search, isAlias)
  return bareHost(url) + bare + search + (routes && isHashRoute(url.hash) ? url.hash : "")
}

/** The URL to request for a found URL: without the parts that do not change the page. The same object if nothing is removed. */
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

/** A link without its fragment; with `routes`, a hash route stays. */
export const withoutPlace = (href: string, routes: boolean): string => {
  const at = href.indexOf("#")
  if (at === -1) return href
  const next = href.charCodeAt(at + 1)
  return routes && (next === slash || next === exclamation) ? href : href.slice(0, at)
}
const slash = 47
const exclamation = 33

/** The pages that links lead to, each once: an index may have a thousand links to places of one page. */
export const pagesOf = (links: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(links.map((link) => withoutPlace(link, true)))
]

/** The URL of the folder whose index file this URL is; undefined: it is not an index file. */
export const folderOf = (url: URL): URL | undefined => {
  if (!indexFile.test(url.pathname)) return undefined
  const folder = new URL(url.href)
  folder.pathname = url.pathname.replace(indexFile, "/")
  return folder
}

/** The host and a port that is not the scheme's own, without `www.`. */
export const bareHost = (url: URL): string => url.host.replace(/^www\./, "")

/** Orders the spellings of a page's URL: the shorter one first, otherwise by characters. The first one is used in its row. */
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
