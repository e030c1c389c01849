/**
 * URLs as the crawler counts them.
 *
 * The law: fragments are dropped, except hash routes (`#/`, `#!/`), which are pages of their own. Variants of one page
 * have one key: http and https, www and none, trailing slash, `/index.html`, and unreserved characters written as
 * percent codes.
 */

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
export const key = (url: URL, ignoreQuery: boolean): string => {
  const path = plainPath(url.pathname).replace(indexFile, "/")
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  return bareHost(url) + bare + (ignoreQuery ? "" : url.search) + (isHashRoute(url.hash) ? url.hash : "")
}

/** The host and a port that is not the scheme's own, without `www.`. */
export const bareHost = (url: URL): string => url.host.replace(/^www\./, "")

const indexFile = /\/(?:index|default)\.(?:html?|php|aspx?|xhtml)$/i

const isHashRoute = (hash: string): boolean => hash.startsWith("#/") || hash.startsWith("#!/")

const plainPath = (path: string): string =>
  path.includes("%")
    ? path.replace(/%[0-9a-f]{2}/gi, (code) => {
        const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
        return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase()
      })
    : path
