/**
 * What is known of the sites of pages: whether a browser has shown pages of a site, and another page, to compare a page with: the
 * start of the crawl or of the site, and for the start itself the first page that it links to. One is fetched for a site, however
 * many pages are compared with it.
 */
import * as Effect from "effect/Effect"
import * as PageUrl from "#contract/PageUrl"
import { decode } from "#page/Charset"
import { contentKind } from "#page/ContentKind"
import { templateText } from "#page/scriptShell"
import type { Fetch } from "../Fetch.ts"
import { followRedirects } from "../followRedirects.ts"
import { fetchOptions, type PageToScrape, type Reading } from "../PageDocuments.ts"
import type { Politeness } from "../Politeness.ts"
import type { ScrapePlan } from "../ScrapePlan.ts"
import type { ScrapeStore } from "../ScrapeStore.ts"
import type { StoreError } from "../StoreError.ts"

export interface SiteMemory {
  /** Whether a browser has shown a page of the site, which its scripts fill. */
  readonly isRendered: (url: URL) => Effect.Effect<boolean, StoreError>
  readonly noteRendered: (url: URL, plan: ScrapePlan) => Effect.Effect<void, StoreError>
  /** Whether another page of the site says the same as this one, whose template is known. */
  readonly saysTheSame: (
    template: string,
    reading: Pick<Reading, "page" | "url">,
    plan: ScrapePlan,
    order: PageToScrape
  ) => Effect.Effect<boolean>
}

export const over = (
  fetch: Fetch["Service"],
  politeness: Politeness["Service"],
  store: Pick<ScrapeStore["Service"], "isRendered" | "noteRendered">
): SiteMemory => {
  const texts = new Map<string, Effect.Effect<string | undefined>>()
  const rendered = new Set<string>()

  /** The text of a page that may be a template. What cannot be fetched is the same as nothing. */
  const fetchText = (url: URL, plan: ScrapePlan, order: PageToScrape) => {
    const get = (hop: URL) => {
      const exchange = fetch.get(hop.href, fetchOptions(plan, order.home ?? url, hop))
      return politeness.take(hop.host, order.delayMillis, exchange)
    }
    const stays = (next: URL) => (next.origin === url.origin ? Effect.void : Effect.fail("another site"))
    return followRedirects(url, get, stays).pipe(
      Effect.map(({ fetched: { body, contentType, status } }) =>
        status === 200 && contentKind(contentType, body) === "html"
          ? templateText(decode(body, contentType, "html"))
          : undefined
      ),
      Effect.orElseSucceed(() => undefined)
    )
  }

  const textOf = Effect.fnUntraced(function* (url: URL, plan: ScrapePlan, order: PageToScrape) {
    const known = texts.get(url.href)
    if (known !== undefined) return yield* known
    const text = yield* Effect.cachedWithTTL(fetchText(url, plan, order), "10 minutes")
    leaveRoom(texts)
    texts.set(url.href, text)
    return yield* text
  })

  return {
    isRendered: ({ origin }) => (rendered.has(origin) ? Effect.succeed(true) : store.isRendered(origin)),
    noteRendered: ({ origin }, { keepsNothing = false }) => {
      if (rendered.has(origin)) return Effect.void
      leaveRoom(rendered)
      rendered.add(origin)
      return keepsNothing ? Effect.void : store.noteRendered(origin)
    },
    saysTheSame: Effect.fnUntraced(function* (template, { page, url }, plan, order) {
      const start = order.home?.origin === url.origin ? order.home : new URL("/", url)
      // An index file, or the same address with another query, is often the same page.
      const keyOf = (href: string) => PageUrl.key(new URL(href), true)
      const own = new Set([keyOf(order.url), keyOf(url.href)])
      const isOther = (href: string) => new URL(href).origin === url.origin && !own.has(keyOf(href))
      const other = [start.href, ...page.links].find(isOther)
      if (other === undefined) return false
      const isAllowed = order.mayAsk?.(new URL(other)) ?? Effect.succeed(true)
      if (!(yield* isAllowed)) return false
      return (yield* textOf(new URL(other), plan, order)) === template
    })
  }
}

/** Forgets the oldest site, if there are too many. */
const leaveRoom = (sites: Map<string, unknown> | Set<string>): void => {
  const [oldest] = sites.keys()
  if (sites.size >= mostSites && oldest !== undefined) sites.delete(oldest)
}

const mostSites = 1000
