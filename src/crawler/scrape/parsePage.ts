/**
 * A page that was read, or the failure of one that costs more to read than a page may.
 */
import * as Effect from "effect/Effect"
import * as Page from "../../html/Page.ts"
import { FetchError } from "../fetch/Fetch.ts"
import { FileReader } from "../files/FileReader.ts"

export const parsePage = (input: Page.PageInput, options: Page.PageOptions): Effect.Effect<Page.Page, FetchError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(Page.parse(input, options))
    } catch (cause) {
      if (!(cause instanceof Page.TooCostly)) throw cause
      const { code, message } = cause
      return Effect.fail(new FetchError({ url: input.url, code, message, retryable: false }))
    }
  })

/** The same; a page that may take long is read in a thread, so that nobody else waits for it. */
export const parseAside = (input: Page.PageInput, options: Page.PageOptions) =>
  input.body.byteLength < largeBytes
    ? // Answers that came together are not read in one turn.
      Effect.andThen(Effect.yieldNow, parsePage(input, options))
    : Effect.gen(function* () {
        const { readPage } = yield* FileReader
        const { choice, ...own } = options
        return yield* readPage({ input, options: own, wanted: choice?.wanted }).pipe(
          Effect.mapError(
            ({ code, message }) => new FetchError({ url: input.url, code, message, retryable: false })
          )
        )
      })

/** A page of this size takes some 50 ms where it is made to. */
const largeBytes = 512 * 1024
