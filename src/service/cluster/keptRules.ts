/**
 * robots.txt of the hosts that live in this process, asked for once an hour for the jobs of all processes.
 *
 * Each process keeps the rules that it has read for an hour too (`SiteRules`), so rules are two hours old at most.
 */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PoliteFetch } from "../../crawler/politeness/PoliteFetch.ts"
import { fetchOptions } from "../../crawler/politeness/SiteRules.ts"

/** The same exchanges, of which those for rules are kept. */
export const make = Effect.fnUntraced(function* (polite: PoliteFetch["Service"]) {
  const rules = yield* Cache.makeWith((href: string) => polite.get(new URL(href), fetchOptions, 0), {
    capacity: 2000,
    timeToLive: (exit) => (Exit.isSuccess(exit) && isKept(exit.value) ? "1 hour" : 0)
  })
  const kept: PoliteFetch["Service"] = {
    get: (url, options, delayMillis) =>
      url.pathname === "/robots.txt" &&
      options.maxBytes === fetchOptions.maxBytes &&
      options.headers === undefined &&
      options.skipTlsVerification !== true
        ? Cache.get(rules, url.href)
        : polite.get(url, options, delayMillis)
  }
  return kept
})

/** A host that is in trouble is asked again, and who writes so many rules has few readers. */
const isKept = ({ body, status }: { readonly body: Uint8Array; readonly status: number }): boolean =>
  status < 500 && status !== 429 && body.length <= 64 * 1024
