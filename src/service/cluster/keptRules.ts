/**
 * robots.txt of the hosts that live in this process, fetched once per hour for the jobs of all processes.
 *
 * Each process also keeps the rules that it has read for an hour (`SiteRules`), so rules are at most two hours old.
 */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PoliteFetch } from "#web/PoliteFetch"
import { fetchOptions } from "#web/SiteRules"

/** The same exchanges, but answers with robots.txt are kept. */
export const over = Effect.fnUntraced(function* (polite: PoliteFetch["Service"]) {
  const rules = yield* Cache.makeWith((href: string) => polite.get(new URL(href), fetchOptions, 0), {
    capacity: 2000,
    timeToLive: (exit) => (Exit.isSuccess(exit) && isKept(exit.value) ? "1 hour" : 0)
  })
  const caching: PoliteFetch["Service"] = {
    get: (url, options, delayMillis) =>
      url.pathname === "/robots.txt" &&
      options.maxBytes === fetchOptions.maxBytes &&
      options.headers === undefined &&
      options.skipTlsVerification !== true
        ? Cache.get(rules, url.href)
        : polite.get(url, options, delayMillis)
  }
  return caching
})

/** Answers of a host in trouble are not kept, nor files over 64 kB, which are rare. */
const isKept = ({ body, status }: { readonly body: Uint8Array; readonly status: number }): boolean =>
  status < 500 && status !== 429 && body.length <= 64 * 1024
