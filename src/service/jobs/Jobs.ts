/**
 * Jobs of every kind: starts them, finds them, waits for them, stops them, and removes them.
 *
 * Specification, Limits: a running job ends once; a job and its results are removed 24 hours after its end; a service
 * that was killed continues its unfinished jobs when it starts. If several processes share the database, one of them
 * runs a job (`ProcessLease`) and all of them answer for it from the store. The process that runs a job reads there
 * whether another one has ended it.
 */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { Conflict, NotFound } from "#contract/Errors"
import { idempotencyHeader, idempotencyReused } from "#contract/idempotencyHeader"
import * as Limits from "#contract/Limits"
import { isUuid, uuid7 } from "#contract/uuid7"
import type { Webhook } from "#contract/Webhook"
import { CrawlStore } from "#web/CrawlStore"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import type { End, Job, Kind } from "#web/Job"
import { JobStore } from "#web/JobStore"
import type { StoreError } from "#web/StoreError"
import { AgentStore } from "../agent/AgentStore.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { AccountStore } from "../store/AccountStore.ts"
import * as StorePort from "../store/StorePort.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import * as JobRunner from "./JobRunner.ts"
import type * as JobWork from "./JobWork.ts"

/** A job to start. */
export interface Beginning {
  readonly kind: Kind
  readonly teamId: string
  readonly url: string
  readonly request: object
  readonly work: JobWork.Work
  /** Whether nothing of it may be kept. Default: false. */
  readonly isSealed?: boolean
  /** The URLs with which it starts. */
  readonly seeds?: ReadonlyArray<DiscoveredUrl>
  readonly idempotencyKey?: string | undefined
  readonly webhook?: Webhook | null | undefined
  /** Whether the job is free: evaluated in the same transaction, for one job of a team at a time. */
  readonly isFree?: (now: number) => Effect.Effect<boolean, StoreError>
  /** Writes more in the same transaction. */
  readonly also?: (job: Job) => Effect.Effect<void, StoreError>
}

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Starts a job. If the key has started a job before, it fails with a Conflict that names this job. */
    readonly begin: (beginning: Beginning) => Effect.Effect<Job, Conflict | StoreError>
    readonly get: (teamId: string, id: string, kind: Kind) => Effect.Effect<Job, NotFound | StoreError>
    /** Ends a job that runs here or in another process. Returns false if it had ended before. */
    readonly stop: (id: string, end: End) => Effect.Effect<boolean, StoreError>
    /**
     * Gives an effect that waits for the next beat: there is one after the end of each page, and after the job's. If the
     * job may run in another process, the wait also ends after a while: the caller then reads the store again.
     */
    readonly beats: (id: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
    /** Waits for `isDue`, which is evaluated after each beat, or for the end of the job, at most `Limits.holdMillis`. */
    readonly hold: (id: string, isDue: Effect.Effect<boolean, StoreError>) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/Jobs") {
  static readonly layer = (config: ServiceConfig) => Layer.effect(Jobs, make(config))
}

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* JobStore
  const ledger = yield* CrawlStore
  const accountStore = yield* AccountStore
  const agents = yield* AgentStore
  const webhooks = yield* Webhooks
  const runner = yield* JobRunner.start(config)

  const begin = Effect.fn("Jobs.begin")(function* (beginning: Beginning) {
    const { also, idempotencyKey, isFree, isSealed = false, kind, seeds = [], teamId, webhook, work } = beginning
    const createdAt = yield* Clock.currentTimeMillis
    const wanted = jobOf(beginning, createdAt)
    const enter = Effect.gen(function* () {
      const before =
        idempotencyKey === undefined
          ? undefined
          : yield* accountStore.claim(teamId, keyOf(idempotencyKey, isSealed), wanted.id)
      if (before !== undefined) return yield* reused(before)
      if (isFree !== undefined) yield* accountStore.charge(teamId, 0)
      const job = isFree === undefined ? wanted : { ...wanted, isFree: yield* isFree(createdAt) }
      yield* store.create(job)
      if (webhook != null) yield* webhooks.subscribe({ ...job, group: eventGroups[kind] }, webhook)
      yield* ledger.discover(job.id, seeds)
      if (also !== undefined) yield* also(job)
      return job
    })
    // If the caller disconnected in between, nobody would run the job.
    const entered = StorePort.orStoreError(sql.withTransaction(enter))
    return yield* Effect.uninterruptible(Effect.tap(entered, (job) => runner.launch(job, work)))
  })

  const get = Effect.fn("Jobs.get")(function* (teamId: string, id: string, kind: Kind) {
    const job = Option.getOrUndefined(isUuid(id) ? yield* store.get(id) : Option.none())
    const now = yield* Clock.currentTimeMillis
    const isGone = job?.completedAt != null && job.completedAt + Limits.retentionMillis <= now
    if (job === undefined || job.teamId !== teamId || job.kind !== kind || isGone) {
      return yield* new NotFound({
        message: `no ${kind} has the id ${id}; results are kept for 24 hours after the end`
      })
    }
    return job
  })

  const hold = Effect.fnUntraced(function* (id: string, isDue: Effect.Effect<boolean, StoreError>) {
    const beat = yield* runner.beats(id)
    const isOver = Effect.gen(function* () {
      const job = yield* store.get(id)
      return Option.isNone(job) || job.value.status !== "scraping" || (yield* isDue)
    })
    const wait = Effect.gen(function* () {
      while (!(yield* isOver)) yield* beat
    })
    yield* Effect.timeoutOption(wait, Limits.holdMillis)
  }, Effect.scoped)

  const sweep = Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - Limits.retentionMillis
    yield* webhooks.expire(before)
    yield* store.expire(before)
    yield* agents.expire
    yield* accountStore.expire(before)
  })
  // If a sweep fails, the next one does its work.
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(sweep), Schedule.spaced("10 minutes")))

  return Jobs.of({ begin, get, stop: runner.stop, beats: runner.beats, hold })
})

const jobOf = ({ isSealed = false, kind, request, teamId, url }: Beginning, createdAt: number): Job => ({
  id: uuid7(),
  kind,
  teamId,
  url,
  request: JSON.stringify(request),
  status: "scraping",
  createdAt,
  completedAt: null,
  error: null,
  warning: null,
  isSealed
})

/** For a sealed job, only a hash of the caller's key is stored. */
const keyOf = (key: string, isSealed: boolean): string => (isSealed ? hash("sha256", key) : key)

/** How each kind of job names its events. */
const eventGroups = { crawl: "crawl", batch: "batch_scrape", extract: "extract", agent: "agent" } as const

const reused = (jobId: string) =>
  new Conflict({
    message: "this x-idempotency-key has already started a job; its id is in details",
    code: idempotencyReused,
    details: [{ path: [idempotencyHeader], message: jobId }]
  })
