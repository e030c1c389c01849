/** Data providers as an agent and a person use them together: the official client over HTTP, and the page of terms beside it. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import type { Provider } from "#service/Provider"
import type { ServiceConfig } from "#service/ServiceConfig"
import { servedGazetteer, withTerms } from "../agent/gazetteer.ts"
import { behindPort } from "../databases.ts"
import { type Agent, overHttp } from "../mcp/clients.ts"
import { page, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

const first = {
  prompt: "capital and currency of each country",
  schema: {
    type: "object",
    properties: {
      countries: {
        type: "array",
        items: { type: "object", properties: { country: { type: "string" }, capital: { type: "string" } } }
      }
    }
  },
  urls: ["http://site.test/"],
  wait: 30
}

/** A turn of a thread, as the agent sees its end; undefined: it was refused. */
const turn = async ({ tell }: Agent, given: object) => {
  const { isError, texts } = await tell("firecrawl_agent", { ...first, ...given })
  const [text = ""] = texts
  return isError ? { refused: text } : { ...JSON.parse(text), refused: undefined }
}

/** What a person does who has read the terms at the address that the agent was given. */
const accept = async (url: string, { terms: { digest, version } }: Provider) => {
  const body = new URLSearchParams({ key: "fc-a", version, digest, confirmed: "yes" })
  return (await fetch(url, { method: "POST", body })).status
}

behindPort("an agent with a data provider", (database) => {
  /** The service over this database until `use` is done, and an agent that is connected to it. */
  const during = (at: ServiceConfig["database"], provider: Provider, use: (agent: Agent) => Promise<void>) =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("Countries") })
      const keys = [{ key: Redacted.make("fc-a"), teamId: "a" }]
      const { url } = yield* served({ database: at, providers: [provider], keys, resolve: hosts(site.port) })
      yield* Effect.promise(() => overHttp(url, "fc-a", use))
    }).pipe(Effect.scoped)

  it.live(
    "is shown an address of terms that leads to the page, and accepts none by itself, whatever it calls always",
    () =>
      Effect.gen(function* () {
        const { asked, provider } = yield* servedGazetteer()
        yield* during(yield* database.fresh, provider, async (agent) => {
          const { pendingApproval, threadId } = await turn(agent, { exchange: { onTermsRequired: "ask" } })
          const [offered] = pendingApproval.terms
          const approve = { approvalId: pendingApproval.id, always: true }
          const early = await turn(agent, { threadId, exchange: { approve } })
          const shown = await fetch(offered.url)

          expect(early.refused).toContain("the terms of sample-gazetteer are not accepted yet")
          expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("A person has to agree")])
          expect(asked).toEqual([])

          expect(await accept(offered.url, provider)).toBe(200)
          const second = await turn(agent, { threadId, exchange: { approve } })
          const elsewhere = await turn(agent, { exchange: { requireApproval: true } })

          expect(second.data.countries[0]).toEqual({ country: "Austria", capital: "Vienna" })
          expect(second.exchange.paidCalls).toBe(1)
          // `always` was said of terms, which does not approve calls.
          expect([elsewhere.exchange.paidCalls, elsewhere.pendingApproval.kind]).toEqual([0, "calls"])
          expect(asked).toHaveLength(1)
        })
      })
  )

  it.live("asks a provider turn after turn once its calls are approved for always, in this thread alone", () =>
    Effect.gen(function* () {
      const { asked, provider } = yield* servedGazetteer()
      yield* during(yield* database.fresh, provider, async (agent) => {
        const offer = await turn(agent, { exchange: { onTermsRequired: "ask" } })
        await accept(offer.pendingApproval.terms[0].url, provider)
        const exchange = { requireApproval: true }
        const [once, often] = [await turn(agent, { exchange }), await turn(agent, { exchange })]
        const approved = async (run: typeof once, always: boolean) => {
          const approve = { approvalId: run.pendingApproval.id, always }
          const now = await turn(agent, { threadId: run.threadId, exchange: { approve } })
          const later = await turn(agent, { threadId: run.threadId })
          return [now, later].map(({ exchange, pendingApproval }) => [exchange.paidCalls, pendingApproval?.kind])
        }

        expect(await approved(once, false)).toEqual([
          [1, undefined],
          [0, "calls"]
        ])
        expect(await approved(often, true)).toEqual([
          [1, undefined],
          [1, undefined]
        ])
        expect(asked).toHaveLength(3)
      })
    })
  )

  it.live("is offered terms anew that have changed while an offer was pending, though the older were accepted", () =>
    Effect.gen(function* () {
      const at = yield* database.fresh
      const { asked, provider } = yield* servedGazetteer()
      const changed = { ...provider, terms: withTerms("Terms of the Sample Gazetteer: calls are recorded.").terms }
      let pending: { readonly threadId: string; readonly approve: object } | undefined
      yield* during(at, provider, async (agent) => {
        const { pendingApproval, threadId } = await turn(agent, { exchange: { onTermsRequired: "ask" } })
        pending = { threadId, approve: { approvalId: pendingApproval.id } }
        expect(await accept(pendingApproval.terms[0].url, provider)).toBe(200)
      })
      // The operator starts the service again, with other terms under the same version.
      yield* during(at, changed, async (agent) => {
        const { approve, threadId } = pending ?? {}
        const refused = await turn(agent, { threadId, exchange: { approve } })
        const anew = await turn(agent, { threadId })
        const [offered] = anew.pendingApproval.terms

        expect(refused.refused).toContain("the terms of sample-gazetteer are not accepted yet")
        expect(offered).toMatchObject({ version: "1", digest: changed.terms.digest })
        expect(await accept(offered.url, provider)).toBe(409)
        expect(asked).toEqual([])

        expect(await accept(offered.url, changed)).toBe(200)
        const exchange = { approve: { approvalId: anew.pendingApproval.id } }
        expect((await turn(agent, { threadId, exchange })).exchange.paidCalls).toBe(1)
        expect(asked).toHaveLength(1)
      })
    })
  )
})
