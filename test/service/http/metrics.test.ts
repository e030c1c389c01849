import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { receiver } from "../receiver.ts"
import { page, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

const text = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/metrics`, { headers })
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() }
  })

const team = { authorization: "Bearer fc-team" }
const keys = [{ key: Redacted.make("fc-team"), teamId: "team" }]

it.live("tells jobs, pages, credits and deliveries over all teams, in the words of Prometheus", () =>
  Effect.gen(function* () {
    const hook = yield* receiver()
    const { port } = yield* scriptedSite({ "/": page("home", "/a"), "/a": page("a"), "/hook": hook.answer })
    const service = yield* served({ keys, resolve: hosts(port) })
    const before = yield* text(service.url)
    yield* service.ask("POST", "/v2/crawl", {
      headers: team,
      body: { url: "http://site.test/", sitemap: "skip", webhook: { url: "http://site.test/hook" } }
    })
    yield* hook.untilEnd
    let after = yield* text(service.url)
    // The last delivery is written down once its answer has come.
    while (after.text.includes('deliveries{state="pending"} 1')) after = yield* text(service.url)

    expect([before.status, before.type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    expect(before.text).toContain('millrace_service_jobs{kind="crawl",status="completed"} 0')
    expect(after.text).toContain('millrace_service_jobs{kind="crawl",status="completed"} 1')
    expect(after.text).toContain('millrace_service_pages{state="scraped"} 2')
    expect(after.text).toContain("millrace_service_credits_used 2")
    expect(after.text).toContain('millrace_service_webhook_deliveries{state="delivered"} 4')
    expect(after.text).toContain("millrace_service_oldest_job_seconds 0")
    expect(after.text).not.toContain("site.test")
  })
)

it.live("is for the operator alone: no key of a team opens it to who calls through a proxy", () =>
  Effect.gen(function* () {
    const service = yield* served({ keys, operatorKey: Redacted.make("operator-1") })
    const open = yield* served({ operatorKey: Redacted.make("") })
    const statuses = yield* Effect.forEach(
      [
        [service.url, {}],
        [service.url, { "x-forwarded-for": "203.0.113.9" }],
        [service.url, { forwarded: "for=203.0.113.9", ...team }],
        [service.url, { "x-forwarded-for": "203.0.113.9", authorization: "Bearer operator-2" }],
        [service.url, { "x-forwarded-for": "203.0.113.9", authorization: "Bearer operator-1" }],
        [open.url, { "x-forwarded-for": "203.0.113.9" }],
        [open.url, { "x-forwarded-for": "203.0.113.9", authorization: "Bearer " }]
      ] as const,
      ([url, headers]) => Effect.map(text(url, headers), ({ status }) => status)
    )

    expect(statuses).toEqual([200, 403, 403, 403, 200, 403, 403])
  })
)
