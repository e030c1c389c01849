/**
 * An extract, from its first page to its data: pages gathered, each filled into the schema, all merged into one.
 *
 * Specification, Extract job: what each page gave is kept in the ledger as it comes, so a service that was killed
 * continues with the remaining pages; a page that fails costs only that page, and an extract of which every page failed
 * has failed. It is billed by tokens, 15 a credit: those of a model, or otherwise those of the data.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { pointerOf } from "#base/pointerOf"
import { Considered, Engine, Sources, Unsupported } from "#contract/Extract"
import { isList, isSchema, type Json } from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"
import * as PageUrl from "#contract/PageUrl"
import { hiddenListWarning } from "#page/hiddenList"
import { nothingInPdf } from "#page/pdfPlaces"
import * as Scope from "#web/CrawlScope"
import { CrawlStore } from "#web/CrawlStore"
import { FetchError } from "#web/Fetch"
import * as Gather from "#web/Gather"
import { interleave } from "#web/interleave"
import type { End, Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { PoliteFetch } from "#web/PoliteFetch"
import { patiently, patientRules } from "#web/patiently"
import { unsupportedWarning } from "#web/SchemaFiller"
import type { Scraped } from "#web/Scraper"
import { Search } from "#web/Search"
import * as SitemapWalk from "#web/SitemapWalk"
import { SiteRules } from "#web/SiteRules"
import type { OutOfCredits, Turns } from "#web/Turns"
import { consideredOf } from "./consideredOf.ts"
import { Extractor } from "./Extractor.ts"
import { type ExtractPlan, notesOnPages, searched } from "./ExtractPlan.ts"
import * as FilledPage from "./FilledPage.ts"
import type { Score } from "./linkScore.ts"
import { linkScore } from "./linkScore.ts"
import { identity, type MergedPage } from "./merge/Part.ts"
import { merge } from "./merge.ts"
import * as PageInput from "./PageInput.ts"
import { cutWarning } from "./page/Budget.ts"

/** An extract that has no data to give. */
export class ExtractFailed extends Schema.TaggedError<ExtractFailed>()("ExtractFailed", { message: Schema.String }) {}

/** What an extract ended with, as the store keeps it. */
export const Result = Schema.Struct({
  data: Schema.Json,
  sources: Sources,
  missing: Schema.Array(Schema.String),
  unclear: Schema.optionalKey(Schema.Array(Schema.String)),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
  considered: Schema.optionalKey(Schema.Array(Considered)),
  engine: Engine,
  pages: Schema.optionalKey(Schema.Int),
  failed: Schema.optionalKey(Schema.Int),
  gone: Schema.optionalKey(Schema.Array(Schema.String)),
  tokens: Schema.Int,
  warnings: Schema.Array(Schema.String)
})
export type Result = typeof Result.Type

export const run = Effect.fn("ExtractRun.run")(function* (job: Job, plan: ExtractPlan, turns: Turns) {
  const jobs = yield* JobStore
  const { fill } = yield* Extractor
  const score = linkScore(plan.wanted)
  const out = yield* Gather.run(
    job,
    {
      scrape: plan.scrape,
      concurrency: Gather.pagesAtOnce,
      limit: plan.limit,
      first: firstLeads(job, plan, score),
      keep: Effect.fnUntraced(function* ({ document }: Scraped, lead: Gather.Known) {
        yield* PageInput.checkStatus(document)
        if (plan.checksInjection) yield* PageInput.checkInjection(document)
        const filled = yield* fill(PageInput.of(document), plan.wanted).pipe(
          Effect.catchTag("Unprocessable", ({ message }) =>
            Effect.fail(new FetchError({ ...unfilled, url: document.metadata.url, message }))
          )
        )
        // A scan has no text to fill anything from, and a long PDF is not read to its end.
        const { metadata, warning: unreadable } = document
        if (metadata.numPages !== undefined && unreadable !== undefined)
          yield* jobs.warn(job.id, `${lead.row.url}: ${unreadable}`)
        // What is said of a page names it; what is said of a model is said once.
        const { warning } = filled
        if (warning !== undefined)
          yield* jobs.warn(
            job.id,
            ofPages.some((text) => warning.includes(text)) ? `${lead.row.url}: ${warning}` : warning
          )
        const page = FilledPage.encode({
          url: document.metadata.url,
          filled,
          place: FilledPage.placeOf(lead, score)
        })
        // An extract is paid for when its data is known; until then its pages stand for what it may cost.
        const tokens = filled.tokens > 0 ? filled.tokens : tokensOf(JSON.stringify(filled.data))
        return { document: page, credits: 0, laterCredits: tokens / Limits.tokensPerCredit }
      }),
      leadsOf: (page, lead) => leadsOf(plan, score, page, lead)
    },
    turns
  ).pipe(
    Effect.as(undefined),
    Effect.catchTag("OutOfCredits", (out) => Effect.succeed(out))
  )
  return yield* conclude(job, plan, turns, out)
})

