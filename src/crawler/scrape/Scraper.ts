/**
 * One page, from what a site answered to the document with every format that was asked for.
 *
 * The way of a page: file or page -> through the browser where the plan needs one -> read in one pass -> summary, json,
 * changes. All of it ends within the plan's timeout, once the page has its host's turn to be opened in the browser; what
 * cannot be delivered is an error or a `warning`.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { PageDocument } from "../../api/PageDocument.ts"
import * as PageUrl from "../../api/PageUrl.ts"
import * as ScrapeOptions from "../../api/ScrapeOptions.ts"
import { decode } from "../../html/Charset.ts"
import { contentKind } from "../../html/ContentKind.ts"
import * as Page from "../../html/Page.ts"
import { isScriptShell, maybeShell } from "../../html/scriptShell.ts"
import { Browser } from "../browser/Browser.ts"
import { FetchError } from "../fetch/Fetch.ts"
import type { Landed } from "../fetch/followRedirects.ts"
import * as MachineFault from "../fetch/MachineFault.ts"
import { fileKind } from "../files/FileKind.ts"
import { FileReader } from "../files/FileReader.ts"
import { readFile } from "../files/readFile.ts"
import { Politeness } from "../politeness/Politeness.ts"
import type { StoreError } from "../StoreError.ts"
import * as ChangeTracking from "./ChangeTracking.ts"
import * as PageCache from "./PageCache.ts"
import * as PageDocuments from "./PageDocuments.ts"
import { findInjection } from "./promptInjection.ts"
import { type Filled, SchemaFiller } from "./SchemaFiller.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { ScrapeStore } from "./ScrapeStore.ts"
import { summarize } from "./summarize.ts"

export interface Scraped extends PageCache.Kept {
  /** The text, also where the document does not have it. */
  readonly markdown?: string | undefined
}

export class Scraper extends Context.Service<
  Scraper,
  {
    /** A copy of the page that the plan accepts, if there is one. */
    readonly kept: (plan: ScrapePlan, asked: PageDocuments.Asked) => Effect.Effect<Scraped | undefined, FetchError>
    /** The document of a page that answered. */
    readonly scrape: (
      landed: Landed,
      plan: ScrapePlan,
      asked: PageDocuments.Asked
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

  const scrape = Effect.fnUntraced(function* (landed: Landed, plan: ScrapePlan, asked: PageDocuments.Asked) {
    const reading = yield* read(landed, plan, asked).pipe(
      Effect.flatMap((read) => (isShell(read, landed) ? filledIn(read, plan, asked) : Effect.succeed(read))),
      Effect.provideService(Browser, browser),
      Effect.provideService(Politeness, politeness),
      Effect.provideService(FileReader, files)
    )
    if (ScrapeOptions.formatOf(plan.options, "json")?.checkPromptInjection === true) yield* checkInjection(reading)
    const filled = yield* Effect.provideService(jsonOf(reading, plan), SchemaFiller, filler)
    const { warnings, ...changes } = yield* Effect.provideService(changesOf(reading, plan, asked), SchemaFiller, filler)
    const said = filled?.warning === undefined ? [] : [filled.warning]
    const told = { ...reading, warnings: [...reading.warnings, ...said, ...warnings] }
    const { links, refresh } = reading.page
    const document = PageDocuments.make(told, plan, asked)
    const kept: PageCache.Kept = {
      document: {
        ...document,
        ...summaryOf(reading, plan),
        ...(filled === undefined ? {} : { json: filled.data }),
        ...changes,
        metadata: { ...document.metadata, ...(filled === undefined ? {} : { jsonEngine: nameOf(filled) }) }
      },
      links,
      ...(refresh === undefined ? {} : { refresh }),
      ...(reading.shell === undefined ? {} : { shell: reading.shell })
    }
    yield* PageCache.keep(plan, asked, kept)
    const scraped: Scraped = { ...kept, markdown: reading.page.markdown }
    return scraped
  })

  const stored = <A>(url: string, effect: Effect.Effect<A, FetchError | StoreError, ScrapeStore>) =>
    effect.pipe(
      Effect.provideService(ScrapeStore, store),
      Effect.catchTag("StoreError", (error) => Effect.andThen(Effect.logError(error), Effect.fail(storeFailed(url))))
    )

  return Scraper.of({
    kept: (plan, asked) => stored(asked.url, PageCache.find(plan, asked)),
    scrape: (landed, plan, asked) => {
      const scraped = stored(landed.url.href, scrape(landed, plan, asked))
      // What waits for nothing cannot be timed out.
      if (!waits(landed, plan, asked)) return scraped
      const timely = scraped.pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(plan.timeoutMillis),
          orElse: () => timedOut(landed.url.href, plan.timeoutMillis)
        })
      )
      return isRendered(landed, plan) ? politeness.take(landed.url.host, asked.delayMillis, timely) : timely
    }
  })
})

