/**
 * One search, from its query to its results: alternately pages that the team has read, and results of the web search.
 *
 * If the web search fails, there is a warning instead of its results; if nothing else was requested, the search fails.
 * Limits of hosts and times apply to all results.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { BadGateway, BadRequest } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import type { SearchRequest, SourceName } from "#contract/Search"
import * as Categories from "./Categories.ts"
import type { DataProvider } from "./DataProviders.ts"
import { interleave } from "./interleave.ts"
import { PageIndex } from "./PageIndex.ts"
import { Search } from "./Search.ts"
import type { WebHit } from "./SearchHit.ts"
import * as Query from "./SearchQuery.ts"

/** The results of a search, by source; undefined: the source was not requested. */
interface Results {
  readonly web: ReadonlyArray<WebHit> | undefined
  readonly news: ReadonlyArray<WebHit> | undefined
  readonly images: ReadonlyArray<WebHit> | undefined
  readonly tools: ReadonlyArray<Tool> | undefined
  readonly categories: ReadonlyArray<Categories.Category>
  readonly warnings: ReadonlyArray<string>
}

/** A data provider that may have data for the query. */
interface Tool {
  readonly provider: string
  readonly capability: string
  readonly description: string
}

export const run = Effect.fn("SearchRun.run")(function* (teamId: string, request: SearchRequest) {
  const search = yield* Search
  const plan = yield* planOf(request, yield* Clock.currentTimeMillis)
  const warnings: Array<string> = plan.query.unknown.map((operator) => `${operator}: unknown operator`)
  const sources = sourcesOf(request)
  const asks = (name: SourceName) => sources.has(name)
  const isWebOnly = asks("web") || sources.has("alexandria")

  const fromWeb = Effect.fnUntraced(function* (kind: "general" | "news" | "images") {
    if (!search.hasWeb && kind !== "general") warnings.push(`${kind}: ${noWeb}`)
    const searching = search.web(plan.text, plan.limit * 2, { kind, range: plan.time?.range })
    const hits = yield* searching.pipe(
      Effect.catchTag("WebSearchFailed", ({ message }) => {
        if (!isWebOnly) return Effect.fail(new BadGateway({ message: `Bad Gateway: ${message}` }))
        warnings.push(message)
        return Effect.succeed<ReadonlyArray<WebHit>>([])
      })
    )
    return hits.filter((hit) => isWanted(plan, hit))
  })

  const web = asks("web")
    ? interleave(yield* fromIndex(teamId, request, plan, warnings), yield* fromWeb("general"), plan.limit)
    : undefined
  const results: Results = {
    web,
    news: asks("news") ? (yield* fromWeb("news")).slice(0, plan.limit) : undefined,
    images: asks("images")
      ? (yield* fromWeb("images")).filter(({ image }) => image !== undefined).slice(0, plan.limit)
      : undefined,
    tools: asks("alexandria") ? search.providers(request.query).map(toolOf) : undefined,
    categories: plan.categories,
    warnings
  }
  return results
})

interface Plan {
  readonly query: Query.Query
  /** Whether the query has nothing to search for in the index. */
  readonly isBlank: boolean
  /** The query for the web search, which takes only text. */
  readonly text: string
  readonly limit: number
  readonly time: PublishedIn | undefined
  readonly categories: ReadonlyArray<Categories.Category>
}

const planOf = Effect.fnUntraced(function* (request: SearchRequest, now: number) {
  const parsed = Query.parse(request.query)
  const sites = yield* domains("includeDomains", request.includeDomains ?? [])
  const notSites = yield* domains("excludeDomains", request.excludeDomains ?? [])
  const categories = Categories.of(request.categories)
  const time = request.tbs == null || request.tbs.trim() === "" ? undefined : publishedIn(request.tbs, now)
  if (request.tbs != null && request.tbs.trim() !== "" && time === undefined) return yield* badTime(request.tbs)
  const ofCategories = categories.flatMap((category) => category.sites)
  const isPdf = categories.length > 0 && categories.every(({ name }) => name === "pdf")
  const plan: Plan = {
    query: {
      ...parsed,
      sites: [...parsed.sites, ...sites],
      notSites: [...parsed.notSites, ...notSites],
      fileType: isPdf ? "pdf" : parsed.fileType
    },
    isBlank: Query.isBlank(parsed),
    text: Query.asText(request.query.trim(), [...sites, ...ofCategories], notSites) + (isPdf ? " filetype:pdf" : ""),
    limit: request.limit ?? Limits.defaultSearchResults,
    time,
    categories
  }
  return plan
})

const domains = Effect.fnUntraced(function* (field: string, names: ReadonlyArray<string>) {
  const sites: Array<Query.Site> = []
  for (const [at, name] of names.entries()) {
    const site = Query.siteOf(name)
    if (site === undefined) {
      const message = `${field}[${at}] is not a host name: ${JSON.stringify(name.slice(0, 100))}`
      return yield* new BadRequest({ message: `Bad Request: ${message}`, details: [{ path: [field, at], message }] })
    }
    sites.push(site)
  }
  return sites
})

