/**
 * One page, from the answer of its site to the document with all requested formats:
 *
 *     answered ──▶ read ──▶ filled ──▶ compared ──▶ answered questions ──▶ document ──▶ copy for later requests
 *                   │         (json)    (changes)     (question, branding)
 *                   └─ PageReading: a file, a page, or the page in a browser
 *
 * All of it ends within the plan's timeout, which starts once the page has its host's turn to be opened in the browser. What
 * cannot be delivered is an error or a `warning`. A page that was not read as its reader sees it goes the same way, but no
 * copy of it is kept.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { keepsUnsupported, type UnsupportedOption } from "#contract/Formats"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import type * as Page from "#page/Page"
import type { Sketch } from "#page/Theme"
import { Browser } from "./Browser.ts"
import * as Branding from "./branding/branding.ts"
import * as StyleSheets from "./branding/StyleSheets.ts"
import { Fetch, FetchError } from "./Fetch.ts"
import { FileReader } from "./FileReader.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import type { FinalHop } from "./followRedirects.ts"
import { PageAnswers } from "./PageAnswers.ts"
import * as PageDocuments from "./PageDocuments.ts"
import * as PageReading from "./PageReading.ts"
import { Politeness } from "./Politeness.ts"
import { findInjection } from "./promptInjection.ts"
import { type Filled, SchemaFiller, unsupportedWarning } from "./SchemaFiller.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { ScrapeStore } from "./ScrapeStore.ts"
import type { StoreError } from "./StoreError.ts"
import { Suspect } from "./Suspect.ts"
import * as ChangeTracking from "./scrape/ChangeTracking.ts"
import * as PageCache from "./scrape/PageCache.ts"
import * as SiteMemory from "./scrape/SiteMemory.ts"

import { summarize } from "./summarize.ts"

export interface Scraped extends PageCache.CachedPage {
  /** The text, even if the document does not have it. */
  readonly markdown?: string | undefined
  readonly sketch?: Sketch | undefined
}

export class Scraper extends Context.Service<
  Scraper,
  {
    /** A copy of the page that the plan accepts, if there is one. */
    readonly copyOf: (
      plan: ScrapePlan,
      order: PageDocuments.PageToScrape
    ) => Effect.Effect<Scraped | undefined, FetchError>
    /** The document of a page that answered. */
    readonly scrape: (
      landed: FinalHop,
      plan: ScrapePlan,
      order: PageDocuments.PageToScrape
    ) => Effect.Effect<Scraped, FetchError>
  }
>()("millrace/service/Scraper") {
  static readonly layer = Layer.effect(
    Scraper,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const browser = yield* Browser
  const files = yield* FileReader
  const store = yield* ScrapeStore
  const filler = yield* SchemaFiller
  const politeness = yield* Politeness
  const answerer = yield* PageAnswers
  const fetch = yield* Fetch
  const styles = StyleSheets.over(fetch)
  const sites = SiteMemory.over(fetch, politeness, store)

  const scrape = Effect.fnUntraced(function* (landed: FinalHop, plan: ScrapePlan, order: PageDocuments.PageToScrape) {
    const reading = yield* PageReading.read(landed, plan, order, sites).pipe(
      Effect.provideService(Browser, browser),
      Effect.provideService(Politeness, politeness),
      Effect.provideService(FileReader, files)
    )
    if (ScrapeOptions.formatOf(plan.options, "json")?.checkPromptInjection === true) yield* checkInjection(reading)
    const filled = yield* Effect.provideService(jsonOf(reading, plan), SchemaFiller, filler)
    const { warnings, ...changes } = yield* Effect.provideService(changesOf(reading, plan, order), SchemaFiller, filler)
    const answers = yield* Effect.provideService(answersOf(reading, plan), PageAnswers, answerer)
    const branding = yield* brandingOf(reading, plan, styles)
    const notes = [...(filled === undefined ? [] : notesOn(filled)), ...answers.warnings, ...branding.warnings]
    const whole = { ...reading, warnings: [...reading.warnings, ...notes, ...warnings] }
    const { links, refresh } = reading.page
    const document = PageDocuments.of(whole, plan, order)
    const copy: PageCache.CachedPage = {
      document: {
        ...document,
        ...summaryOf(reading, plan),
        ...(filled === undefined ? {} : jsonParts(filled, document.metadata.url)),
        ...answers.part,
        ...branding.part,
        ...changes,
        metadata: { ...document.metadata, ...(filled === undefined ? {} : { jsonEngine: nameOf(filled) }) }
      },
      links,
      ...(refresh === undefined ? {} : { refresh }),
      ...(reading.shell === undefined ? {} : { shell: reading.shell })
    }
    // A copy would hide the page from the next request, which may find a browser.
    if (reading.unread === undefined) yield* PageCache.keep(plan, order, copy)
    const scraped: Scraped = { ...copy, markdown: reading.page.markdown, sketch: reading.page.sketch }
    return scraped
  })

  const stored = <A>(
    url: string,
    { keepsNothing = false }: ScrapePlan,
    effect: Effect.Effect<A, FetchError | StoreError, ScrapeStore>
  ) =>
    effect.pipe(
      Effect.provideService(ScrapeStore, store),
      Effect.catchTag("StoreError", (error) =>
        Effect.andThen(Effect.logError(keepsNothing ? unsaid : error), Effect.fail(storeFailed(url)))
      )
    )

  return Scraper.of({
    copyOf: (plan, order) => stored(order.url, plan, PageCache.find(plan, order)),
    scrape: (landed, plan, order) => {
      const read = scrape(landed, plan, order)
      const isSuspect = landed.fetched.isSuspect === true
      const scraped = stored(landed.url.href, plan, isSuspect ? Effect.provideService(read, Suspect, true) : read)
      // Work that does not wait cannot time out.
      if (!waits(landed, plan, order)) return scraped
      const timely = scraped.pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(plan.timeoutMillis),
          orElse: () => timedOut(landed.url.href, plan.timeoutMillis)
        })
      )
      return PageReading.isRendered(landed, plan) ? politeness.take(landed.url.host, order.delayMillis, timely) : timely
    }
  })
})

