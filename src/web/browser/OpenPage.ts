/**
 * A page that stays open: requests perform actions on it one after the other, and take pictures of it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type * as Playwright from "playwright-core"
import type { Action } from "#contract/Actions"
import type { ActionResults } from "#contract/PageDocument"
import { FetchError } from "../Fetch.ts"
import { toFetchError } from "../FetchError.ts"
import { explain } from "./drive.ts"
import type { ProxyVisit } from "./ProxyVisit.ts"
import { performActions } from "./performActions.ts"

export interface OpenPage {
  /** The current URL. */
  readonly url: () => string
  readonly act: (actions: ReadonlyArray<Action>, timeoutMillis: number) => Effect.Effect<ActionResults, FetchError>
  /** A JPEG of its window. */
  readonly picture: Effect.Effect<Uint8Array, FetchError>
}

export const of = (page: Playwright.Page, network: ProxyVisit): OpenPage => {
  const acting = Semaphore.makeUnsafe(1)
  const picturing = Semaphore.makeUnsafe(1)
  const attempt = <A>(work: () => Promise<A>, timeoutMillis: number) =>
    Effect.tryPromise({
      try: work,
      catch: (cause) => {
        if (network.overflow !== undefined) return toFetchError(page.url(), network.overflow)
        const [code, message] = explain(cause)
        return new FetchError({ url: page.url(), code, message, retryable: false })
      }
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(timeoutMillis),
        orElse: () =>
          Effect.fail(
            new FetchError({
              url: page.url(),
              code: "SCRAPE_TIMEOUT",
              message: `the browser took longer than ${timeoutMillis} ms`,
              retryable: false
            })
          )
      })
    )
  return {
    url: () => page.url(),
    act: (actions, timeoutMillis) => acting.withPermits(1)(attempt(() => performActions(page, actions), timeoutMillis)),
    picture: picturing.withPermits(1)(attempt(() => page.screenshot({ type: "jpeg", quality: 60 }), pictureMillis))
  }
}

const pictureMillis = 5000
