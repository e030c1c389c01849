/**
 * Reads a page, or fails if that costs more than a page may.
 */
import * as Effect from "effect/Effect"
import * as Page from "#page/Page"
import type { ShellEvidence } from "#page/scriptShell"
import { FetchError } from "./Fetch.ts"
import { FileReader } from "./FileReader.ts"
import type { Landed } from "./followRedirects.ts"
import { LongPage, mayTakeLong } from "./LongPage.ts"
import type { PageOrder, ReadPage } from "./PageOrder.ts"
import { Suspect } from "./Suspect.ts"
import { readPage } from "./scrape/readPage.ts"

export const parsePage = (input: Page.PageInput, options: Page.PageOptions): Effect.Effect<Page.Page, FetchError> =>
  orTooCostly(input.url, () => Page.parse(input, options))

/**
 * The page that was ordered: as its thread has read it, or read here in the same way. Undefined: it is not a plain
 * page, or it may take long.
 */
export const readOrdered = (
  { fetched, url }: Landed,
  order: PageOrder | undefined
): Effect.Effect<ReadPage | undefined, FetchError> =>
  Effect.flatMap(LongPage, (long) =>
    order === undefined || fetched.page !== undefined || fetched.isSuspect === true || mayTakeLong(fetched.body, long)
      ? Effect.succeed(fetched.page)
      : orTooCostly(url.href, () => readPage(url, fetched, order))
  )

const orTooCostly = <A>(url: string, read: () => A): Effect.Effect<A, FetchError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(read())
    } catch (cause) {
      if (!(cause instanceof Page.TooCostly)) throw cause
      const { code, message } = cause
      return Effect.fail(new FetchError({ url, code, message, retryable: false }))
    }
  })

/** A page, and the evidence that it is only a shell for scripts, if a thread has checked. */
interface Parsed {
  readonly page: Page.Page
  readonly shellEvidence?: ShellEvidence | undefined
}

/** Reads a page that may take long in a thread, so that nothing else waits for it, and a suspect in quarantine. */
export const parseAside = Effect.fnUntraced(function* (
  input: Page.PageInput,
  options: Page.PageOptions
): Effect.fn.Return<Parsed, FetchError, FileReader> {
  if (!(yield* Suspect) && !mayTakeLong(input.body, yield* LongPage)) return { page: yield* parsePage(input, options) }
  const { readPage } = yield* FileReader
  const { choice, ...own } = options
  return yield* readPage({ input, options: own, wanted: choice?.wanted }).pipe(
    Effect.mapError(({ code, message }) => new FetchError({ url: input.url, code, message, retryable: false }))
  )
})
