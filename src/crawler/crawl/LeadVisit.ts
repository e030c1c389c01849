/**
 * One page of a search for data, from its URL to how the look at it ended: robots.txt -> a copy, or a fetch in its host's turn,
 * redirects by hand, each hop judged -> what is kept of it, and where it leads on to.
 *
 * A page that the caller named is read as given, any other only if robots.txt allows it. `PageVisit` is the same for a crawl.
 */
import * as Effect from "effect/Effect"
import { uuid7 } from "../../api/uuid7.ts"
import { FetchError, productToken } from "../fetch/Fetch.ts"
import { followRedirects, redirectLoop } from "../fetch/followRedirects.ts"
import { MachineFault, raise } from "../fetch/MachineFault.ts"
import * as SiteCookies from "../fetch/SiteCookies.ts"
import type { DiscoveredUrl, Kind } from "../frontier/CrawlUrl.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import { PoliteFetch } from "../politeness/PoliteFetch.ts"
import { patiently, patientRules } from "../politeness/patiently.ts"
import * as Robots from "../politeness/Robots.ts"
import { SiteRules } from "../politeness/SiteRules.ts"
import * as PageDocuments from "../scrape/PageDocuments.ts"
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import { type Scraped, Scraper } from "../scrape/Scraper.ts"

/** A page to look at. */
export interface Lead {
  readonly url: URL
  readonly depth: number
  /** start: the caller named it. */
  readonly kind: Kind
  /** How promising it is; more is sooner. */
  readonly score: number
}

/** What a page gave: kept in the ledger as its document. */
export interface Kept {
  /** JSON text. */
  readonly document: string
  readonly credits: number
  /** What it adds to the cost that the end of the job has. */
  readonly laterCredits?: number
}

/** A lead with its row of the ledger. */
export interface Known extends Lead {
  readonly row: DiscoveredUrl
}

/** How the look at a page ended. */
export type Look =
  | { readonly state: "scraped"; readonly kept: Kept; readonly landed: URL; readonly leads: ReadonlyArray<Lead> }
  | { readonly state: "failed"; readonly code: string; readonly message: string }
  | { readonly state: "blocked" | "alias"; readonly landed: URL }

/** What is read of each page, and what is made of it. */
export interface Plan<E, R> {
  readonly scrape: ScrapePlan
  /** What is made of a page. Its failure is the page's; a `FetchError` says why. */
  readonly keep: (page: Scraped, lead: Known) => Effect.Effect<Kept, FetchError | E, R>
  /** Where a page leads on to. */
  readonly leadsOf: (page: Scraped, lead: Lead) => ReadonlyArray<Lead>
}

/** A page that is not read after all: how a chain of redirects is cut short. */
class Cut {
  readonly _tag = "Cut"
  readonly look: Look
  constructor(look: Look) {
    this.look = look
  }
}

/** How the pages of one search are looked at. `frontier` knows which of them are one page. */
export const make = Effect.fnUntraced(function* <E, R>(teamId: string, plan: Plan<E, R>, frontier: Frontier.Frontier) {
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const scraper = yield* Scraper
  const cookies = SiteCookies.make()
  /** Pages that the caller named, by their hosts: the caller's headers are for these. */
  const homes = new Map<string, URL>()
  const homeOf = ({ kind, url }: Lead): URL => {
    if (kind === "start") homes.set(url.host, url)
    return homes.get(url.host) ?? homes.values().next().value ?? nowhere
  }

  /** Milliseconds between two exchanges with the page's host; a page that may not be read is cut. */
  const permit = Effect.fnUntraced(function* ({ kind }: Lead, url: URL) {
    if (kind === "start") return 0
    const robots = yield* patientRules(siteRules.of(url, plan.scrape.options))
    if (!robots.allows(url.href, productToken)) return yield* Effect.fail(new Cut({ state: "blocked", landed: url }))
    return Robots.delayMillis(robots, productToken)
  })

  const read = Effect.fnUntraced(function* (lead: Known) {
    const delayMillis = yield* permit(lead, lead.url)
    const keeps = (plan.scrape.options.maxAge ?? 0) > 0
    const home = homeOf(lead)
    const asked = { url: lead.row.url, scrapeId: uuid7(), teamId, keeps, delayMillis, home }
    const copy = yield* scraper.kept(plan.scrape, asked)
    // A copy of a page that redirected may lead where this job does not go: it is fetched, and judged hop by hop.
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
    return { page: yield* scraper.scrape(landed, plan.scrape, asked), landed: landed.url }
  })

  return Effect.fnUntraced(
    function* (lead: Known) {
      const { landed, page } = yield* read(lead)
      const kept = yield* plan.keep(page, lead)
      const end: Look = { state: "scraped", kept, landed, leads: plan.leadsOf(page, lead) }
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
        // A page that trips our own reader costs that page, not the job.
        Effect.catchDefect((defect) =>
          defect instanceof MachineFault
            ? Effect.die(defect)
            : Effect.succeed<Look>({ state: "failed", code: "SCRAPE_UNKNOWN_ERROR", message: String(defect) })
        ),
        Effect.annotateLogs("url", lead.row.url)
      )
  )
})

/** Whose host is nobody's. */
const nowhere = new URL("https://nowhere.invalid/")
