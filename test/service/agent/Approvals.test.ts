import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { served } from "../served.ts"
import { json, servedGazetteer } from "./gazetteer.ts"
import { lampSchema, origin, type Shop, shop } from "./shop.ts"

const prompt = "capital and currency of each country"
const schema = {
  type: "object",
  properties: {
    countries: {
      type: "array",
      items: { type: "object", properties: { country: { type: "string" }, capital: { type: "string" } } }
    }
  }
}
const urls = [`${origin}/lamps/ash`]

const turn = Effect.fnUntraced(function* ({ ended, start }: Shop, body: object) {
  return yield* ended(`/v2/agent/${yield* start({ prompt, schema, urls, ...body })}`)
})

const accept = ({ service }: Shop, run: any) =>
  service.ask("POST", "/v2/scrape", { body: { catalog: run.exchange.requiresAction.providers[0].accept } })

/** The specification's table of terms approvals (States and transitions), row by row, and its rules beside. */
describe("a terms approval", () => {
  it.live("is not asked for where terms are to be skipped: the provider is listed, and not called", () =>
    Effect.gen(function* () {
      const run = yield* turn(yield* shop(), {})

      expect(run).toMatchObject({
        status: "completed",
        exchange: {
          enabled: true,
          onTermsRequired: "skip",
          paidCalls: 0,
          creditsUsed: null,
          skippedProviders: [
            {
              provider: "sample-gazetteer",
              name: "Sample Gazetteer",
              capability: "countries/lookup",
              reason: "terms_required",
              version: "1",
              termsUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/terms\/sample-gazetteer$/),
              adds: expect.any(String)
            }
          ]
        }
      })
      expect(run.exchange).not.toHaveProperty("requiresAction")
      expect(run).not.toHaveProperty("pendingApproval")
    })
  )

  it.live("is pending after a run that was told to ask, with calls that are ready to be made", () =>
    Effect.gen(function* () {
      const { pendingApproval: pending, exchange } = yield* turn(yield* shop(), {
        exchange: { onTermsRequired: "ask" }
      })
      const [provider] = exchange.requiresAction.providers

      expect(pending).toMatchObject({ kind: "terms", calls: [], resolution: null })
      expect(exchange.requiresAction).toMatchObject({ type: "accept_terms", approvalId: pending.id })
      expect(provider.show).toEqual({
        provider: "firecrawl",
        capability: "terms/show",
        options: { provider: "sample-gazetteer" }
      })
      expect(provider.accept.options).toEqual({
        provider: "sample-gazetteer",
        version: "1",
        digest: provider.digest,
        confirmed: true
      })
    })
  )

  it.live("is resolved by approving, once the terms are accepted, and the turn has what was missing", () =>
    Effect.gen(function* () {
      const there = yield* shop()
      const first = yield* turn(there, { exchange: { onTermsRequired: "ask" } })
      const approve = {
        prompt: "go on",
        threadId: first.threadId,
        exchange: { approve: { approvalId: first.pendingApproval.id, callIds: ["ignored"], always: true } }
      }
      const early = yield* there.service.ask("POST", "/v2/agent", { body: approve })
      const accepted = yield* accept(there, first)
      const second = yield* turn(there, approve)
      const again = yield* there.service.ask("POST", "/v2/agent", { body: approve })
      const before = yield* there.service.ask("GET", `/v2/agent/${first.id}`)

      expect([early.status, accepted.status, again.status]).toEqual([409, 200, 409])
      expect(second.data.countries).toContainEqual({ country: "Iceland", capital: "Reykjavik" })
      expect(second.exchange).toMatchObject({
        onTermsRequired: "ask",
        paidCalls: 1,
        creditsUsed: 2,
        skippedProviders: []
      })
      expect(second).not.toHaveProperty("pendingApproval")
      expect(before.body.pendingApproval.resolution).toEqual({
        approved: true,
        callIds: [],
        always: false,
        byRunId: second.id
      })
    })
  )

  it.live("that is declined is not offered again for the rest of the thread", () =>
    Effect.gen(function* () {
      const there = yield* shop()
      const first = yield* turn(there, { exchange: { onTermsRequired: "ask" } })
      const { threadId } = first
      const second = yield* turn(there, { threadId, exchange: { decline: { approvalId: first.pendingApproval.id } } })
      const third = yield* turn(there, { threadId })
      const elsewhere = yield* turn(there, { exchange: { onTermsRequired: "ask" } })

      for (const run of [second, third]) {
        expect(run).not.toHaveProperty("pendingApproval")
        expect(run.exchange.skippedProviders).toEqual([])
      }
      expect(elsewhere.pendingApproval.kind).toBe("terms")
    })
  )

  it.live("asks for the paid calls too, where each is to be approved", () =>
    Effect.gen(function* () {
      const there = yield* shop()
      yield* accept(there, yield* turn(there, { exchange: { onTermsRequired: "ask" } }))
      const first = yield* turn(there, { exchange: { requireApproval: true } })
      const { id, calls } = first.pendingApproval
      const second = yield* turn(there, {
        threadId: first.threadId,
        exchange: { approve: { approvalId: id, callIds: [calls[0].id] } }
      })

      expect(first.pendingApproval).toMatchObject({
        kind: "calls",
        calls: [{ provider: "sample-gazetteer", capability: "countries/lookup", creditsEstimate: 2 }],
        terms: []
      })
      expect(first.exchange.paidCalls).toBe(0)
      expect(second.exchange.paidCalls).toBe(1)
    })
  )

  it.live("calls none of the paid calls that it does not name, and none beyond maxCalls", () =>
    Effect.gen(function* () {
      const { asked, provider } = yield* servedGazetteer()
      const there = yield* shop({ providers: [provider] })
      yield* accept(there, yield* turn(there, { exchange: { onTermsRequired: "ask" } }))
      const first = yield* turn(there, { exchange: { requireApproval: true } })
      const approve = { approvalId: first.pendingApproval.id, callIds: [] }
      const none = yield* turn(there, { threadId: first.threadId, exchange: { approve } })
      const limited = yield* turn(there, { exchange: { maxCalls: 0 } })

      expect([none, limited].map(({ exchange }) => exchange.paidCalls)).toEqual([0, 0])
      expect(asked).toEqual([])
      expect((yield* turn(there, {})).exchange.paidCalls).toBe(1)
      expect(asked).toHaveLength(1)
    })
  )

  it.live("is not there where no provider helps, or where none is wanted", () =>
    Effect.gen(function* () {
      const there = yield* shop()
      const other = yield* turn(there, { prompt: "the lamp", schema: lampSchema, exchange: { onTermsRequired: "ask" } })
      const none = yield* turn(there, { exchange: { onTermsRequired: "ask", enabled: false } })

      expect(other.exchange.skippedProviders).toEqual([])
      expect(none.exchange).toMatchObject({ enabled: false, skippedProviders: [] })
      expect([other, none].some((run) => "pendingApproval" in run)).toBe(false)
    })
  )

  it.live("of nobody is 404, and both answers at once are 400", () =>
    Effect.gen(function* () {
      const there = yield* shop()
      const first = yield* turn(there, { exchange: { onTermsRequired: "ask" } })
      const approvalId = first.pendingApproval.id
      const ask = (exchange: object) =>
        Effect.map(
          there.service.ask("POST", "/v2/agent", { body: { prompt, threadId: first.threadId, exchange } }),
          ({ status }) => status
        )

      expect(yield* ask({ approve: { approvalId: "x" } })).toBe(404)
      expect(yield* ask({ approve: { approvalId }, decline: { approvalId } })).toBe(400)
    })
  )
})

