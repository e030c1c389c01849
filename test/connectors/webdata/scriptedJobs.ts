/** What tests of the sources extract and agent share: a service in memory that runs jobs, and what a source makes of them. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { idempotencyHeader, idempotencyReused } from "#contract/idempotencyHeader"
import type { WebData } from "#contract/WebData"
import * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import { validateRow } from "#engine/validateRow"
import { type Reply, scriptedService } from "../../contract/client/scriptedService.ts"

export interface Job {
  readonly id: string
  readonly key: string
  // What a test sent, whatever it is.
  readonly request: any
  isCancelled: boolean
  polls: number
}

/** What a job answers with when it has ended; undefined: it is processing for ever. */
export type Ends = (request: any, number: number) => object | undefined

/** A service of jobs that are seen processing once and have ended then. A key that started a job starts no second one. */
export const jobService = (
  kind: "extract" | "agent",
  ends: Ends,
  more: (what: string) => Reply | undefined = () => undefined
) => {
  const jobs: Array<Job> = []
  let ids = 0
  const find = (what: string) => jobs.find(({ id }) => what.endsWith(`/${id}`))
  const service = scriptedService((what, _turn, { body, headers }) => {
    const other = more(what)
    if (other !== undefined) return other
    if (what.startsWith("POST")) {
      const key = String(headers[idempotencyHeader])
      const before = jobs.find((job) => job.key === key)
      if (before !== undefined) {
        const details = [{ path: [idempotencyHeader], message: before.id }]
        return { status: 409, body: { success: false, error: "used", code: idempotencyReused, details } }
      }
      const id = `00000000-0000-7000-8000-${String(ids++).padStart(12, "0")}`
      jobs.push({ id, key, request: body, isCancelled: false, polls: 0 })
      return { status: 200, body: { success: true, id, threadId: `thread of ${id}`, threadTurn: 1 } }
    }
    const job = find(what)
    if (job === undefined) return { status: 404 }
    if (what.startsWith("DELETE")) {
      job.isCancelled = true
      return { status: 200, body: { success: true, status: "cancelled" } }
    }
    const end = job.polls++ === 0 ? undefined : ends(job.request, jobs.indexOf(job))
    const cancelled = kind === "extract" ? { status: "cancelled" } : { status: "failed", error: "cancelled" }
    const said = job.isCancelled ? cancelled : (end ?? { status: "processing" })
    return { status: 200, body: { ...blank(kind, job.id), ...said } }
  })
  return {
    ...service,
    jobs,
    started: () => jobs.length,
    running: () => jobs.filter((job) => !job.isCancelled && job.polls < 2).length
  }
}

const blank = (kind: "extract" | "agent", id: string): object => ({
  success: true,
  id,
  data: [],
  expiresAt: "2026-01-02T00:00:00.000Z",
  creditsUsed: 3,
  ...(kind === "extract"
    ? {}
    : {
        model: "core-2",
        mode: "extract",
        threadId: `thread of ${id}`,
        threadTurn: 1,
        createdAt: "2026-01-01T00:00:00.000Z",
        exchange: { enabled: true, onTermsRequired: "skip", paidCalls: 0, creditsUsed: null, skippedProviders: [] }
      })
})

/** A result with this data, whose values each have a page that they are of. */
export const completed = (data: unknown, pages: Readonly<Record<string, string>> = {}, more: object = {}): object => ({
  status: "completed",
  data,
  sources: Object.fromEntries(
    Object.entries(pages).map(([pointer, url]) => [pointer, [{ url, kind: "json-ld", path: "Product", span: [1, 9] }]])
  ),
  missing: [],
  engine: { name: "rules" },
  ...more
})

/** Lets time pass until an effect has ended, whatever it waits for beside. */
export const inTime = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust("1 minute")
    yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
  }
  return yield* Fiber.join(fiber)
})

type Service = ReturnType<typeof jobService>

export const readAll = (source: Source.Reader<WebData>, { layer }: Service, limits: Source.Limits = {}) =>
  inTime(Effect.provide(Stream.runCollect(Source.read(source, { limits, key: "k" })), layer)).pipe(
    Effect.map((elements): ReadonlyArray<Source.Element<unknown>> => [...elements])
  )

/** The answers as they come back from the journal, in another process. */
export const kept = (answers: Iterable<SourceResponse>): ReadonlyArray<SourceResponse> =>
  JSON.parse(JSON.stringify([...answers]))

/** The rows of a table, each of them one of it. */
export const rowsOf = (elements: ReadonlyArray<Source.Element<unknown>>, table: string) =>
  elements.flatMap((element) => {
    if (element._tag !== "Batch" || element.table.name !== table) return []
    for (const row of element.rows) expect(validateRow(element.table, row)).toBeUndefined()
    return element.rows
  })

export const factsOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.reduce<Readonly<Record<string, number>>>(
    (facts, element) => (element._tag === "Progress" ? { ...facts, ...element.facts } : facts),
    {}
  )
