/**
 * The style sheets that a page links: fetched as subresources of the page, as a browser does, and cached for other
 * pages of the site.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decode } from "#page/Charset"
import type { Fetch, Options } from "../Fetch.ts"
import { followRedirects } from "../followRedirects.ts"

interface Sheets {
  readonly texts: ReadonlyArray<string>
  /** How many could not be fetched, or exceeded the limit. */
  readonly missed: number
}

export interface StyleSheets {
  readonly read: (urls: ReadonlyArray<URL>, options: Options) => Effect.Effect<Sheets>
}

export const over = (fetch: Fetch["Service"]): StyleSheets => {
  const cache = new Map<string, { readonly text: string; readonly at: number }>()

  const sheet = Effect.fnUntraced(function* (url: URL, options: Options) {
    const now = yield* Clock.currentTimeMillis
    const before = cache.get(url.href)
    if (before !== undefined && now - before.at < freshMillis) return before.text
    const own = { ...options, maxBytes: maxSheetBytes, timeoutMillis: Math.min(options.timeoutMillis, maxMillis) }
    const { fetched } = yield* followRedirects(
      url,
      (hop) => fetch.get(hop.href, own),
      () => Effect.void
    )
    if (fetched.status !== 200 || !/^text\/css\b/i.test(fetched.contentType ?? "")) return undefined
    const text = decode(fetched.body, fetched.contentType, "text")
    cache.delete(url.href)
    cache.set(url.href, { text, at: now })
    const [oldest] = cache.keys()
    if (cache.size > maxKept && oldest !== undefined) cache.delete(oldest)
    return text
  })

  return {
    read: Effect.fnUntraced(function* (urls, options) {
      const answers = yield* Effect.forEach(urls.slice(0, maxSheets), (url) => Effect.option(sheet(url, options)), {
        concurrency: 2
      })
      const texts = answers.flatMap((answer) =>
        answer._tag === "Some" && answer.value !== undefined ? [answer.value] : []
      )
      return { texts, missed: urls.length - texts.length }
    })
  }
}

const maxSheets = 6
const maxSheetBytes = 1024 * 1024
const maxMillis = 10_000
const freshMillis = 600_000
const maxKept = 50