export const timedOut = (url: string, millis: number): FetchError =>
  new FetchError({ url, code: "SCRAPE_TIMEOUT", message: `the page took longer than ${millis} ms`, retryable: true })

/** The database's error is withheld, because it may contain words of the page. */
const unsaid = "the store failed; the page has zero data retention, so the reason is not logged"

const storeFailed = (url: string): FetchError =>
  new FetchError({
    url,
    code: MachineFault.storeError,
    message: "the service cannot read or write its store; try again in a moment",
    retryable: true
  })

/** Whether the page waits for a browser, a thread that reads files, the store, or a schema to be filled. */
const waits = (landed: FinalHop, plan: ScrapePlan, { keeps }: PageDocuments.PageToScrape): boolean =>
  plan.needsBrowser ||
  (plan.options.storeInCache ?? keeps) ||
  plan.formats.has("json") ||
  plan.formats.has("changeTracking") ||
  needsMore(plan) ||
  PageReading.isFile(landed)

const summaryOf = ({ page }: PageDocuments.Reading, plan: ScrapePlan): Partial<PageDocument> =>
  plan.formats.has("summary") ? { summary: summarize(page.markdown ?? "", languageOf(page)) } : {}

/** The format json, if requested. */
const jsonOf = (reading: PageDocuments.Reading, plan: ScrapePlan) =>
  plan.formats.has("json")
    ? extracted(reading, ScrapeOptions.formatOf(plan.options, "json"))
    : Effect.succeed<Filled | undefined>(undefined)

/** The data, with what says it, and which of it are judgements. */
const jsonParts = (filled: Filled, url: string) => ({
  json: filled.data,
  ...evidenceOf(filled, url),
  ...(filled.inferred === undefined || filled.inferred.length === 0 ? {} : { inferred: filled.inferred })
})

/** Where the values stand, and what a model gave that the page does not say. */
const evidenceOf = ({ sources = new Map(), unsupported = [] }: Filled, url: string) => ({
  ...(sources.size === 0
    ? {}
    : { sources: Object.fromEntries(Array.from(sources, ([pointer, source]) => [pointer, [{ ...source, url }]])) }),
  ...(unsupported.length === 0 ? {} : { unsupported })
})

const notesOn = ({ unsupported = [], warning }: Filled): ReadonlyArray<string> => [
  ...(warning === undefined ? [] : [warning]),
  ...(unsupported.length === 0 ? [] : [unsupportedWarning(unsupported)])
]

/** What filled it: our rules, or the model by its name. */
const nameOf = ({ engine }: Filled): string => engine.model ?? engine.name

/** Withholds the data of a page that addresses machines, if the request asks for the check. */
const checkInjection = ({ url, page }: PageDocuments.Reading): Effect.Effect<void, FetchError> => {
  const injection = findInjection(page.rawHtml ?? page.markdown ?? "")
  if (injection === undefined) return Effect.void
  const message = `the page tries to instruct the machine that reads it (${JSON.stringify(injection)}); leave checkPromptInjection out to read it anyway`
  return Effect.fail(
    new FetchError({ url: url.href, code: "SCRAPE_PROMPT_INJECTION_DETECTED", message, retryable: false })
  )
}

