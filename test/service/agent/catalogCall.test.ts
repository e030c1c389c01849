import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { CatalogCall } from "#contract/Exchange"
import { AgentStore } from "#service/agent/AgentStore"
import { catalogCall } from "#service/agent/catalogCall"
import { Catalog } from "#service/Catalog"
import type { Provider } from "#service/Provider"
import { behindPort } from "../databases.ts"
import { stores } from "../serviceParts.ts"
import { gazetteer, servedGazetteer, withTerms } from "./gazetteer.ts"

const own = (capability: string, options: NonNullable<CatalogCall["options"]>): CatalogCall => ({
  provider: "millrace",
  capability,
  options
})
const origin = "http://127.0.0.1:3002"
const show = own("terms/show", { provider: "sample-gazetteer" })
const lookup: CatalogCall = {
  provider: "sample-gazetteer",
  capability: "countries/lookup",
  options: { query: "capital of Iceland" }
}

behindPort("a call of the catalog", (database) => {
  /** What each call gives, in their order, or the name and the message of its error. */
  const calls = Effect.fnUntraced(function* (...made: ReadonlyArray<CatalogCall | ((shown: any) => CatalogCall)>) {
    const run = Effect.gen(function* () {
      const said: Array<any> = []
      for (const call of made) {
        const result = yield* Effect.result(
          catalogCall("team", typeof call === "function" ? call(said[0].data) : call, origin)
        )
        said.push(result._tag === "Success" ? result.success : result.failure)
      }
      return said
    })
    const { provider } = yield* servedGazetteer()
    return yield* run.pipe(Effect.provide([stores(yield* database.fresh), Catalog.layer([provider])]))
  })

  const accept =
    (change: object = {}) =>
    ({ digest, version }: any) =>
      own("terms/accept", { provider: "sample-gazetteer", version, digest, confirmed: true, ...change })

  it.effect("shows terms, takes their acceptance, and is answered from then on, for what it costs", () =>
    Effect.gen(function* () {
      const [before, refused, accepted, again, after, found] = yield* calls(
        show,
        lookup,
        accept(),
        accept(),
        show,
        lookup
      )

      expect(before.data).toMatchObject({
        provider: "sample-gazetteer",
        version: "1",
        accepted: false,
        url: `${origin}/terms/sample-gazetteer`
      })
      expect([refused._tag, refused.code]).toEqual(["Forbidden", "TERMS_REQUIRED"])
      expect([accepted.data.accepted, again.data.accepted, after.data.accepted]).toEqual([true, true, true])
      expect([accepted.creditsCost, found.creditsCost]).toEqual([0, 2])
      expect(found.data.records).toMatchObject([{ country: "Iceland", capital: "Reykjavik" }])
    })
  )

  it.effect("accepts nothing that a person has not confirmed, nor other terms than those that are", () =>
    Effect.gen(function* () {
      const [, ...said] = yield* calls(
        show,
        accept({ confirmed: false }),
        accept({ confirmed: "true" }),
        accept({ digest: null }),
        accept({ version: "2" }),
        lookup
      )

      expect(said.map(({ _tag }) => _tag)).toEqual(["BadRequest", "BadRequest", "Conflict", "Conflict", "Forbidden"])
    })
  )

  it.effect("of nobody and of nothing that is there is 404", () =>
    Effect.gen(function* () {
      const said = yield* calls(
        own("terms/show", {}),
        own("terms/show", { provider: 7 }),
        own("terms/burn", { provider: "sample-gazetteer" }),
        { provider: "nobody", capability: "x" },
        { provider: "sample-gazetteer", capability: "terms/show" },
        { provider: "__proto__", capability: "x" },
        own("find-tools", { query: "countries" })
      )

      expect(said.map(({ _tag }) => _tag)).toEqual(Array(7).fill("NotFound"))
      expect(said[6].message).toBe('the catalog has no capability "find-tools"; it has terms/show and terms/accept')
      expect(said[3].message).toBe('the catalog has no provider "nobody"; it has sample-gazetteer')
    })
  )

  it.effect("of a catalog that has no providers is 404 and says so", () =>
    Effect.gen(function* () {
      const said = yield* Effect.flip(catalogCall("team", show, origin)).pipe(
        Effect.provide([stores(yield* database.fresh), Catalog.layer()])
      )

      expect(said).toMatchObject({
        _tag: "NotFound",
        message: 'the catalog has no provider "sample-gazetteer"; it has none'
      })
    })
  )

  it.effect("asks a provider no more whose terms have changed, be it under the same version", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { asked, provider } = yield* servedGazetteer()
      const said = Effect.fnUntraced(function* (terms: Provider["terms"], ...made: ReadonlyArray<CatalogCall>) {
        return yield* Effect.forEach(made, (call) => Effect.result(catalogCall("team", call, origin))).pipe(
          Effect.provide([stores(place), Catalog.layer([{ ...provider, terms }])])
        )
      })
      const { digest, version } = provider.terms
      const accepted = own("terms/accept", { provider: provider.id, version, digest, confirmed: true })
      const before = yield* said(provider.terms, accepted, lookup)
      const after = yield* said(withTerms("pay twice").terms, lookup, accepted, show)

      expect(before.map(({ _tag }) => _tag)).toEqual(["Success", "Success"])
      expect(after).toMatchObject([
        { failure: { _tag: "Forbidden", code: "TERMS_REQUIRED" } },
        { failure: { _tag: "Conflict" } },
        { success: { data: { accepted: false, text: "pay twice" } } }
      ])
      expect(asked).toHaveLength(1)
    })
  )

  it.effect("does not count what was accepted before digests were a part of it", () =>
    Effect.gen(function* () {
      const said = yield* Effect.gen(function* () {
        yield* (yield* AgentStore).accept("team", "sample-gazetteer@1")
        return yield* Effect.flip(catalogCall("team", lookup, origin))
      }).pipe(Effect.provide([stores(yield* database.fresh), Catalog.layer([gazetteer])]))

      expect(said).toMatchObject({ _tag: "Forbidden", code: "TERMS_REQUIRED" })
    })
  )
})