describe("a provider that gives no records", () => {
  it.live("costs nothing, and the run goes on without it and tells why", () =>
    Effect.gen(function* () {
      const { provider } = yield* servedGazetteer((_request, response) => json(response, { records: "none" }))
      const there = yield* shop({ providers: [provider] })
      yield* accept(there, yield* turn(there, { exchange: { onTermsRequired: "ask" } }))
      const run = yield* turn(there, {})
      const trace = yield* there.service.ask("GET", `/v2/agent/${run.id}/trace`)
      const errors = trace.body.events.filter(({ type }: any) => type === "error.occurred")

      expect(run.status).toBe("completed")
      expect(run.exchange).toMatchObject({ paidCalls: 0, creditsUsed: null, skippedProviders: [] })
      expect(run.creditsUsed).toBe(1)
      expect(errors).toMatchObject([
        {
          error: { source: "tool", message: expect.stringContaining("Sample Gazetteer (sample-gazetteer) gave no rec") }
        }
      ])
    })
  )
})

describe("a call of the catalog", () => {
  it.live("accepts terms only as they were shown, and only where a person has confirmed them", () =>
    Effect.gen(function* () {
      const { service } = yield* shop()
      const call = (capability: string, options: object) =>
        service.ask("POST", "/v2/scrape", { body: { catalog: { provider: "firecrawl", capability, options } } })
      const provider = "sample-gazetteer"
      const shown = (yield* call("terms/show", { provider })).body.data.catalog.data
      const { digest, version } = shown
      const lookup = { catalog: { provider, capability: "countries/lookup", options: { query: "capital of Peru" } } }
      const gated = yield* service.ask("POST", "/v2/scrape", { body: lookup })

      expect(shown).toMatchObject({ accepted: false, text: expect.stringContaining("Sample Gazetteer") })
      expect((yield* call("terms/accept", { provider, version, digest })).status).toBe(400)
      expect((yield* call("terms/accept", { provider, version, digest: "x", confirmed: true })).status).toBe(409)
      expect((yield* call("terms/accept", { provider: "x", version, digest, confirmed: true })).status).toBe(404)
      expect([gated.status, gated.body.code]).toEqual([403, "TERMS_REQUIRED"])
      expect((yield* call("terms/accept", { provider, version, digest, confirmed: true })).status).toBe(200)
      expect((yield* service.ask("POST", "/v2/scrape", { body: lookup })).body.data).toMatchObject({
        creditsCost: 2,
        catalog: { data: { records: [{ country: "Peru", capital: "Lima" }] } }
      })
    })
  )

  it.live("that a provider does not answer is 502 or 504, names it, and costs nothing", () =>
    Effect.gen(function* () {
      const broken = yield* servedGazetteer((_request, response) => json(response, "<h1>oops</h1>", 500))
      const silent = yield* servedGazetteer(() => {})
      const quick = { ...silent.provider, id: "silent", name: "Silent", timeoutMillis: 50 }
      const key = { key: Redacted.make("fc-a"), teamId: "a" }
      const service = yield* served({ providers: [broken.provider, quick], keys: [key] })
      const headers = { authorization: "Bearer fc-a" }
      const call = (provider: string, capability: string, options: object = {}) =>
        service.ask("POST", "/v2/scrape", { headers, body: { catalog: { provider, capability, options } } })
      for (const { id, terms } of [broken.provider, quick]) {
        const { digest, version } = terms
        yield* call("millrace", "terms/accept", { provider: id, version, digest, confirmed: true })
      }
      const failed = yield* call("sample-gazetteer", "countries/lookup", { query: "Peru" })
      const late = yield* call("silent", "countries/lookup", { query: "Peru", depth: 2 })
      const alexandria = [{ provider: "silent", capability: "countries/lookup" }]
      const among = yield* service.ask("POST", "/v2/scrape", { headers, body: { alexandria } })
      const usage = yield* service.ask("GET", "/v2/team/credit-usage", { headers })

      expect([failed.status, failed.body.code, late.status, late.body.code]).toEqual([
        502,
        "PROVIDER_FAILED",
        504,
        "PROVIDER_TIMEOUT"
      ])
      expect(failed.body.error).toBe(
        "Bad Gateway: the data provider Sample Gazetteer (sample-gazetteer) gave no records: it answered with status 500; nothing was charged"
      )
      expect(silent.asked[0]?.body).toEqual({
        capability: "countries/lookup",
        query: "Peru",
        options: { depth: 2 }
      })
      expect(among.body.data).toMatchObject({ creditsCost: 0, alexandria: [{ data: null, error: { status: 504 } }] })
      expect(usage.body.data.remainingCredits).toBe(usage.body.data.planCredits)
    })
  )

  it.live("of several that public clients send together says each its own", () =>
    Effect.gen(function* () {
      const { service } = yield* shop()
      const { body, status } = yield* service.ask("POST", "/v2/scrape", {
        body: {
          alexandria: [
            { provider: "firecrawl", capability: "terms/show", options: { provider: "sample-gazetteer" } },
            { provider: "nobody", capability: "x" }
          ]
        }
      })

      expect([status, body.success, body.data.creditsCost]).toEqual([200, true, 0])
      expect(body.data.alexandria[1]).toMatchObject({ provider: "nobody", error: { status: 404 } })
    })
  )
})
