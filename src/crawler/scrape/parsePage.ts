/**
 * A page that was read, or the failure of one that costs more to read than a page may.
 */
import * as Effect from "effect/Effect"
import * as Page from "../../html/Page.ts"
import { FetchError } from "../fetch/Fetch.ts"

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