export const timedOut = (url: string, millis: number): FetchError =>
  new FetchError({ url, code: "SCRAPE_TIMEOUT", message: `the page took longer than ${millis} ms`, retryable: true })

const storeFailed = (url: string): FetchError =>
  new FetchError({
    url,
    code: MachineFault.storeError,
    message: "the service cannot read or write its store; try again in a moment",
    retryable: true
  })

/** Whether the browser asks the host for the page once more. */
const isRendered = (landed: Landed, plan: ScrapePlan): boolean =>
  plan.needsBrowser && fileOf(landed) === undefined && kindOf(landed) === "html"

/** Whether the page waits for a browser, a thread that reads files, the store, or whoever fills schemas. */
const waits = (landed: Landed, plan: ScrapePlan, { keeps }: PageDocuments.Asked): boolean =>
  plan.needsBrowser ||
  (plan.options.storeInCache ?? keeps) ||
  plan.formats.has("json") ||
  plan.formats.has("changeTracking") ||
  fileOf(landed) !== undefined

/** The file that the answer is, where it is none of the web's own kinds. */
const fileOf = ({ url, fetched: { body, contentType, status } }: Landed) =>
  status < 400 ? fileKind(contentType, body, url.pathname) : undefined

const kindOf = ({ fetched: { body, contentType } }: Landed) => contentKind(contentType, body)

const read = Effect.fnUntraced(function* (
  landed: Landed,
  plan: ScrapePlan,
  asked: PageDocuments.Asked
): Effect.fn.Return<PageDocuments.Reading, FetchError, Browser | FileReader> {
  const { url, fetched } = landed
  const { body, contentType, status } = fetched
  const { elapsedMillis, etag, lastModified } = fetched
  const base = { url, status, contentType, exchange: { elapsedMillis, etag, lastModified } }
  const file = fileOf(landed)
  if (file !== undefined) {
    const reading = yield* readFile(file, { url: url.href, body }, plan)
    const left = plan.needsBrowser ? ["a file is not opened in the browser: actions and screenshots were left out"] : []
    return { ...base, ...reading, warnings: [...reading.warnings, ...left] }
  }
  const kind = kindOf(landed)
  if (kind === "other" && status < 400) {
    const what = contentType ?? "a file of unknown type"
    const message = `${what} is not a kind of page that can be read`
    return yield* new FetchError({ url: url.href, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message, retryable: false })
  }
  if (isRendered(landed, plan)) return { ...(yield* render(url, plan, asked)), exchange: base.exchange }
  const left = plan.needsBrowser ? ["only HTML is opened in the browser: actions and screenshots were left out"] : []
  const page = Page.parse({ url: url.href, body, contentType }, plan.page)
  return { ...base, page, credits: 1, warnings: left }
})

/** Whether the answer is only what scripts fill. What went through the browser is filled already. */
const isShell = ({ page, shell, status }: PageDocuments.Reading, { fetched }: Landed): boolean =>
  shell === undefined &&
  status >= 200 &&
  status < 300 &&
  maybeShell(page) &&
  contentKind(fetched.contentType, fetched.body) === "html" &&
  isScriptShell(page.rawHtml ?? decode(fetched.body, fetched.contentType, "html"))

/** A shell as a browser shows it, or with a warning. */
const filledIn = Effect.fnUntraced(function* (
  sent: PageDocuments.Reading,
  plan: ScrapePlan,
  asked: PageDocuments.Asked
) {
  const browser = yield* Browser
  const politeness = yield* Politeness
  const empty = (why: string): PageDocuments.Reading => ({
    ...sent,
    shell: "empty",
    warnings: [...sent.warnings, `the page is an empty shell that scripts fill${why}`]
  })
  if (!(yield* browser.isThere)) return empty(noBrowser)
  const shown = yield* Effect.result(
    politeness.take(sent.url.host, asked.delayMillis, render(sent.url, plan, asked, true))
  )
  if (shown._tag === "Failure") return empty(`, and the browser could not show it: ${shown.failure.message}`)
  const { page, url } = shown.success
  if (maybeShell(page) && (page.markdown ?? "").trim() === "" && page.links.length === 0) {
    return empty(", and there is nothing to read in a browser either; waitFor gives its scripts more time")
  }
  const reading: PageDocuments.Reading = { ...sent, page, url, shell: "rendered" }
  return reading
})

