import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { ScrapeStore, type Snapshot } from "#web/ScrapeStore"
import * as ChangeTracking from "#web/scrape/ChangeTracking"
import { origin, postJson, service } from "../../service/scrapePage.ts"
import { scriptedSite } from "../../service/scriptedSite.ts"

interface State {
  readonly html: string
  readonly status?: number
  /** Options of this scrape, beside those of all. */
  readonly also?: object
}

/** Scrapes a page in these states, one after the other, an hour apart: what is said of each change. */
const watch = (format: string | object, ...states: ReadonlyArray<State>) =>
  Effect.scoped(
    Effect.gen(function* () {
      let state: State = { html: "" }
      const site = yield* scriptedSite({
        "/": (_, response) => {
          response.writeHead(state.status ?? 200, { "content-type": "text/html" })
          response.end(`<html><body><main>${state.html}</main></body></html>`)
        }
      })
      return yield* Effect.forEach(states, (next) =>
        Effect.gen(function* () {
          state = next
          const { body } = yield* postJson("/v2/scrape", { url: `${origin}/`, formats: [format], ...next.also })
          yield* TestClock.adjust("1 hour")
          return body.data
        })
      ).pipe(Effect.provide(service(site.port)))
    })
  )

/** What is said of texts that a finder of some version found, one after the other; a pair of a version and a text each. */
const statusesOf = (...texts: ReadonlyArray<readonly [contentVersion: number | undefined, markdown: string]>) =>
  Effect.suspend(() => {
    let kept = Option.none<Snapshot>()
    const store = Layer.mock(ScrapeStore, {
      snapshot: () => Effect.succeed(kept),
      remember: (_, state) => Effect.sync(() => void (kept = Option.some({ ...state, scrapedAt: 0 })))
    })
    const watched = { teamId: "team", tag: "", pageKey: "page" }
    return Effect.forEach(texts, ([contentVersion, markdown]) =>
      ChangeTracking.track(watched, { status: 200, markdown, contentVersion, json: undefined }, true)
    ).pipe(
      Effect.map((told) => told.map(({ changeTracking }) => changeTracking?.changeStatus)),
      Effect.provide(store)
    )
  })

describe("change tracking", () => {
  it.effect("takes what a newer finder has found for the same page, and compares with it from then on", () =>
    Effect.gen(function* () {
      const told = yield* statusesOf([undefined, "a"], [1, "b"], [2, "c"], [2, "c"], [2, "d"], [undefined, "e"])

      expect(told).toEqual(["new", "same", "same", "same", "changed", "changed"])
    })
  )

  it.effect("says new, same, changed and removed, and when the page was seen before", () =>
    Effect.gen(function* () {
      const seen = yield* watch(
        "changeTracking",
        { html: "<p>One</p>" },
        { html: "<div>  <p>One</p>\n\n</div>" },
        { html: "<p>Two</p>" },
        { html: "gone", status: 404 }
      )

      expect(seen.map(({ changeTracking }) => changeTracking)).toEqual([
        { previousScrapeAt: null, changeStatus: "new", visibility: "visible" },
        { previousScrapeAt: "1970-01-01T00:00:00.000Z", changeStatus: "same", visibility: "visible" },
        { previousScrapeAt: "1970-01-01T01:00:00.000Z", changeStatus: "changed", visibility: "visible" },
        { previousScrapeAt: "1970-01-01T02:00:00.000Z", changeStatus: "removed", visibility: "hidden" }
      ])
      expect(seen[0]?.markdown).toBe("One")
    })
  )

  it.effect("gives the difference as git does, as text and as lines with their numbers", () =>
    Effect.gen(function* () {
      const [, changed] = yield* watch(
        { type: "changeTracking", modes: ["git-diff"] },
        { html: "<p>One</p><p>Two</p><p>Three</p>" },
        { html: "<p>One</p><p>2</p><p>Three</p>" }
      )

      expect(changed.changeTracking.diff.text).toBe(
        "--- previous\n+++ current\n@@ -1,5 +1,5 @@\n One\n \n-Two\n+2\n \n Three\n"
      )
      expect(changed.changeTracking.diff.json.files).toEqual([
        {
          from: "previous",
          to: "current",
          chunks: [
            {
              content: "@@ -1,5 +1,5 @@",
              changes: [
                { type: "normal", normal: true, ln1: 1, ln2: 1, content: " One" },
                { type: "normal", normal: true, ln1: 2, ln2: 2, content: " " },
                { type: "del", ln: 3, content: "-Two" },
                { type: "add", ln: 3, content: "+2" },
                { type: "normal", normal: true, ln1: 4, ln2: 4, content: " " },
                { type: "normal", normal: true, ln1: 5, ln2: 5, content: " Three" }
              ]
            }
          ]
        }
      ])
    })
  )

  it.effect("gives the fields that changed, by their dotted names, at the price of data", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        properties: { name: { type: "string" }, offer: { type: "object", properties: { price: { type: "number" } } } }
      }
      const lamp = (price: number) =>
        `<script type="application/ld+json">{"@type":"Product","name":"Lamp","offer":{"price":${price}}}</script><p>Lamp</p>`
      const [first, second] = yield* watch(
        { type: "changeTracking", modes: ["json"], schema },
        { html: lamp(5) },
        { html: lamp(6) }
      )

      expect(first.changeTracking.json).toBe(undefined)
      expect(second.changeTracking).toMatchObject({
        changeStatus: "same",
        json: { "offer.price": { previous: 5, current: 6 } },
        sources: { "/offer/price": [{ kind: "json-ld", path: "Product/offer/price", certainty: "high" }] }
      })
      expect(second.metadata.creditsUsed).toBe(5)
    })
  )

  it.effect("keeps a history for each tag", () =>
    Effect.gen(function* () {
      const tagged = { also: { formats: [{ type: "changeTracking", tag: "weekly" }] } }
      const seen = yield* watch("changeTracking", { html: "a" }, { html: "a", ...tagged }, { html: "b", ...tagged })

      expect(seen.map(({ changeTracking }) => changeTracking.changeStatus)).toEqual(["new", "new", "changed"])
    })
  )

  it.effect("does not take a site that fails for a page that changed", () =>
    Effect.gen(function* () {
      const [, failing, after] = yield* watch(
        "changeTracking",
        { html: "a" },
        { html: "try later", status: 500 },
        { html: "a" }
      )

      expect(failing.changeTracking).toBe(undefined)
      expect(failing.warning).toContain("the site answers 500: changes were not determined")
      expect(after.changeTracking.changeStatus).toBe("same")
    })
  )

  it.effect("gives up on a difference that would take too long, and still says changed", () =>
    Effect.gen(function* () {
      const lines = (prefix: string) => Array.from({ length: 6000 }, (_, i) => `<p>${prefix} ${i}</p>`).join("")
      const [, changed] = yield* watch(
        { type: "changeTracking", modes: ["git-diff"] },
        { html: lines("a") },
        { html: lines("b") }
      )

      expect(changed.changeTracking).toMatchObject({ changeStatus: "changed" })
      expect(changed.changeTracking.diff).toBe(undefined)
      expect(changed.warning).toContain("changed too much to be compared")
    })
  )
})
