/**
 * Which links a crawl follows.
 *
 * The order matters (`public-clients`, crawl engine habits): scheme, depth, exclude, include, scope (domain, then path
 * prefix), file type. The crawler checks robots.txt last. `PageUrl.normalize` checks the scheme.
 */
import * as Effect from "effect/Effect"
import * as PageUrl from "#contract/PageUrl"
import type * as PathFilter from "./PathFilter.ts"

export interface Rules {
  readonly start: URL
  readonly maxDiscoveryDepth: number | undefined
  readonly crawlEntireDomain: boolean
  /** Whether a host belongs to the domain of the start; undefined: subdomains are not allowed. */
  readonly isOfDomain: IsOfDomain | undefined
  readonly allowExternalLinks: boolean
  readonly filter: PathFilter.PathFilter
}

type IsOfDomain = (hostname: string) => boolean

/** The domain of a start, if subdomains are allowed. Only then the large list of domain suffixes is loaded. */
export const domainOf = (start: URL, allowSubdomains: boolean): Effect.Effect<IsOfDomain | undefined> =>
  allowSubdomains
    ? Effect.map(
        Effect.promise(() => import("tldts")),
        ({ getDomain }) => {
          const own = getDomain(start.hostname, options)
          return (hostname) => own !== null && own === getDomain(hostname, options)
        }
      )
    : Effect.undefined

const options = { allowPrivateDomains: true }

/**
 * in: crawl it. file: it is named like a file, so its content type decides (`NamedFiles`). external: off the domain, allowed for
 * one hop. external-home: never crawled, but reported. out: ignored.
 */
type Verdict = "in" | "file" | "external" | "external-home" | "out"

/** Judges a link that was found `depth` hops from the start. */
export const judge = (rules: Rules, url: URL, depth: number): Verdict => {
  if (rules.maxDiscoveryDepth !== undefined && depth > rules.maxDiscoveryDepth) return "out"
  if (rules.filter.excludes(url) || !rules.filter.includes(url)) return "out"
  if (isInternal(rules, url)) return !isBelowStart(rules, url) ? "out" : isNamedLikeFile(url) ? "file" : "in"
  if (!rules.allowExternalLinks || isNamedLikeFile(url)) return "out"
  return isHome(url) ? "external-home" : "external"
}

/** Whether the path filters allow the start page itself as a result. */
export const admitsStart = (rules: Rules): boolean =>
  !rules.filter.excludes(rules.start) && rules.filter.includes(rules.start)

/** The start's own host (with or without www), and its subdomains and siblings if they are allowed. */
export const isInternal = (rules: Rules, url: URL): boolean => {
  return PageUrl.bareHost(url) === PageUrl.bareHost(rules.start) || rules.isOfDomain?.(url.hostname) === true
}

/** A root URL without a path. */
export const isHome = (url: URL): boolean => url.pathname === "/" && url.search === ""

const isBelowStart = (rules: Rules, url: URL): boolean => {
  if (rules.crawlEntireDomain) return true
  const folder = folderOf(rules.start.pathname)
  return folder === "/" || url.pathname === folder.slice(0, -1) || url.pathname.startsWith(folder)
}

/** The path that a page's children share: "/docs" and "/docs/index.html" both have "/docs/". */
const folderOf = (path: string): string => {
  const last = path.slice(path.lastIndexOf("/") + 1)
  if (last === "") return path
  return last.includes(".") ? path.slice(0, path.length - last.length) : `${path}/`
}

/** Whether a URL has the name of a file that is seldom a page. */
export const isNamedLikeFile = (url: URL): boolean => {
  const dot = url.pathname.lastIndexOf(".")
  return dot > url.pathname.lastIndexOf("/") && assets.has(url.pathname.slice(dot + 1).toLowerCase())
}

/** Whether a URL has any extension: what answers there with the content of no page is a file. */
export const hasExtension = ({ pathname }: URL): boolean => /\.[a-z][a-z0-9]{0,7}$/i.test(pathname)

/** The extensions of files that are seldom pages. */
const assets = new Set(
  (
    "png jpg jpeg gif webp avif ico svg bmp tif tiff css js mjs map woff woff2 ttf otf eot mp3 mp4 m4a m4v avi mov " +
    "mkv webm flv wav ogg zip gz tgz bz2 xz 7z rar tar exe dmg pkg deb rpm msi iso apk jar bin dll so wasm swf inc " +
    "ppt pptx xls xlsx psd ai eps"
  ).split(" ")
)