const noBrowser =
  "; with playwright-core (npm install playwright-core) and Chromium (apt-get install chromium, or PLAYWRIGHT_CHROMIUM) " +
  "it is read as a browser shows it"

/** The page again, as the browser has it after all that was asked for. */
const render = Effect.fnUntraced(function* (
  url: URL,
  plan: ScrapePlan,
  asked: PageDocuments.Asked,
  settles: boolean = false
) {
  const browser = yield* Browser
  const { headers } = PageDocuments.fetchOptions(plan, asked.home ?? new URL(asked.url), url)
  const rendered = yield* browser.render(url, plan.options, headers ?? {}, plan.timeoutMillis, settles)
  const contentType = "text/html; charset=utf-8"
  const body = new TextEncoder().encode(rendered.html)
  return {
    page: Page.parse({ url: rendered.url, body, contentType }, plan.page),
    url: PageUrl.normalize(rendered.url) ?? url,
    status: rendered.status,
    contentType,
    credits: 1,
    ...(rendered.screenshot === undefined ? {} : { screenshot: rendered.screenshot }),
    ...(rendered.actions === undefined ? {} : { actions: rendered.actions }),
    warnings: []
  }
})

const summaryOf = ({ page }: PageDocuments.Reading, plan: ScrapePlan): Partial<PageDocument> =>
  plan.formats.has("summary") ? { summary: summarize(page.markdown ?? "", languageOf(page)) } : {}

/** The format json, where it is asked for. */
const jsonOf = (reading: PageDocuments.Reading, plan: ScrapePlan) =>
  plan.formats.has("json")
    ? extracted(reading, ScrapeOptions.formatOf(plan.options, "json"))
    : Effect.succeed<Filled | undefined>(undefined)

/** Who filled it: our rules, or the model by its name. */
const nameOf = ({ engine }: Filled): string => engine.model ?? engine.name

/** Data of a page that speaks to machines is not given to one that asked to be spared. */
const checkInjection = ({ url, page }: PageDocuments.Reading): Effect.Effect<void, FetchError> => {
  const found = findInjection(page.rawHtml ?? page.markdown ?? "")
  if (found === undefined) return Effect.void
  const message = `the page tries to instruct the machine that reads it (${JSON.stringify(found)}); leave checkPromptInjection out to read it anyway`
  return Effect.fail(
    new FetchError({ url: url.href, code: "SCRAPE_PROMPT_INJECTION_DETECTED", message, retryable: false })
  )
}

/** What has changed since the page was last scraped with the same tag. */
const changesOf = Effect.fnUntraced(function* (
  reading: PageDocuments.Reading,
  plan: ScrapePlan,
  asked: PageDocuments.Asked
) {
  if (!plan.formats.has("changeTracking")) return { warnings: [] }
  const format = ScrapeOptions.formatOf(plan.options, "changeTracking")
  const url = PageUrl.normalize(asked.url.trim()) ?? reading.url
  const watched = { teamId: asked.teamId, tag: format?.tag ?? "", pageKey: PageUrl.key(url, false) }
  const { status, page } = reading
  const json = plan.tracksJson ? (yield* extracted(reading, format)).data : undefined
  const wantsDiff = format?.modes?.includes("git-diff") === true
  const { warning, ...changes } = yield* ChangeTracking.track(
    watched,
    { status, markdown: page.markdown ?? "", json },
    wantsDiff
  )
  return { ...changes, warnings: warning === undefined ? [] : [warning] }
})

/** Data in the shape of a format's schema. */
const extracted = Effect.fnUntraced(function* ({ page, url }: PageDocuments.Reading, format: DataFormat | undefined) {
  const { fill } = yield* SchemaFiller
  const input = { url: url.href, html: page.rawHtml ?? "", metadata: page.metadata }
  return yield* fill(input, { schema: format?.schema, prompt: format?.prompt }).pipe(
    Effect.mapError(
      ({ message }) => new FetchError({ url: url.href, code: "SCRAPE_EXTRACTION_ERROR", message, retryable: true })
    )
  )
})

interface DataFormat {
  readonly schema?: { readonly [keyword: string]: Schema.Json } | undefined
  readonly prompt?: string | undefined
}

const languageOf = (page: Page.Page): string | undefined => {
  const { language } = page.metadata
  return typeof language === "string" ? language : undefined
}
