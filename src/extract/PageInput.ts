/**
 * What the engine reads of a page document, and which documents it does not read.
 */
import * as Effect from "effect/Effect"
import { isGone } from "#base/Removal"
import type { PageDocument } from "#contract/PageDocument"
import { FetchError } from "#web/Fetch"
import { findInjection } from "#web/promptInjection"
import type { Input } from "./Extractor.ts"

/** What the engine reads of a page document. */
export const of = ({ metadata, rawHtml }: PageDocument): Input => ({
  url: metadata.url,
  html: rawHtml ?? "",
  metadata: metadataOf(metadata)
})

/** What the page says of itself, without what the scrape says of the page. */
const metadataOf = (metadata: PageDocument["metadata"]): Input["metadata"] =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) =>
      !ofScrape.has(name) && (typeof value === "string" || isTexts(value)) ? [[name, value] as const] : []
    )
  )

const ofScrape = new Set(
  "sourceURL url statusCode contentType scrapeId proxyUsed cacheState cachedAt creditsUsed numPages totalPages error unread".split(
    " "
  )
)

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/** What a site answers instead of the page is not data of the page, and neither is what it sends for scripts to fill. */
export const checkStatus = ({ metadata, warning }: PageDocument): Effect.Effect<void, FetchError> => {
  const { statusCode, unread: code, url } = metadata
  if (statusCode >= 400) {
    const message = `the site answers ${statusCode}`
    const code = isGone(statusCode) ? goneCode : "SCRAPE_SITE_ERROR"
    return Effect.fail(new FetchError({ url, code, message, retryable: statusCode >= 500 }))
  }
  if (code === undefined) return Effect.void
  return Effect.fail(new FetchError({ url, code, message: warning ?? "the page was not read", retryable: false }))
}

/** The code of a page that answers 404 or 410. */
export const goneCode = "SCRAPE_PAGE_GONE"

export const checkInjection = ({ markdown, metadata, rawHtml }: PageDocument): Effect.Effect<void, FetchError> => {
  const found = findInjection(rawHtml ?? markdown ?? "")
  if (found === undefined) return Effect.void
  const message = `the page tries to instruct the machine that reads it (${JSON.stringify(found)}); leave checkPromptInjection out to go on`
  return Effect.fail(
    new FetchError({ url: metadata.url, code: "SCRAPE_PROMPT_INJECTION_DETECTED", message, retryable: false })
  )
}