const badTime = (tbs: string): BadRequest => {
  const message = `tbs is not a time range: ${JSON.stringify(tbs.slice(0, 100))}; use one such as qdr:w or cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`
  return new BadRequest({ message: `Bad Request: ${message}`, details: [{ path: ["tbs"], message }] })
}

const sourcesOf = ({ sources }: SearchRequest): ReadonlySet<SourceName> => {
  const names = (sources ?? []).map((source) => (typeof source === "string" ? source : source.type))
  return new Set(names.length === 0 ? ["web"] : names.map((name) => (name === "exchange" ? "alexandria" : name)))
}

const noWeb = "this service has no web search; it searches the pages that it has read"

const fromIndex = Effect.fnUntraced(function* (
  teamId: string,
  { highlights }: SearchRequest,
  plan: Plan,
  warnings: Array<string>
) {
  const index = yield* PageIndex
  if (plan.isBlank) {
    warnings.push("the query has no word to look for in the pages that were read")
    return []
  }
  if (!(yield* index.catchUp(teamId))) {
    warnings.push("some recently read pages cannot be searched yet; try again in a moment")
  }
  const indexedPages = yield* index.find(teamId, plan.query, {
    limit: plan.categories.length === 0 ? plan.limit : Limits.maxSearchResults,
    ...plan.time
  })
  const hits = indexedPages.map(
    ({ description, passage, publishedAt, title, url }): WebHit => ({
      url,
      title,
      description: highlights === false ? description : passage,
      ...(publishedAt === null ? {} : { publishedAt })
    })
  )
  return hits.filter(({ url }) => plan.categories.length === 0 || isOfCategory(plan, url))
})

const isOfCategory = (plan: Plan, url: string): boolean =>
  Categories.nameOf(plan.categories, url) !== undefined || plan.query.fileType === "pdf"

/** Filters results of the web search too, because engines treat operators only as hints. */
const isWanted = ({ categories, query: { notSites, sites }, time }: Plan, hit: WebHit): boolean => {
  const url = URL.parse(hit.url)
  if (url === null) return false
  const { publishedAt } = hit
  const isTimely =
    publishedAt === undefined ||
    ((time?.since === undefined || publishedAt >= time.since) &&
      (time?.until === undefined || publishedAt < time.until))
  return (
    isTimely &&
    (sites.length === 0 || sites.some((site) => Categories.isOn(url, site))) &&
    !notSites.some((site) => Categories.isOn(url, site)) &&
    (categories.length === 0 || Categories.nameOf(categories, hit.url) !== undefined)
  )
}

const toolOf = ({ adds, capability, id }: DataProvider): Tool => ({ provider: id, capability, description: adds })

/**
 * Parses the parameter `tbs`, which limits a search to a time: `qdr:w`, `qdr:h6`,
 * `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`; `sbd:1`: the newest first.
 *
 * The time of a page is the time of publication that it declares. Days are in UTC, and the last one is included.
 */
interface PublishedIn {
  readonly since?: number
  readonly until?: number
  readonly newestFirst: boolean
  /** The shortest range of web searches that includes the whole time. */
  readonly range?: "day" | "week" | "month" | "year"
}

/** Returns undefined if the text is not a time range. */
export const publishedIn = (tbs: string, now: number): PublishedIn | undefined => {
  const parts = new Map(tbs.split(",").map((part) => split(part.trim())))
  const newestFirst = parts.get("sbd") === "1"
  const [, unit = "", count = "1"] = /^([hdwmy])(\d{1,4})?$/.exec(parts.get("qdr") ?? "") ?? []
  const millis = units.get(unit)
  if (millis !== undefined) {
    const since = now - millis * Number(count === "" ? 1 : count)
    return { since, newestFirst, ...rangeOf(now - since) }
  }
  if (parts.get("cdr") === "1") {
    const [first, last] = [parts.get("cd_min"), parts.get("cd_max")]
    const [since, end] = [dayOf(first), dayOf(last)]
    if ((first !== undefined && since === undefined) || (last !== undefined && end === undefined)) return undefined
    return {
      newestFirst,
      ...(since === undefined ? {} : { since, ...rangeOf(now - since) }),
      ...(end === undefined ? {} : { until: end + dayMillis })
    }
  }
  return newestFirst && !parts.has("qdr") ? { newestFirst } : undefined
}

const dayMillis = 24 * 60 * 60 * 1000
const units = new Map([
  ["h", dayMillis / 24],
  ["d", dayMillis],
  ["w", 7 * dayMillis],
  ["m", 30 * dayMillis],
  ["y", 365 * dayMillis]
])

const split = (part: string): readonly [name: string, value: string] => {
  const at = part.indexOf(":")
  return [part.slice(0, at), part.slice(at + 1)]
}

const dayOf = (text: string | undefined): number | undefined => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text ?? "") ?? []
  const millis = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return new Date(millis).getUTCMonth() === Number(month) - 1 ? millis : undefined
}

const rangeOf = (millis: number): Pick<PublishedIn, "range"> => {
  const range = (["day", "week", "month", "year"] as const).find((name) => millis <= (units.get(name.charAt(0)) ?? 0))
  return range === undefined ? {} : { range }
}
