/**
 * What an extract does: its request with targets told apart, defaults filled in and options compiled.
 *
 * `https://example.com/*` (and `example.com/*`) means every page of that domain that can be found, any other URL is one
 * page; a problem of the request is reported here, before the first page is requested.
 */
import * as Effect from "effect/Effect"
import { BadRequest, Unprocessable } from "#contract/Errors"
import type { ExtractRequest } from "#contract/Extract"
import { keepsUnsupported } from "#contract/Formats"
import * as HttpUrl from "#contract/HttpUrl"
import * as JsonSchema from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"
import * as PageUrl from "#contract/PageUrl"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import * as Scope from "#web/CrawlScope"
import * as PathFilter from "#web/PathFilter"
import * as ScrapePlan from "#web/ScrapePlan"
import type { Wanted } from "./Extractor.ts"

export interface ExtractPlan {
  readonly pages: ReadonlyArray<URL>
  /** Domains of which every page is read. */
  readonly domains: ReadonlyArray<Scope.Rules>
  readonly wanted: Wanted
  readonly scrape: ScrapePlan.ScrapePlan
  /** Whether sitemaps name pages of those domains. */
  readonly readsSitemaps: boolean
  /** Whether pages are searched for beside those that are given. */
  readonly searches: boolean
  /** Whether links that fit are followed from the pages that are given. */
  readonly follows: boolean
  readonly checksInjection: boolean
  /** Pages that are read at most. */
  readonly limit: number
}

export const ofRequest = Effect.fnUntraced(function* (
  request: ExtractRequest
): Effect.fn.Return<ExtractPlan, BadRequest | Unprocessable> {
  const targets = validOf(request)
  const format = ScrapeOptions.formatOf(request.scrapeOptions ?? undefined, "json")
  const given = request.schema ?? format?.schema
  const schema = given === undefined ? undefined : (JsonSchema.ofTypeNames(given) ?? given)
  const problem = schema === undefined ? undefined : JsonSchema.problem(schema)
  if (problem !== undefined) return yield* new Unprocessable({ message: `the JSON Schema is not valid: ${problem}` })
  const walked = targets.filter(({ isDomain }) => isDomain)
  const domains = yield* Effect.forEach(walked, ({ url }) => domainOf(url, request))
  const pages = targets.flatMap((target) => (target.isDomain ? [] : [target.url]))
  const plan: ExtractPlan = {
    pages,
    domains,
    wanted: {
      schema,
      prompt: request.prompt ?? format?.prompt,
      systemPrompt: request.systemPrompt ?? undefined,
      showsConsidered: request.showSources === true,
      keepsUnsupported: keepsUnsupported(request.unsupported ?? format?.unsupported)
    },
    // Data comes from the HTML as it was received; from the Markdown if the page is not HTML.
    scrape: yield* ScrapePlan.ofOptions({
      ...request.scrapeOptions,
      formats: ["rawHtml", "markdown"]
    }),
    readsSitemaps: request.ignoreSitemap !== true,
    searches: request.enableWebSearch === true || targets.length === 0,
    follows: request.agent != null,
    checksInjection: format?.checkPromptInjection === true,
    limit: domains.length > 0 || request.agent != null ? Limits.maxExtractPages + pages.length : pages.length + searched
  }
  return plan
})

/** Pages that a search adds at most. */
export const searched = 10

/** The invalid URLs of a request, in their order. */
export const invalidOf = ({ urls }: ExtractRequest): ReadonlyArray<string> =>
  (urls ?? []).filter((text) => targetOf(text) === undefined)

export const invalidUrls = (request: ExtractRequest): BadRequest => {
  const details = (request.urls ?? []).flatMap((text, index) =>
    targetOf(text) === undefined
      ? [{ path: ["urls", index], message: HttpUrl.urlFault(urlOf(text)) ?? HttpUrl.invalidUrlMessage }]
      : []
  )
  return new BadRequest({ message: details[0]?.message ?? HttpUrl.invalidUrlMessage, details })
}

/** What a caller should know of how the request is read, each as a sentence. Without a wildcard no page is looked for on a site. */
export const notesOn = (request: ExtractRequest): ReadonlyArray<string> => {
  const isShort = request.schema != null && JsonSchema.ofTypeNames(request.schema) !== undefined
  const hasWildcard = validOf(request).some(({ isDomain }) => isDomain)
  const idle = hasWildcard ? [] : wildcardOptions.filter((name) => request[name] === true)
  return [
    ...(isShort ? ["the schema names types only: it is read as an object with these properties"] : []),
    ...idle.map(
      (name) => `${name} has no effect: it is for wildcards, such as https://example.com/*, and urls has none`
    )
  ]
}

const wildcardOptions = ["ignoreSitemap", "includeSubdomains", "allowExternalLinks"] as const

/** What a caller should know of its pages, where many became one object: the schema has no list that each could be an item of. */
export const notesOnPages = ({ domains, wanted: { schema } }: ExtractPlan, pages: number): ReadonlyArray<string> =>
  domains.length === 0 || pages < 2 || schema === undefined || hasList(schema)
    ? []
    : [
        `${pages} pages were merged into one object, because the schema has no list: the first value of each field counts. ` +
          "For one object per page, use a list of such objects in the schema, or read each page by itself (rows: per_page in a pipeline)"
      ]

const hasList = (schema: unknown): boolean =>
  Array.isArray(schema)
    ? schema.some(hasList)
    : typeof schema === "object" &&
      schema !== null &&
      (("type" in schema && [schema.type].flat().includes("array")) ||
        "items" in schema ||
        Object.values(schema).some(hasList))

interface Target {
  readonly url: URL
  readonly isDomain: boolean
}

const validOf = ({ urls }: ExtractRequest): ReadonlyArray<Target> =>
  (urls ?? []).flatMap((text) => targetOf(text) ?? [])

const targetOf = (text: string): Target | undefined => {
  const whole = urlOf(text)
  const url = HttpUrl.isHttpUrl(whole) ? PageUrl.normalize(whole) : undefined
  return url === undefined ? undefined : { url, isDomain: isWildcard(text) }
}

/** The URL as it is written, without the star; a wildcard may leave out its scheme. */
const urlOf = (text: string): string => {
  const written = text.trim()
  if (!isWildcard(text)) return written
  const start = written.slice(0, -1)
  return /^[a-z][a-z0-9+.-]*:(?!\d{1,5}\/)/i.test(start) ? start : `https://${start}`
}

const isWildcard = (text: string): boolean => text.trim().endsWith("/*")

/** Below the path that stands before the star. */
const domainOf = Effect.fnUntraced(function* (start: URL, request: ExtractRequest) {
  const rules: Scope.Rules = {
    start,
    maxDiscoveryDepth: undefined,
    crawlEntireDomain: false,
    isOfDomain: yield* Scope.domainOf(start, request.includeSubdomains ?? false),
    allowExternalLinks: request.allowExternalLinks ?? false,
    filter: PathFilter.everything
  }
  return rules
})
