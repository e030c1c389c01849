/**
 * A crawl's request with defaults filled in and patterns compiled.
 */
import type * as PageUrl from "#contract/PageUrl"
import type * as Theme from "#page/Theme"
import type * as Scope from "./CrawlScope.ts"
import type { Patience } from "./Patience.ts"
import * as Robots from "./politeness/Robots.ts"
import type { Revalidation } from "./Revalidation.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

export interface CrawlPlan {
  readonly rules: Scope.Rules
  readonly limit: number
  readonly sitemap: "include" | "skip" | "only"
  /** What makes two URLs one page. */
  readonly identity: PageUrl.Identity
  /** Settings of a crawl that decides at its end which URLs are one page; undefined: the first spelling found stays. */
  readonly settling: Settling | undefined
  readonly ignoreRobotsTxt: boolean
  readonly robotsUserAgent: string | undefined
  /** Milliseconds between two scrapes; if more than 0, pages are read one at a time. */
  readonly delayMillis: number
  readonly concurrency: number
  /** How often a refused page is tried again. */
  readonly patience: Patience
  /** How each page is scraped. */
  readonly scrape: ScrapePlan
  /** The themes of hosts at the start of the crawl: by them the pages are read. */
  readonly themes?: Theme.Themes | undefined
  /** The themes that crawls before have learned, also those by which no page was read. */
  readonly learnedThemes?: Theme.Themes | undefined
  /** The pages that show the themes of the next crawl; undefined: none are learned. */
  readonly sample?: Theme.Sample
  /** How unchanged pages are recognised; undefined: every page is read. */
  readonly revalidation?: Revalidation | undefined
  /** Which pages are remembered for the next crawl: those that their site can compare, or all; undefined: none. */
  readonly remembers?: "comparable" | "all"
  /** The version of the rules that extract data from pages; undefined: no data is extracted. */
  readonly dataRules?: number | undefined
}

export interface Settling {
  /** How many pages of an endless series may say nothing new before the series is left; 0: no limit. */
  readonly trapBudget: number
  /** The spellings of pages that are already loaded: the pages keep them. */
  readonly spellings: ReadonlySet<string>
  /** Whether a browser has shown pages that are already loaded. */
  readonly isRendered: boolean
  /** The earlier crawl, if it did not report spellings. */
  readonly after: string | undefined
}

/** The names that robots.txt is read for. */
export const namesOf = ({ robotsUserAgent, scrape }: CrawlPlan) =>
  Robots.namesOf(scrape.options.headers, robotsUserAgent)
