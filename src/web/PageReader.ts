/**
 * Reads a page where it may be read: in this thread; in another one, if it may take long; in quarantine, if it is a suspect.
 *
 * The thread that fetched a page has often read it already (`readPage`, which needs no Effect): then nothing is left to do.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { botCheck } from "#page/botCheck"
import * as Page from "#page/Page"
import type { ShellEvidence } from "#page/scriptShell"
import { FetchError, type FetchResult, tooCostly } from "./Fetch.ts"
import { FileReader } from "./FileReader.ts"
import type { PageRequest } from "./PageRequest.ts"
import { Suspect } from "./Suspect.ts"
import { readPage } from "./scrape/readPage.ts"

/**
 * The size from which a page may take long to read.
 *
 * A new thread compiles all code that reads pages, which costs as much as a hundred pages. A service pays for that,
 * because its callers would wait otherwise. A crawl that is alone in its process makes nobody wait, and reads in this
 * thread what takes up to a second; beyond that, the pages in flight would run out of time.
 */
export interface LongPage {
  /** A page of this size may take long. */
  readonly bytes: number
  /** So may a smaller page with this many tags: 200 kB of cells take as long as megabytes of text. */
  readonly tags: number
}

export const LongPage = Context.Reference<LongPage>("millrace/LongPage", {
  defaultValue: () => ({ bytes: 512 * 1024, tags: 20_000 })
})

/** For a process in which nobody else waits. */
export const alone: LongPage = { bytes: 4 * 1024 * 1024, tags: 100_000 }

/** For a process that fetches for others: a larger page would block its other hosts, and who wants it has threads. */
export const forOthers: LongPage = { bytes: 256 * 1024, tags: Number.POSITIVE_INFINITY }

/** An answer as a page. */
type PageAnswer = Page.PageInput & { readonly status: number }

/** A page, and the evidence that it is only a shell for scripts, if a thread has checked. */
interface Parsed {
  readonly page: Page.Page
  readonly shellEvidence?: ShellEvidence | undefined
}

/** The answer with the page that was ordered, unless it is no plain page or may take long. */
export const readRequested = (
  url: URL,
  fetched: FetchResult,
  order: PageRequest | undefined
): Effect.Effect<FetchResult, FetchError> =>
  Effect.flatMap(LongPage, (long) => {
    const isLeft = fetched.page !== undefined || fetched.isSuspect === true || mayTakeLong(fetched.body, long)
    if (order === undefined || isLeft) return Effect.succeed(fetched)
    return Effect.map(
      orTooCostly(url.href, () => readPage(url, fetched, order)),
      (page) => (page === undefined ? fetched : { ...fetched, page })
    )
  })

/** Reads a page in this thread. It fails if that costs more than a page may, or a bot check answered in its place. */
export const parsePage = (answer: PageAnswer, options: Page.PageOptions): Effect.Effect<Page.Page, FetchError> =>
  Effect.tap(
    orTooCostly(answer.url, () => Page.parse(answer, options)),
    (page) => refuseBotCheck(page, answer)
  )

/** The same wherever the page may be read. */
export const parseAside = Effect.fnUntraced(function* (
  answer: PageAnswer,
  options: Page.PageOptions
): Effect.fn.Return<Parsed, FetchError, FileReader> {
  if (!(yield* Suspect) && !mayTakeLong(answer.body, yield* LongPage))
    return { page: yield* parsePage(answer, options) }
  const reader = yield* FileReader
  const { choice, ...own } = options
  const { status: _, ...input } = answer
  const parsed = yield* reader
    .readPage({ input, options: own, wanted: choice?.wanted })
    .pipe(Effect.mapError(({ code, message }) => new FetchError({ url: answer.url, code, message, retryable: false })))
  yield* refuseBotCheck(parsed.page, answer)
  return parsed
})

const orTooCostly = <A>(url: string, read: () => A): Effect.Effect<A, FetchError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(read())
    } catch (cause) {
      if (!(cause instanceof Page.TooCostly)) throw cause
      return Effect.fail(tooCostly(url, cause.message))
    }
  })

/** Fails if a firewall's bot check answered in place of the page. */
const refuseBotCheck = (
  page: Page.Page,
  { body, contentType, status, url }: PageAnswer
): Effect.Effect<void, FetchError> => {
  const whose = status < 400 ? botCheck(page, body, contentType) : undefined
  if (whose === undefined) return Effect.void
  const message = `the site sends a check for bots (${whose}) in place of the page; ask the site to let this crawler in, or send a session of yours in headers`
  return Effect.fail(new FetchError({ url, code: "SCRAPE_BOT_CHECK", message, retryable: false }))
}

/** Whether a page may take long. */
const mayTakeLong = (body: Uint8Array, { bytes, tags }: LongPage): boolean => {
  if (body.byteLength >= bytes) return true
  // A tag has at least four bytes, as `<b>` and a letter.
  if (body.byteLength < tags * 3) return false
  let seen = 0
  for (let at = body.indexOf(lessThan); at !== -1 && seen < tags; at = body.indexOf(lessThan, at + 1)) seen += 1
  return seen >= tags
}

const lessThan = 0x3c
