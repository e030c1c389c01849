/** Fails if a firewall's bot check answered instead of the page. */
import * as Effect from "effect/Effect"
import { botCheck } from "#page/botCheck"
import type { Page, PageInput } from "#page/Page"
import { FetchError } from "./Fetch.ts"

export const refuseBotCheck = (
  page: Page,
  { body, contentType, status, url }: PageInput & { readonly status: number }
): Effect.Effect<void, FetchError> => {
  const whose = status < 400 ? botCheck(page, body, contentType) : undefined
  if (whose === undefined) return Effect.void
  const message = `the site sends a check for bots (${whose}) in place of the page; ask the site to let this crawler in, or send a session of yours in headers`
  return Effect.fail(new FetchError({ url, code: "SCRAPE_BOT_CHECK", message, retryable: false }))
}
