/**
 * One page, from what a site answered to the document with every format that was asked for.
 *
 * The way of a page: file or page -> through the browser where the plan needs one -> read in one pass -> summary, json,
 * changes. The law: all of it ends within the plan's timeout; what cannot be given is an error or a `warning`.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { PageDocument } from "../../api/PageDocument.ts"
import * as ScrapeOptions from "../../api/ScrapeOptions.ts"
import { Browser } from "../browser/Browser.ts"
import { FetchError } from "../crawl/Fetch.ts"
import type { Landed } from "../crawl/followRedirects.ts"
import * as PageDocuments from "../crawl/PageDocuments.ts"
import * as PageUrl from "../crawl/PageUrl.ts"
import { contentKind } from "../crawl/page/ContentKind.ts"
import * as Page from "../crawl/page/Page.ts"
import { extract } from "../extract/extract.ts"
import { fileKind } from "./FileKind.ts"
import { FileReader } from "./FileReader.ts"
import { readFile } from "./readFile.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { summarize } from "./summarize.ts"

export interface Scraped {
  readonly document: PageDocument
  readonly page: Page.Page
}

export class Scraper extends Context.Service<
  Scraper,
  {
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

  const scrape = Effect.fnUntraced(function* (landed: Landed, plan: ScrapePlan, asked: PageDocuments.Asked) {
    const reading = yield* read(landed, plan, asked).pipe(
      Effect.provideService(Browser, browser),
      Effect.provideService(FileReader, files)
    )
    const document = { ...PageDocuments.make(reading, plan, asked), ...derived(reading, plan) }
    return { document, page: reading.page }
  })

  return Scraper.of({
    scrape: (landed, plan, asked) =>
      scrape(landed, plan, asked).pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(plan.timeoutMillis),
          orElse: () => timedOut(landed.url.href, plan.timeoutMillis)
        })
      )
  })
})

export const timedOut = (url: string, millis: number): FetchError =>
  new FetchError({ url, code: "SCRAPE_TIMEOUT", message: `the page took longer than ${millis} ms`, retryable: true })

const read = Effect.fnUntraced(function* (
  { url, fetched }: Landed,
  plan: ScrapePlan,
  asked: PageDocuments.Asked
): Effect.fn.Return<PageDocuments.Reading, FetchError, Browser | FileReader> {
  const { body, contentType, status } = fetched
  const base = { url, status, contentType }
  const file = status < 400 ? fileKind(contentType, body, url.pathname) : undefined
  if (file !== undefined) {
    const reading = yield* readFile(file, { url: url.href, body }, plan)
    const left = plan.needsBrowser ? ["a file is not opened in the browser: actions and screenshots were left out"] : []
    return { ...base, ...reading, warnings: [...reading.warnings, ...left] }
  }
  const kind = contentKind(contentType, body)
  if (kind === "other" && status < 400) {
    const what = contentType ?? "a file of unknown type"
    const message = `${what} is not a kind of page that can be read`
    return yield* new FetchError({ url: url.href, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message, retryable: false })
  }
  if (plan.needsBrowser && kind === "html") return yield* render(url, plan, asked)
  const left = plan.needsBrowser ? ["only HTML is opened in the browser: actions and screenshots were left out"] : []
  const page = Page.parse({ url: url.href, body, contentType }, plan.page)
  return { ...base, page, credits: 1, warnings: left }
})

/** The page again, as the browser has it after all that was asked for. */
const render = Effect.fnUntraced(function* (url: URL, plan: ScrapePlan, asked: PageDocuments.Asked) {
  const browser = yield* Browser
  const { headers } = PageDocuments.fetchOptions(plan, new URL(asked.url), url)
  const rendered = yield* browser.render(url, plan.options, headers ?? {}, plan.timeoutMillis)
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

/** The formats that are made from the others. */
const derived = (reading: PageDocuments.Reading, plan: ScrapePlan): Partial<PageDocument> => {
  const { page } = reading
  return {
    ...(plan.formats.has("summary") ? { summary: summarize(page.markdown ?? "", languageOf(page)) } : {}),
    ...(plan.formats.has("json") ? { json: extracted(reading, ScrapeOptions.formatOf(plan.options, "json")) } : {})
  }
}

/** Data in the shape of a format's schema. */
const extracted = (reading: PageDocuments.Reading, format: DataFormat | undefined) =>
  extract(
    { url: reading.url.href, html: reading.page.rawHtml ?? "", metadata: reading.page.metadata },
    format?.schema,
    format?.prompt
  ).data

interface DataFormat {
  readonly schema?: { readonly [keyword: string]: Schema.Json } | undefined
  readonly prompt?: string | undefined
}

const languageOf = (page: Page.Page): string | undefined => {
  const { language } = page.metadata
  return typeof language === "string" ? language : undefined
}