/** The warnings of a page, which name it. */
const ofPages = [cutWarning, hiddenListWarning, nothingInPdf]

const unfilled = { code: "SCRAPE_EXTRACTION_ERROR", retryable: false }

/** Pages that are given, those that sitemaps of whole domains name, and those that a search finds. */
const firstLeads = Effect.fnUntraced(function* (job: Job, plan: ExtractPlan, score: Score) {
  const given = [...plan.pages, ...plan.domains.map(({ start }) => start)]
  const walked = plan.readsSitemaps ? plan.domains : []
  const fromSitemaps = yield* Effect.forEach(walked, (rules) => sitemapLeads(job, plan, score, rules))
  const fromSearch = plan.searches ? yield* searchLeads(job, plan) : []
  return [
    ...given.map((url): Gather.Lead => ({ url, depth: 0, kind: "start", score: 100 })),
    ...fromSitemaps.flat(),
    ...fromSearch
  ]
})

const sitemapLeads = Effect.fnUntraced(function* (job: Job, plan: ExtractPlan, score: Score, rules: Scope.Rules) {
  const polite = yield* PoliteFetch
  const siteRules = yield* SiteRules
  const jobs = yield* JobStore
  const leads: Array<Gather.Lead> = []
  const most = Math.ceil((Limits.maxExtractPages * 10) / plan.domains.length)
  const robots = yield* Effect.option(patientRules(siteRules.of(rules.start, plan.scrape.options)))
  if (robots._tag === "None") return leads
  const { skipTlsVerification = false } = plan.scrape.options
  yield* SitemapWalk.walk({
    from: SitemapWalk.candidates(rules.start, robots.value.sitemaps),
    get: (url, options) => patiently(polite.get(url, { ...options, skipTlsVerification }, 0)),
    found: (urls) =>
      Effect.sync(() => {
        for (const href of urls) {
          const url = leads.length < most ? PageUrl.normalize(href) : undefined
          if (url === undefined || Scope.judge(rules, url, 0) !== "in") continue
          leads.push({ url, depth: 0, kind: "sitemap", score: score(url.href, "") })
        }
      }),
    problem: (message) => jobs.warn(job.id, message)
  })
  return leads
})

const searchLeads = Effect.fnUntraced(function* (job: Job, plan: ExtractPlan) {
  const search = yield* Search
  const jobs = yield* JobStore
  const words = plan.wanted.prompt ?? Object.keys(plan.wanted.schema?.["properties"] ?? {}).join(" ")
  if (words.trim() === "") return []
  const web = yield* search
    .web(words, searched)
    .pipe(Effect.catch(({ message }) => Effect.as(jobs.warn(job.id, message), [])))
  const local = yield* search.local(job.teamId, words, searched)
  return interleave(local, web, searched).flatMap(({ url: href }, at): ReadonlyArray<Gather.Lead> => {
    const url = PageUrl.normalize(href)
    return url === undefined ? [] : [{ url, depth: 0, kind: "external", score: 50 - at }]
  })
})

/** Links of a page: all of a domain that is wanted whole; with `agent`, those that look like more of the data. */
const leadsOf = (
  plan: ExtractPlan,
  scoreOf: Score,
  { links }: Scraped,
  lead: Gather.Lead
): ReadonlyArray<Gather.Lead> =>
  links.flatMap((href): ReadonlyArray<Gather.Lead> => {
    const url = PageUrl.normalize(href)
    if (url === undefined) return []
    const depth = lead.depth + 1
    const score = scoreOf(url.href, "")
    const verdicts = plan.domains
      .filter((rules) => Scope.isInternal(rules, lead.url))
      .map((rules) => Scope.judge(rules, url, depth))
    if (verdicts.includes("in")) return [{ url, depth, kind: "link", score }]
    if (verdicts.includes("external") && lead.kind !== "external") return [{ url, depth, kind: "external", score }]
    const isNear = PageUrl.bareHost(url) === PageUrl.bareHost(lead.url) && depth <= maxFollowed && score > 0
    return plan.follows && isNear ? [{ url, depth, kind: "link", score }] : []
  })

const maxFollowed = 2

