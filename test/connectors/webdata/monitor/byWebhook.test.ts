import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { inboxOf } from "#connectors/webdata/inboxOf"
import { monitor } from "#connectors/webdata/index"
import { Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"
import * as Source from "#engine/Source"
import * as SourceSuite from "#testing/SourceSuite"
import { scriptedService } from "../../../contract/client/scriptedService.ts"
import { endEvent, monitorId, pageEvent } from "../../../engine/inbox/sending.ts"
import { kept, rowsOf } from "../scriptedJobs.ts"

/** Nobody is asked. */
const service = scriptedService((what) => {
  throw new Error(`the service was asked for ${what}`)
}).layer

const filled = (bodies: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { open } = yield* InboxService
    const inbox = yield* open("Mill", ".")
    yield* inbox.accept(bodies.map((body) => ({ id: JSON.parse(body).webhookId, body })))
    return inbox
  })

const options = { monitor: "Mill", by: "webhook" as const }

const read = (from: Partial<Source.ResumePoint<unknown, unknown>> = {}, more = {}) =>
  Effect.map(
    Stream.runCollect(Source.read(monitor.with({ ...options, ...more }), from)),
    (elements): ReadonlyArray<Source.Element<unknown>> => [...elements]
  )

const stateOf = (elements: ReadonlyArray<Source.Element<unknown>>): Option.Option<unknown> => {
  const last = elements.at(-1)
  return last?._tag === "Checkpoint" ? Option.some(last.state) : Option.none()
}
const factsOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.flatMap((element) => (element._tag === "Progress" ? [element.facts] : [])).at(-1)

const layer = Layer.merge(service, Inboxes.layerMemory)
const test = (sentence: string, run: Effect.Effect<void, unknown, Layer.Success<typeof layer> | Scope.Scope>) =>
  it.effect(sentence, () => Effect.provide(run, Layer.fresh(layer)))

