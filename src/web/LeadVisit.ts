/**
 * One page of a search for data, from its URL to its end: robots.txt; a cached copy, or a fetch in its host's turn,
 * where every redirect is checked; what is kept of the page, and where it leads.
 *
 * A page that the caller named is read as given, any other only if robots.txt allows it. `PageVisit` does the same for
 * a crawl.
 */
import * as Effect from "effect/Effect"
import { uuid7 } from "#contract/uuid7"
import type { DiscoveredUrl, Kind } from "./CrawlUrl.ts"
import { FetchError } from "./Fetch.ts"
import { MachineFault, raise } from "./fetch/MachineFault.ts"
import { followRedirects, redirectLoop } from "./followRedirects.ts"
import type * as Frontier from "./frontier/Frontier.ts"
import * as PageDocuments from "./PageDocuments.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import { patiently, patientRules } from "./patiently.ts"
import * as Robots from "./politeness/Robots.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { type Scraped, Scraper } from "./Scraper.ts"
import * as SiteCookies from "./SiteCookies.ts"
import { SiteRules } from "./SiteRules.ts"

/** A page to look at. */
export interface Lead {
  readonly url: URL
  readonly depth: number
  /** "start": the caller named it. */
  readonly kind: Kind
  /** How promising it is; higher scores are read sooner. */
  readonly score: number
}

/** What is kept of a page, as its document in the ledger. */
export interface RetainedPage {
  /** JSON text. */
  readonly document: string
  readonly credits: number
  /** Added to the cost that is charged when the job ends. */
  readonly laterCredits?: number
}

/** A lead with its entry in the ledger. */
export interface Known extends Lead {
  readonly row: DiscoveredUrl
}

/** How the visit ended. */
export type Look =
  | {
      readonly state: "scraped"
      readonly retained: RetainedPage
      readonly landed: URL
      readonly leads: ReadonlyArray<Lead>
    }
  | { readonly state: "failed"; readonly code: string; readonly message: string }
  | { readonly state: "blocked" | "alias"; readonly landed: URL }

/** What is read of each page, and how its result is made. */
export interface Plan<E, R> {
  readonly scrape: ScrapePlan
  /** Makes the result of a page. Its failure is the failure of the page; a `FetchError` gives the reason. */
  readonly keep: (page: Scraped, lead: Known) => Effect.Effect<RetainedPage, FetchError | E, R>
  /** Where a page leads. */
  readonly leadsOf: (page: Scraped, lead: Lead) => ReadonlyArray<Lead>
}

/** The end of a page that is not read: ends a chain of redirects early. */
class Cut {
  readonly _tag = "Cut"
  readonly look: Look
  constructor(look: Look) {
    this.look = look
  }
}

/** Gives the delay between two requests to the page's host. Fails with `Cut` if the page may not be read. */
const permitOf = Effect.fnUntraced(function* (options: ScrapePlan["options"]) {
  const siteRules = yield* SiteRules
  const names = yield* Robots.namesOf(options.headers)
  return Effect.fnUntraced(function* ({ kind }: Lead, url: URL) {
    if (kind === "start") return 0
    const robots = yield* patientRules(siteRules.of(url, options))
    if (!Robots.permits(robots, url.href, names)) return yield* Effect.fail(new Cut({ state: "blocked", landed: url }))
    return Robots.delayMillis(robots, names.ruled)
  })
})

/** The visits of one search. `frontier` knows which URLs are one page. */
export const prepare = Effect.fnUntraced(function* <E, R>(
  teamId: string,
  plan: Plan<E, R>,
  frontier: Frontier.Frontier
) {
  const polite = yield* PoliteFetch
  const permit = yield* permitOf(plan.scrape.options)
  const scraper = yield* Scraper
  const cookies = SiteCookies.create()
  /** Pages that the caller named, by host: only these hosts get the caller's headers. */
  const homes = new Map<string, URL>()
  const homeOf = ({ kind, url }: Lead): URL => {
    if (kind === "start") homes.set(url.host, url)
    return homes.get(url.host) ?? homes.values().next().value ?? nowhere
  }

  const read = Effect.fnUntraced(function* (lead: Known) {
    const delayMillis = yield* permit(lead, lead.url)
    const keeps = (plan.scrape.options.maxAge ?? 0) > 0
    const home = homeOf(lead)
    const order = { url: lead.row.url, scrapeId: uuid7(), teamId, keeps, delayMillis, home }
    const copy = yield* scraper.copyOf(plan.scrape, order)
    // A copy of a page that redirected may lead where this job may not go: such a page is fetched, and every hop is
    // checked.
    if (copy?.document.metadata.url === lead.url.href) return { page: copy, landed: lead.url }
    const jar = cookies.visit()
    const get = (hop: URL) =>
      patiently(
        jar.exchange(hop, PageDocuments.fetchOptions(plan.scrape, home, hop), (options, at = hop) =>
          polite.get(at, options, delayMillis)
        )
      )
    const follow = Effect.fnUntraced(function* (next: URL) {
      yield* permit(lead, next)
      const claim = frontier.claim(next, lead.row.seq)
      if (claim === "other") return yield* Effect.fail(new Cut({ state: "alias", landed: next }))
      if (claim === "loop") {
        const message = redirectLoop(next)
        return yield* Effect.fail(new Cut({ state: "failed", code: "SCRAPE_REDIRECT_LOOP", message }))
      }
    })
    const landed = yield* followRedirects(lead.url, get, follow, jar)
    return { page: yield* scraper.scrape(landed, plan.scrape, order), landed: landed.url }
  })

  return Effect.fnUntraced(
    function* (lead: Known) {
      const { landed, page } = yield* read(lead)
      const retained = yield* plan.keep(page, lead)
      const end: Look = { state: "scraped", retained, landed, leads: plan.leadsOf(page, lead) }
      return end
    },
    (look, lead) =>
      look.pipe(
        Effect.catchIf(
          (error): error is Cut => error instanceof Cut,
          ({ look }) => Effect.succeed(look)
        ),
        Effect.catchIf(
          (error): error is FetchError => error instanceof FetchError,
          ({ code, message }) => Effect.map(raise({ code, message }), (): Look => ({ state: "failed", code, message }))
        ),
        // A page that crashes our reader fails alone; the job continues.
        Effect.catchDefect((defect) =>
          defect instanceof MachineFault
            ? Effect.die(defect)
            : Effect.succeed<Look>({ state: "failed", code: "SCRAPE_UNKNOWN_ERROR", message: String(defect) })
        ),
        Effect.annotateLogs("url", lead.row.url)
      )
  )
})

/** The host of no page. */
const nowhere = new URL("https://nowhere.invalid/")