/** All pages' data as one, once every page has ended. */
const conclude = Effect.fnUntraced(function* (
  job: Job,
  plan: ExtractPlan,
  turns: Turns,
  out: OutOfCredits | undefined
) {
  const pages = FilledPage.inOrder(yield* FilledPage.all(job.id))
  if (pages.length === 0)
    return yield* out === undefined ? nothing(job, plan) : new ExtractFailed({ message: out.message })
  const { failures, gone } = yield* unreadOf(job, plan)
  const merged = pages.map(({ filled, url }) => ({ url, extracted: filled }))
  const { data, missing, sources, unclear, warning } = merge(merged, plan.wanted.schema)
  const considered = consideredOf(merged, data)
  const unsupported = unsupportedOf(merged, { data, sources })
  const engines = pages.map(({ filled }) => filled.engine)
  const ofModel = pages.reduce((sum, { filled }) => sum + filled.tokens, 0)
  const tokens = ofModel > 0 ? ofModel : tokensOf(JSON.stringify(data))
  const result: Result = {
    data,
    sources: Object.fromEntries(sources),
    missing,
    ...(unclear.length === 0 ? {} : { unclear }),
    ...(unsupported.length === 0 ? {} : { unsupported }),
    ...(considered.length === 0 ? {} : { considered }),
    engine: engines.find(({ name }) => name === "model") ?? { name: "rules" },
    pages: pages.length,
    failed: failures.length,
    ...(gone.length === 0 ? {} : { gone: gone.map(({ url }) => url) }),
    tokens,
    warnings: [
      ...notesOnPages(plan, pages.length),
      ...(warning === undefined ? [] : [warning]),
      ...(unsupported.length === 0 ? [] : [unsupportedWarning(unsupported)]),
      ...failures.slice(0, maxWarnings).map(({ error, url }) => `${url}: ${error}`),
      ...goneWarning(gone, pages.length + failures.length + gone.length)
    ]
  }
  const credits = yield* turns.afford(creditsOf(tokens))
  const end: End = {
    status: "completed",
    result: JSON.stringify(result),
    credits,
    event: { name: "completed", success: true, data: JSON.stringify([{ creditsUsed: credits, data }]) }
  }
  return end
})

const maxWarnings = 100

/**
 * The pages that were not read. A link that answers 404 or 410 is gone, as in a crawl: there is nothing to read. A page that was
 * asked for by its own address is a failure in any case.
 */
const unreadOf = Effect.fnUntraced(function* (job: Job, plan: ExtractPlan) {
  const store = yield* CrawlStore
  const all = yield* store.failures(job.id)
  const given = new Set(plan.pages.map(({ href }) => href))
  const isGone = ({ code, url }: (typeof all)[number]) => code === PageInput.goneCode && !given.has(url)
  return { failures: all.filter((failure) => !isGone(failure)), gone: all.filter(isGone) }
})

const goneWarning = (gone: ReadonlyArray<{ readonly url: string; readonly error: string }>, all: number) => {
  const some = gone.slice(0, mostNamed).map(({ error, url }) => `${url} (${error})`)
  const more = gone.length > some.length ? `, and ${gone.length - some.length} more` : ""
  return gone.length === 0 ? [] : [`${gone.length} of ${all} links are gone: ${some.join(", ")}${more}`]
}

const mostNamed = 20

/** Why there is no page at all. */
const nothing = Effect.fnUntraced(function* (job: Job, plan: ExtractPlan) {
  const store = yield* CrawlStore
  const [failure] = yield* store.failures(job.id)
  const blocked = yield* store.blocked(job.id)
  const why =
    failure !== undefined
      ? `${failure.url}: ${failure.error}`
      : blocked.length > 0
        ? `${blocked[0]}: robots.txt of the site does not allow it`
        : plan.pages.length + plan.domains.length === 0
          ? "no page was found for the prompt; name urls, or crawl the site first"
          : "no page could be read"
  if (failure?.code !== PageInput.goneCode) return yield* new ExtractFailed({ message: why })
  // Who looked for links may want to know which of them are gone.
  const result: Result = {
    data: [],
    sources: {},
    missing: [],
    engine: { name: "rules" },
    pages: 0,
    failed: 0,
    gone: [failure.url],
    tokens: 0,
    warnings: []
  }
  const end: End = { status: "failed", error: why, result: JSON.stringify(result) }
  return end
})

/** About four characters are a token. */
const tokensOf = (text: string): number => Math.max(1, Math.ceil(text.length / 4))
const creditsOf = (tokens: number): number => Math.max(1, Math.ceil(tokens / Limits.tokensPerCredit))

/** Facts that a model gave for single pages, and that no page says: what another page says is not among them. */
const unsupportedOf = (
  pages: ReadonlyArray<MergedPage>,
  { data, sources }: Pick<ReturnType<typeof merge>, "data" | "sources">
): ReadonlyArray<Unsupported> => {
  const values = new Set<string>()
  const collect = (value: Json, pointer: string): void => {
    if (isList(value)) value.forEach((item, i) => collect(item, pointerOf(pointer, i)))
    else if (isSchema(value)) for (const [name, part] of Object.entries(value)) collect(part, pointerOf(pointer, name))
    else if (value !== null && sources.get(pointer)?.every(({ supported }) => supported === false) !== true)
      values.add(identity(value))
  }
  collect(data, "")
  return pages.flatMap(({ extracted: { unsupported = [] }, url }) =>
    unsupported.flatMap((one) => (values.has(identity(one.value)) ? [] : [{ ...one, url }]))
  )
}
