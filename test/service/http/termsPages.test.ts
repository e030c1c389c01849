import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import type { Provider } from "#service/Provider"
import { gazetteer, withTerms } from "../agent/gazetteer.ts"
import { type Service, served } from "../served.ts"

const path = "/terms/sample-gazetteer"
const keys = [
  { key: Redacted.make("fc-a"), teamId: "a" },
  { key: Redacted.make("fc-b"), teamId: "b" },
  { key: Redacted.make("fc-map"), teamId: "c", plan: { ...Plan.standard, scopes: ["map"] as const } }
]

const get = ({ url }: Service, place = path) =>
  Effect.promise(async () => {
    const answer = await fetch(url + place)
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  })

const form = ({ terms }: Provider, key = "") => ({
  key,
  version: terms.version,
  digest: terms.digest,
  confirmed: "yes"
})

const send = ({ url }: Service, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(url + path, { method: "POST", body: new URLSearchParams(fields), headers })
    return { status: answer.status, html: await answer.text() }
  })

/** Whether the API says that the team has accepted the terms. */
const isAccepted = ({ ask }: Service, key?: string) =>
  Effect.map(
    ask("POST", "/v2/scrape", {
      body: { catalog: { provider: "millrace", capability: "terms/show", options: { provider: "sample-gazetteer" } } },
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
    }),
    ({ body }) => body.data.catalog.data.accepted
  )

describe("the page of terms", () => {
  it.live("shows the terms to everyone, as text, without scripts", () =>
    Effect.gen(function* () {
      const terms = withTerms('<script>alert(1)</script> & "more"')
      const service = yield* served({ providers: [{ ...terms, name: "A <b>" }], keys })
      const { headers, html, status } = yield* get(service)

      expect(status).toBe(200)
      expect(html).toContain("<pre>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</pre>")
      expect(html).toContain("<h1>Terms of A &lt;b&gt;</h1>")
      expect(html).not.toContain("<script")
      expect(headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect((yield* get(service, "/terms/nobody")).status).toBe(404)
    })
  )

  it.live("accepts for the team of the key alone, once a person has ticked the box", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [gazetteer], keys })
      const fields = form(gazetteer, "fc-a")
      const refused = yield* Effect.forEach(
        [
          { ...fields, key: "" },
          { ...fields, key: "fc-x" },
          { ...fields, confirmed: "" },
          { ...fields, key: "fc-map" }
        ],
        (some) => send(service, some)
      )
      const before = yield* isAccepted(service, "fc-a")
      const accepted = yield* send(service, fields)

      expect(refused.map(({ status }) => status)).toEqual([401, 401, 400, 403])
      expect(refused.map(({ html }) => html.includes("fc-x"))).toEqual([false, false, false, false])
      expect(accepted).toMatchObject({ status: 200, html: expect.stringContaining("accepted for your team") })
      expect([before, yield* isAccepted(service, "fc-a"), yield* isAccepted(service, "fc-b")]).toEqual([
        false,
        true,
        false
      ])
    })
  )

  it.live("accepts only what it has shown: other terms are shown anew", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [withTerms("new terms")], keys })
      const { html, status } = yield* send(service, form(gazetteer, "fc-a"))

      expect(status).toBe(409)
      expect(html).toContain("The terms have changed")
      expect(html).toContain("<pre>new terms</pre>")
      expect(yield* isAccepted(service, "fc-a")).toBe(false)
    })
  )

  it.live("takes no form that another page sends, also where no key is asked for", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [gazetteer] })
      const foreign = yield* Effect.forEach(
        [
          { origin: "null" },
          { origin: "http://127.0.0.1:1" },
          { origin: service.url, "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" }
        ],
        (headers: Record<string, string>) => send(service, form(gazetteer), headers)
      )
      const elsewhere = yield* send(service, form(gazetteer), { origin: "https://evil.example" })
      const before = yield* isAccepted(service)
      const own = yield* send(service, form(gazetteer), { origin: service.url, "sec-fetch-site": "same-origin" })

      expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect([elsewhere.status, before]).toEqual([403, false])
      expect([own.status, yield* isAccepted(service)]).toEqual([200, true])
      expect((yield* send(service, form(gazetteer), { origin: service.url.replace("http:", "https:") })).status).toBe(
        200
      )
      expect((yield* get(service)).html).not.toContain("<form")
    })
  )

  it.live("refuses a form that is too large, or none, and other methods", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [gazetteer], keys })
      const large = yield* send(service, { ...form(gazetteer, "fc-a"), more: "x".repeat(20_000) })
      const asText = yield* send(service, form(gazetteer, "fc-a"), { "content-type": "text/plain" })
      const put = yield* Effect.promise(() => fetch(service.url + path, { method: "PUT" }))

      expect([large.status, asText.status, put.status]).toEqual([413, 415, 405])
    })
  )
})
