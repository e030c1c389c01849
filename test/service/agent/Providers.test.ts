import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { AgentRequest } from "#contract/Agent"
import type { ExchangeRequest } from "#contract/Exchange"
import * as AgentPlan from "#service/agent/AgentPlan"
import { AgentStore } from "#service/agent/AgentStore"
import * as Providers from "#service/agent/Providers"
import { Catalog } from "#service/Catalog"
import { termsKey } from "#service/Provider"
import { behindPort } from "../databases.ts"
import { stores } from "../serviceParts.ts"
import { gazetteer } from "./gazetteer.ts"

const prompt = "capital and currency of each country"

behindPort("the providers of a run", (database) => {
  /** Who may be asked, who may not, and what is said of it. */
  const chosen = Effect.fnUntraced(function* (exchange: ExchangeRequest, isAccepted: boolean, words = prompt) {
    const request: AgentRequest = { prompt: words, exchange }
    return yield* Effect.gen(function* () {
      if (isAccepted) yield* (yield* AgentStore).accept("team", termsKey(gazetteer))
      const plan = yield* AgentPlan.ofRequest(request, [])
      const choice = yield* Providers.choose("team", plan)
      const summary = Providers.summarize(plan, choice, { calls: 0, credits: 0 })
      return { choice, summary, names: [choice.usable, choice.gated, choice.unapproved].map((some) => some.length) }
    }).pipe(Effect.provide([stores(yield* database.fresh), Catalog.layer([gazetteer])]))
  })

  it.effect("are asked where their terms are accepted, and else listed as skipped", () =>
    Effect.gen(function* () {
      const open = yield* chosen({}, true)
      const gated = yield* chosen({}, false)

      expect([open.names, gated.names]).toEqual([
        [1, 0, 0],
        [0, 1, 0]
      ])
      expect(open.summary).toEqual({
        exchange: {
          enabled: true,
          requireApproval: false,
          onTermsRequired: "skip",
          paidCalls: 0,
          creditsUsed: null,
          skippedProviders: []
        }
      })
      expect(gated.summary.exchange.skippedProviders).toHaveLength(1)
      expect(gated.summary).not.toHaveProperty("pendingApproval")
    })
  )

  it.effect("are offered in ask mode, by one id wherever it stands, with the digest of their terms", () =>
    Effect.gen(function* () {
      const { summary } = yield* chosen({ onTermsRequired: "ask" }, false)
      const { exchange, pendingApproval } = summary

      expect(pendingApproval).toMatchObject({ kind: "terms", calls: [], resolution: null })
      expect(exchange.requiresAction?.approvalId).toBe(pendingApproval?.id)
      expect(exchange.requiresAction?.providers[0]?.digest).toBe(pendingApproval?.terms[0]?.digest)
      expect(exchange.requiresAction?.providers[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    })
  )

  it.effect("wait for approval where each call is to be approved", () =>
    Effect.gen(function* () {
      const { names, summary } = yield* chosen({ requireApproval: true }, true)

      expect(names).toEqual([0, 0, 1])
      expect(summary.pendingApproval).toMatchObject({
        kind: "calls",
        terms: [],
        calls: [
          { provider: "sample-gazetteer", capability: "countries/lookup", creditsEstimate: 2, input: { query: prompt } }
        ]
      })
    })
  )

  it.effect("are none where none helps, none is wanted, others are named or no call is left", () =>
    Effect.gen(function* () {
      const nobody = yield* Effect.all([
        chosen({}, true, "all lamps"),
        chosen({ enabled: false }, true),
        chosen({ toolkits: ["another"] }, true),
        chosen({ maxCalls: 0 }, true)
      ])

      expect(nobody.map(({ names }) => names[0])).toEqual([0, 0, 0, 0])
    })
  )
})