describe("the monitor source by webhook", () => {
  test(
    "makes rows of what is told, as the checks have them; what is not told is null",
    Effect.gen(function* () {
      yield* TestClock.setTime(1_767_225_600_000)
      yield* filled([
        pageEvent("e1", 1, {
          judgment: { meaningful: true, confidence: "high", reason: "r", meaningfulChanges: [], judge: "rules" }
        }),
        endEvent("e2")
      ])
      const elements = yield* read()

      expect(rowsOf(elements, "page_changes")).toEqual([
        {
          check_id: "check-1",
          target_id: "t",
          url: "http://site.test/1",
          status: "changed",
          status_code: 200,
          title: "Page 1",
          diff: "-a\n+b\n",
          fields: null,
          fields_sources: null,
          fields_unsupported: null,
          meaningful: true,
          reason: "r",
          judge: "rules",
          flips: null,
          error: null,
          checked_at: 1_767_225_600_000_000n,
          _fetched_at: 1_767_225_600_000_000n,
          _source_url: "http://site.test/1"
        }
      ])
      expect(rowsOf(elements, "monitor_checks")).toMatchObject([
        {
          check_id: "check-1",
          monitor_id: monitorId,
          status: "completed",
          pages: 2,
          changed: 1,
          trigger: null,
          started_at: null
        }
      ])
      expect(factsOf(elements)).toEqual({ events: 2, others: 0, checks: 1, unread: 0, forgotten: 0 })
    })
  )

  test(
    "reads on behind its checkpoint; where nothing is new it ends with that",
    Effect.gen(function* () {
      const inbox = yield* filled([pageEvent("e1", 1)])
      const first = yield* read()
      const nothing = yield* read({ start: stateOf(first) })
      yield* inbox.accept([{ id: "e2", body: pageEvent("e2", 2) }])
      const second = yield* read({ start: stateOf(nothing) })

      expect(rowsOf(nothing, "page_changes")).toEqual([])
      expect(stateOf(nothing)).toEqual(stateOf(first))
      expect(rowsOf(second, "page_changes").map(({ url }) => url)).toEqual(["http://site.test/2"])
    })
  )

  test(
    "reads another inbox, and after another way of reading, from the beginning",
    Effect.gen(function* () {
      yield* filled([pageEvent("e1", 1)])
      const ofAnother = yield* read({ start: Option.some({ inbox: "another", seq: 7 }) })
      const ofChecks = yield* read({ start: Option.some({ after: "check-1" }) })

      expect(rowsOf(ofAnother, "page_changes")).toHaveLength(1)
      expect(rowsOf(ofChecks, "page_changes")).toHaveLength(1)
    })
  )

  test(
    "counts what is told of other monitors, and makes no rows of it: by id, or by the name that an event tells",
    Effect.gen(function* () {
      const named = (id: string, name: string) =>
        JSON.stringify({ ...JSON.parse(pageEvent(id)), metadata: { monitor: name } })
      yield* filled([
        pageEvent("e1", 1, { monitorId: "another" }),
        pageEvent("e2", 2),
        named("e3", "Mill"),
        named("e4", "Weir")
      ])
      const byName = yield* read()
      const byId = yield* read({}, { monitor: monitorId, inbox: "Mill" })

      expect(rowsOf(byId, "page_changes").map(({ url }) => url)).toEqual([
        "http://site.test/2",
        "http://site.test/0",
        "http://site.test/0"
      ])
      expect(factsOf(byId)).toEqual({ events: 4, others: 1, forgotten: 0 })
      expect(rowsOf(byName, "page_changes")).toHaveLength(3)
      expect(factsOf(byName)).toEqual({ events: 4, others: 1, forgotten: 0 })
    })
  )

  test(
    "rejects what does not fit, with its reason and an answer that says it alone",
    Effect.gen(function* () {
      const two = JSON.parse(pageEvent("e1", 1))
      two.data.push({ ...two.data[0], status: "odd" })
      yield* filled([JSON.stringify(two)])
      const elements = yield* read()
      const rejects = elements.flatMap((element) => (element._tag === "Reject" ? [element] : []))
      const answer = rejects[0]?.answer
      const again = answer === undefined ? [] : yield* monitor.with(options).decode(answer)

      expect(rowsOf(elements, "page_changes")).toHaveLength(1)
      expect(rejects).toMatchObject([{ table: { name: "page_changes" }, reason: expect.stringContaining("status") }])
      expect(again.map(({ _tag }) => _tag)).toEqual(["Reject", "Progress", "Checkpoint"])
    })
  )

  test(
    "forgets what is loaded and older than thirty days, and nothing else",
    Effect.gen(function* () {
      const day = 24 * 3_600_000
      const inbox = yield* filled([pageEvent("e1", 1)])
      const first = yield* read()
      yield* TestClock.adjust(20 * day)
      yield* inbox.accept([{ id: "e2", body: pageEvent("e2", 2) }])
      const second = yield* read({ start: stateOf(first) })
      yield* TestClock.adjust(11 * day)
      yield* inbox.accept([{ id: "e3", body: pageEvent("e3", 3) }])
      const third = yield* read({ start: stateOf(second) })
      const anew = yield* read()

      expect(factsOf(third)).toEqual({ events: 1, others: 0, forgotten: 0 })
      expect(factsOf(anew)).toEqual({ events: 2, others: 0, forgotten: 1 })

      expect((yield* inbox.read(0, { events: 9, bytes: 1e6 })).map(({ id }) => id)).toEqual(["e2", "e3"])
    })
  )

  test(
    "goes on behind any answer, and leaves to the next run what comes meanwhile",
    Effect.gen(function* () {
      const inbox = yield* filled(Array.from({ length: 1200 }, (_, n) => pageEvent(`e${n}`, n)))
      const reader = monitor.with(options)
      const from = { start: Option.none(), key: "k", limits: {}, directory: "." }
      const ask = (after: Option.Option<unknown>) => Stream.runCollect(reader.fetch({ ...from, after }))
      const whole = kept(yield* ask(Option.none()))
      yield* inbox.accept([{ id: "late", body: pageEvent("late") }])
      for (const [n, { cursor }] of whole.entries()) {
        const rest = kept(yield* ask(Option.some(cursor)))
        expect(rest.map((answer) => answer.cursor)).toEqual(whole.slice(n + 1).map((answer) => answer.cursor))
      }

      expect(whole.map(({ cursor }) => cursor)).toMatchObject([{ seq: 500 }, { seq: 1000 }, { seq: 1200 }])
    })
  )

  it.effect("says which options do not go together", () =>
    Effect.gen(function* () {
      const message = (raw: object) =>
        Effect.map(Effect.flip(monitor.decode(raw)), (error: Schema.SchemaError) => error.message)

      expect(yield* message({ ...options, same: true })).toContain("has no effect with `by: webhook`")
      expect(yield* message({ monitor: "Mill", inbox: "m" })).toContain("is for `by: webhook`")
      expect(inboxOf(monitor.with(options))).toBe("Mill")
      expect(inboxOf(monitor.with({ ...options, inbox: "own" }))).toBe("own")
      expect(inboxOf(monitor.with({ monitor: "Mill" }))).toBeUndefined()
    })
  )

  SourceSuite.suite("webdata.monitor by webhook", {
    reader: Effect.sync(() => monitor.with(options)),
    layer: Layer.fresh(
      Layer.effectDiscard(
        Effect.scoped(
          filled([
            ...Array.from({ length: 1100 }, (_, n) => pageEvent(`e${n}`, n)),
            endEvent("end"),
            pageEvent("odd", 0, { url: 7 })
          ])
        )
      ).pipe(Layer.orDie, Layer.provideMerge(layer))
    )
  })
})
