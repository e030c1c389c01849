/**
 * Makes the plan of a request: defaults filled in, patterns compiled. The same request gives the same plan, also when
 * it is read back after a restart.
 */
import * as Effect from "effect/Effect"
import * as AliasParameters from "#contract/AliasParameters"
import type { CrawlRequest } from "#contract/Crawl"
import { Forbidden } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import * as PageUrl from "#contract/PageUrl"
import * as Settling from "#contract/Settling"
import * as Theme from "#page/Theme"
import type { CrawlPlan } from "./CrawlPlan.ts"
import * as Scope from "./CrawlScope.ts"
import * as PathFilter from "./PathFilter.ts"
import type { Patience } from "./Patience.ts"
import * as ScrapePlan from "./ScrapePlan.ts"

/** What the operator allows crawls. */
export interface Allowed {
  /** The maximum number of pages in flight, and the default. */
  readonly concurrency: number
  /** The maximum number of pages in flight of one host: a crawl of one host begins no more. */
  readonly perHost: number
  readonly patience: Patience
  /** Whether `ignoreRobotsTxt` and `robotsUserAgent` are allowed. */
  readonly robotsControl: boolean
}

export const planCrawl = Effect.fnUntraced(function* (
  request: CrawlRequest,
  allowed: Allowed,
  settles?: Settling.Settling
) {
  const filter = yield* PathFilter.ofPatterns({
    includePaths: request.includePaths ?? [],
    excludePaths: request.excludePaths ?? [],
    regexOnFullURL: request.regexOnFullURL ?? false
  })
  const option =
    request.ignoreRobotsTxt === true
      ? "ignoreRobotsTxt"
      : request.robotsUserAgent == null
        ? undefined
        : "robotsUserAgent"
  if (option !== undefined && !allowed.robotsControl) {
    return yield* new Forbidden({
      message: `${option} needs a service with a key whose plan has robots_control (serve --keys); leave it out to continue`
    })
  }
  const settling = settles === undefined ? undefined : settlingOf(settles)
  const scrape = yield* ScrapePlan.ofOptions(request.scrapeOptions ?? undefined)
  const start = new URL(request.url)
  const plan: CrawlPlan = {
    rules: {
      start,
      maxDiscoveryDepth: request.maxDiscoveryDepth ?? undefined,
      crawlEntireDomain: request.crawlEntireDomain ?? false,
      isOfDomain: yield* Scope.domainOf(start, request.allowSubdomains ?? false),
      allowExternalLinks: request.allowExternalLinks ?? false,
      filter
    },
    limit: request.limit ?? Limits.defaultCrawlLimit,
    sitemap: request.sitemap ?? "include",
    identity: identityOf(request, settling),
    settling,
    ...themesOf(settles?.themes),
    ignoreRobotsTxt: request.ignoreRobotsTxt ?? false,
    robotsUserAgent: request.robotsUserAgent ?? undefined,
    delayMillis: (request.delay ?? 0) * 1000,
    concurrency: concurrencyOf(request, allowed),
    patience: allowed.patience,
    // Pages are compared by their text, even if their documents do not have it.
    scrape: settling === undefined ? scrape : { ...scrape, isExtended: true, page: { ...scrape.page, markdown: true } }
  }
  return plan
})

/** More workers than its hosts take would only wait, and all of them would ask a host that has just gone down. */
const concurrencyOf = (
  { allowExternalLinks, allowSubdomains, maxConcurrency }: CrawlRequest,
  { concurrency, perHost }: Allowed
): number => {
  const stated = Math.min(maxConcurrency ?? concurrency, concurrency)
  return allowExternalLinks === true || allowSubdomains === true ? stated : Math.min(stated, perHost)
}

/**
 * A crawl that settles reads an index file and its folder separately and decides at its end. Aliases follow the
 * defaults.
 */
const identityOf = (request: CrawlRequest, settling: CrawlPlan["settling"]): PageUrl.Identity => {
  const ignoreQuery = request.ignoreQueryParameters ?? false
  const plain = PageUrl.plainly(ignoreQuery)
  if (settling !== undefined)
    return { ignoreQuery, routes: false, indexIsFolder: false, isAlias: AliasParameters.isAlias }
  return request.deduplicateSimilarURLs === true ? { ...plain, isAlias: AliasParameters.isAlias } : plain
}

const settlingOf = ({
  after,
  rendered,
  spellings,
  trapBudget
}: Settling.Settling): NonNullable<CrawlPlan["settling"]> => ({
  trapBudget: trapBudget ?? Settling.defaultTrapBudget,
  spellings: new Set(Settling.unpack(spellings ?? "")),
  isRendered: rendered === true,
  after
})

/** The themes that crawls before have learned, and of them those by which pages are read in any case. */
const themesOf = (packed: string | undefined): Pick<CrawlPlan, "themes" | "learnedThemes"> => {
  if (packed === undefined) return {}
  const learnedThemes = Theme.unpack(packed)
  return { learnedThemes, themes: Theme.usedOf(learnedThemes) }
}
