/**
 * From what a site answered to the page document that the contract promises.
 */
import * as Effect from "effect/Effect"
import * as Limits from "../../api/Limits.ts"
import type { PageDocument } from "../../api/PageDocument.ts"
import * as ScrapeOptions from "../../api/ScrapeOptions.ts"
import * as Fetch from "./Fetch.ts"
import type { Landed } from "./followRedirects.ts"
import * as PageUrl from "./PageUrl.ts"
import { contentKind } from "./page/ContentKind.ts"
import * as Page from "./page/Page.ts"

export interface Made {
  readonly document: PageDocument
  readonly page: Page.Page
}

/** The document of a page that answered. Fails where the answer is a file that holds no text. */
export const make = Effect.fnUntraced(function* (
  landed: Landed,
  options: ScrapeOptions.ScrapeOptions | undefined,
  asked: { readonly url: string; readonly scrapeId: string }
) {
  const { url, fetched } = landed
  const formats = ScrapeOptions.formatNames(options)
  const kind = contentKind(fetched.contentType, fetched.body)
  if (kind === "other" && fetched.status < 400) {
    return yield* new Fetch.FetchError({
      url: url.href,
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: `${fetched.contentType ?? "a file of unknown type"} is not a kind of page that can be read`,
      retryable: false
    })
  }
  const page = Page.parse(
    { url: url.href, body: fetched.body, contentType: fetched.contentType },
    {
      markdown: formats.includes("markdown"),
      html: formats.includes("html"),
      rawHtml: formats.includes("rawHtml"),
      onlyMainContent: options?.onlyMainContent ?? true,
      removeBase64Images: options?.removeBase64Images ?? true
    }
  )
  const document: PageDocument = {
    ...(page.markdown === undefined ? {} : { markdown: page.markdown }),
    ...(page.html === undefined ? {} : { html: page.html }),
    ...(page.rawHtml === undefined ? {} : { rawHtml: page.rawHtml }),
    ...(formats.includes("links") ? { links: page.links } : {}),
    metadata: {
      ...page.metadata,
      sourceURL: asked.url,
      url: url.href,
      statusCode: fetched.status,
      ...(fetched.contentType === undefined ? {} : { contentType: fetched.contentType }),
      scrapeId: asked.scrapeId,
      proxyUsed: "basic",
      cacheState: "miss",
      creditsUsed: 1
    }
  }
  const made: Made = { document, page }
  return made
})

/** What a document cost (specification, Limits: crawl billing). */
export const creditsOf = ({ metadata }: PageDocument): number =>
  typeof metadata["creditsUsed"] === "number" ? metadata["creditsUsed"] : 1

/**
 * What the fetch of a page is told by its scrape options. The caller's credentials go to the start's own host, and not
 * in the open where the start is encrypted; another host, reached by a link or a redirect, never sees them.
 */
export const fetchOptions = (
  options: ScrapeOptions.ScrapeOptions | undefined,
  start: URL,
  target: URL
): Fetch.Options => {
  const languages = options?.location?.languages ?? []
  const isExposed = start.protocol === "https:" && target.protocol === "http:"
  const isHome = PageUrl.bareHost(start) === PageUrl.bareHost(target) && !isExposed
  const headers = Object.entries(options?.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !framing.has(name) && (isHome || !credentials.has(name)))
  return {
    timeoutMillis: options?.timeout ?? Limits.defaultScrapeTimeoutMillis,
    skipTlsVerification: options?.skipTlsVerification ?? false,
    headers: {
      ...(languages.length > 0 ? { "accept-language": languages.join(", ") } : {}),
      ...Object.fromEntries(headers)
    }
  }
}

/** Headers that frame the exchange itself are not the caller's to set. */
const framing = new Set(
  "host connection content-length transfer-encoding upgrade keep-alive expect te trailer accept-encoding".split(" ")
)

const credentials = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"])
