import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { extractAnswers } from "#contract/extractAnswers"
import { idempotencyHeader, idempotencyReused } from "#contract/idempotencyHeader"
import type { JobAnswer, JobFrom } from "#contract/jobAnswers"
import { type Reply, scriptedService } from "./scriptedService.ts"

const request = { urls: ["http://site.test/"], prompt: "the price" }
const started = { status: 200, body: { success: true, id: "1" } }
const status = (state: string) => ({
  status: 200,
  body: { success: true, id: "1", status: state, data: [], expiresAt: "2026-01-02T00:00:00.000Z" }
})

/** A service whose job is processing for so many looks. */
const serviceOf = (looks: number, start: Reply = started) => {
  let seen = 0
  return scriptedService((what): Reply => {
    if (what.startsWith("POST")) return start
    if (what.startsWith("DELETE")) return { status: 200, body: { success: true, status: "cancelled" } }
    return status(seen++ < looks ? "processing" : "completed")
  })
}

const collect = (service: ReturnType<typeof scriptedService>, from: JobFrom = {}) =>
  Effect.gen(function* () {
    const answers = Stream.runCollect(extractAnswers(request, from)).pipe(Effect.provide(service.layer))
    const fiber = yield* Effect.forkChild(Effect.result(answers))
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

const told = (answers: Iterable<JobAnswer>) => [...answers].map(({ cursor, kind }) => [kind, cursor.jobId, cursor.next])

describe("a job as answers", () => {
  it.effect("is its start and its end, looked for after waits that double up to 1.6 seconds", () =>
    Effect.gen(function* () {
      const service = serviceOf(7)
      const result = yield* collect(service)
      const looks = service.asked.slice(1).map(({ at }) => at)

      expect(result._tag === "Success" ? told(result.success) : result).toEqual([
        ["started", "1", "end"],
        ["ended", "1", "nothing"]
      ])
      expect(looks.slice(1).map((at, index) => at - (looks[index] ?? 0))).toEqual([
        100, 200, 400, 800, 1600, 1600, 1600
      ])
      expect(service.asked.some(({ what }) => what.startsWith("DELETE"))).toBe(false)
    })
  )

  it.effect("carries its key, and is found again where its start was lost", () =>
    Effect.gen(function* () {
      const keys: Array<unknown> = []
      const reused = { success: false, error: "used", code: idempotencyReused }
      const details = [{ path: [idempotencyHeader], message: "9" }]
      const service = scriptedService((what, turn, { headers }): Reply => {
        if (what.startsWith("POST")) keys.push(headers[idempotencyHeader])
        if (turn === 1) return "broken"
        return what.startsWith("POST") ? { status: 409, body: { ...reused, details } } : status("completed")
      })
      const result = yield* collect(service, { key: "k-1" })

      expect(result._tag === "Success" ? told(result.success) : result).toEqual([
        ["started", "9", "end"],
        ["ended", "9", "nothing"]
      ])
      expect(result._tag === "Success" ? result.success[0]?.cursor.isNew : result).toBe(false)
      expect(keys).toEqual(["k-1", "k-1"])
    })
  )

  it.effect("is read on behind any answer without being started", () =>
    Effect.gen(function* () {
      const service = serviceOf(0)
      const result = yield* collect(service, { after: { jobId: "1", next: "end" } })
      const over = yield* collect(service, { after: { jobId: "1", next: "nothing" } })

      expect(result._tag === "Success" ? told(result.success) : result).toEqual([["ended", "1", "nothing"]])
      expect(over._tag === "Success" ? told(over.success) : over).toEqual([])
      expect(service.asked.map(({ what }) => what)).toEqual(["GET /v2/extract/1"])
    })
  )

  it.effect("is cancelled when its reader goes away, and left alone where the service cannot be reached", () =>
    Effect.gen(function* () {
      const service = serviceOf(1000)
      const reading = Stream.runDrain(extractAnswers(request)).pipe(Effect.provide(service.layer))
      const fiber = yield* Effect.forkChild(reading)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      expect(service.asked.at(-1)?.what).toBe("DELETE /v2/extract/1")

      const gone = scriptedService((what): Reply => (what.startsWith("POST") ? started : "broken"))
      expect((yield* collect(gone))._tag).toBe("Failure")
      expect(gone.asked.some(({ what }) => what.startsWith("DELETE"))).toBe(false)
    })
  )

  it.effect("hands its end on before anybody understands it", () =>
    Effect.gen(function* () {
      const service = scriptedService((what): Reply => (what.startsWith("POST") ? started : { status: 200, body: [1] }))
      const result = yield* collect(service)

      expect(result._tag === "Success" ? result.success.map(({ text }) => text) : result).toEqual([
        JSON.stringify(started.body),
        "[1]"
      ])
    })
  )

  it.effect("fails as the contract has it where the service refuses it", () =>
    Effect.gen(function* () {
      const result = yield* collect(serviceOf(0, { status: 402 }))

      expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "PaymentRequired" } })
    })
  )
})