/** What has changed since the page was last scraped with the same tag. */
const changesOf = Effect.fnUntraced(function* (
  reading: PageDocuments.Reading,
  plan: ScrapePlan,
  order: PageDocuments.PageToScrape
) {
  if (!plan.formats.has("changeTracking")) return { warnings: [] }
  if (reading.unread !== undefined) return { warnings: ["the page was not read: changes were not determined"] }
  const format = ScrapeOptions.formatOf(plan.options, "changeTracking")
  const url = PageUrl.normalize(order.url.trim()) ?? reading.url
  const watched = { teamId: order.teamId, tag: format?.tag ?? "", pageKey: PageUrl.key(url, false) }
  const { status, page } = reading
  const tracked = plan.tracksJson ? yield* extracted(reading, format) : undefined
  const wantsDiff = format?.modes?.includes("git-diff") === true
  const { warning, ...changes } = yield* ChangeTracking.track(
    watched,
    {
      status,
      markdown: page.markdown ?? "",
      contentVersion: PageDocuments.contentVersionOf(page),
      json: tracked?.data
    },
    wantsDiff
  )
  const evidence = tracked === undefined ? {} : evidenceOf(tracked, reading.url.href)
  const { changeTracking } = changes
  return {
    ...changes,
    ...(changeTracking === undefined ? {} : { changeTracking: { ...changeTracking, ...evidence } }),
    warnings: warning === undefined ? [] : [warning]
  }
})

/** Data in the shape of a format's schema. */
const extracted = Effect.fnUntraced(function* ({ page, url }: PageDocuments.Reading, format: DataFormat | undefined) {
  const { fill } = yield* SchemaFiller
  const input = { url: url.href, html: page.rawHtml ?? "", metadata: page.metadata }
  const { prompt, schema, unsupported } = format ?? {}
  return yield* fill(input, { schema, prompt, keepsUnsupported: keepsUnsupported(unsupported) }).pipe(
    Effect.catchTag(
      "Unprocessable",
      ({ message }) => new FetchError({ url: url.href, code: "SCRAPE_EXTRACTION_ERROR", message, retryable: true })
    )
  )
})

interface DataFormat {
  readonly schema?: { readonly [keyword: string]: Schema.Json } | undefined
  readonly prompt?: string | undefined
  readonly unsupported?: UnsupportedOption | null | undefined
}

const languageOf = (page: Page.Page): string | undefined => {
  const { language } = page.metadata
  return typeof language === "string" ? language : undefined
}

/** A part of a document that needs more than the pass over the page: answers to questions, or branding. */
interface Part {
  readonly part: Partial<PageDocument>
  readonly warnings: ReadonlyArray<string>
}

const noPart: Part = { part: {}, warnings: [] }

/** The formats question, query and highlights. */
const answersOf = Effect.fnUntraced(function* ({ page, url }: PageDocuments.Reading, { options }: ScrapePlan) {
  const question =
    ScrapeOptions.formatOf(options, "question")?.question ?? ScrapeOptions.formatOf(options, "query")?.prompt
  const query = ScrapeOptions.formatOf(options, "highlights")?.query
  if (question === undefined && query === undefined) return noPart
  const pageAnswers = yield* PageAnswers
  const input = { url: url.href, html: page.rawHtml ?? "", metadata: page.metadata }
  const answer = question === undefined ? undefined : yield* pageAnswers.answer(input, question)
  const passages = query === undefined ? undefined : yield* pageAnswers.highlights(input, query)
  const answered: Part = {
    part: {
      ...(answer?.text === undefined ? {} : { answer: answer.text }),
      ...(passages === undefined || passages.length === 0 ? {} : { highlights: passages.join("\n\n") })
    },
    warnings: [
      ...(answer === undefined || answer.text !== undefined
        ? []
        : [answer.isUnderstood ? "the page does not answer the question" : notUnderstood]),
      ...(passages?.length === 0 ? ["nothing on the page speaks of what highlights looks for"] : [])
    ]
  }
  return answered
})

const notUnderstood =
  "the question was not understood, so the page may answer it all the same: ask in a sentence, in the language of the page"

/** The format branding. */
const brandingOf = Effect.fnUntraced(function* (
  { page, url }: PageDocuments.Reading,
  plan: ScrapePlan,
  styles: StyleSheets.StyleSheets
) {
  if (!plan.formats.has("branding")) return noPart
  const root = Branding.read(page.rawHtml ?? "")
  const { headers: _, ...options } = PageDocuments.fetchOptions(plan, url, url)
  const { missed, texts } = yield* styles.read(Branding.sheetsOf(root, url.href), options)
  const brandingPart: Part = {
    part: { branding: Branding.branding(root, url.href, texts) },
    warnings:
      missed === 0
        ? []
        : [`${missed} style sheet${missed === 1 ? " was" : "s were"} not read; branding is what the others say`]
  }
  return brandingPart
})

/** Whether a page of this plan waits for style sheets, or for rules that are loaded on demand. */
const needsMore = ({ formats }: ScrapePlan): boolean => waitingFormats.some((format) => formats.has(format))

const waitingFormats = ["branding", "question", "highlights", "query"] as const
