/**
 * Runs the jobs of this process: it starts and ends them, keeps its lease on them, and continues jobs of ended processes.
 *
 * A job ends once, by its own run or because it is stopped. If its process stops or loses its database, the job stays as
 * it is, and the next process that takes it continues it (`ProcessLease`).
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Tracer from "effect/Tracer"
import * as CrawlerName from "#base/CrawlerName"
import * as FairPlaces from "#base/FairPlaces"
import type { End, Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { StoreError } from "#web/StoreError"
import { unpaid } from "#web/Turns"
import { Accounts } from "../accounts/Accounts.ts"
import * as JobCredits from "../accounts/JobCredits.ts"
import { crawlerOf } from "../crawlerOf.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { JobLease } from "../store/JobLease.ts"
import { ProcessLease } from "../store/ProcessLease.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import * as JobWork from "./JobWork.ts"

export const start = Effect.fnUntraced(function* (config: ServiceConfig) {
  const store = yield* JobStore
  const accounts = yield* Accounts
  const { afterEachSign, isShared } = yield* ProcessLease
  const lease = yield* JobLease
  const webhooks = yield* Webhooks
  // A job belongs to the trace of the request that starts it, not to that of the start of the service.
  const services = Context.omit(Tracer.ParentSpan)(yield* Effect.context<JobWork.Services>())
  // Jobs are released after they have stopped: finalizers run in reverse order.
  yield* Effect.addFinalizer(() => Effect.ignore(lease.release))
  const running = yield* FiberMap.make<string>()
  const pulse = startPulse()

  const beat = (id: string) => Effect.andThen(webhooks.wake(id), pulse.beat(id))

  /** Forgets a run, and wakes everything that waits for it. */
  const drop = (id: string) => Effect.andThen(webhooks.wake(id), pulse.stop(id))

  const finish = (id: string, end: End, by: "owner" | "anybody") => Effect.ensuring(store.finish(id, end, by), drop(id))

  /** Ends the job unless the run is interrupted: a cancel ends the job by itself, and a service that stops leaves it as it is. */
  const run = (job: Job, work: JobWork.Work) => {
    const credits = accounts.ofJob(job)
    const settled = beat(job.id)
    const turns = credits === undefined ? unpaid(settled, accounts.inTurn(job.teamId, job.id)) : { settled, ...credits }
    return work(job, turns).pipe(
      Effect.matchCauseEffect({
        onSuccess: (end) =>
          finish(job.id, credits?.isOut() === true ? { ...end, warning: JobCredits.warning } : end, "owner"),
        onFailure: (cause): Effect.Effect<unknown, StoreError> => {
          // A run that was interrupted from inside has lost its job. One that loses a shared database leaves it to the next process.
          if (Cause.hasInterruptsOnly(cause) || (isShared && hasLostDatabase(cause))) return drop(job.id)
          const report = isOurs(cause) ? logged(job, cause) : Effect.void
          return Effect.andThen(report, finish(job.id, { status: "failed", error: explain(cause) }, "owner"))
        }
      }),
      forTeam(config, job.teamId),
      Effect.withSpan("job", { attributes: { "job.id": job.id, "job.kind": job.kind } }),
      Effect.provideContext(services)
    )
  }

  const launch = Effect.fnUntraced(function* (job: Job, work: JobWork.Work) {
    yield* pulse.start(job.id)
    yield* webhooks.wake(job.id)
    yield* FiberMap.run(running, job.id, run(job, work))
  })

  /** Ends a job that runs here or in another process. Returns false if it had ended before. */
  const stop = (id: string, end: End) =>
    Effect.uninterruptible(Effect.andThen(FiberMap.remove(running, id), finish(id, end, "anybody")))

  const beats = (id: string) =>
    Effect.map(pulse.listen(id), ({ isOfRun, next }) =>
      isShared
        ? Effect.suspend(() => (isOfRun() ? next : Effect.asVoid(Effect.timeoutOption(next, lookAgainMillis))))
        : next
    )

  const takeUp = Effect.gen(function* () {
    for (const job of yield* lease.take) {
      const fault = faultOf(job)
      const work = fault === undefined ? yield* JobWork.ofJob(job, config, accounts.of(job.teamId).plan) : Option.none()
      if (Option.isSome(work)) yield* launch(job, work.value)
      else yield* finish(job.id, { status: "failed", error: fault ?? unreadable }, "owner")
    }
  })

  /** Stops the runs of jobs that other processes have ended or taken. */
  const look = Effect.gen(function* () {
    for (const id of yield* lease.keep(Array.from(running, ([id]) => id))) {
      yield* Effect.andThen(FiberMap.remove(running, id), drop(id))
    }
  })

  yield* takeUp
  yield* afterEachSign(look, takeUp)

  return { launch, stop, beats }
})

/** The requests of a job are those of its team: of its share of a host, and by the name of its crawler. */
const forTeam =
  (config: ServiceConfig, teamId: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(
      Effect.provideService(FairPlaces.Sharer, teamId),
      Effect.provideService(CrawlerName.Current, crawlerOf(config, teamId))
    )

/** How often a caller reads the store while it waits for a job that does not run here. */
const lookAgainMillis = 500

/** How many processes in a row may end with the job before it makes progress. Ends that one page caused are not counted. */
const mostAttempts = 5
const endsProcesses = `${mostAttempts} processes of the service ended with the job, one after the other: it is not continued`

/** The pages of the job were encrypted with a key that only the ended process had. */
const forgotten =
  "the service was restarted, and a job with zero data retention keeps nothing to continue from: start it again"

const unreadable = "the service was restarted and can no longer read the request of the job: start it again"

/** Why a job of an ended process is not continued. */
const faultOf = ({ attempts = 0, isSealed }: Job): string | undefined => {
  if (isSealed === true) return forgotten
  return attempts > mostAttempts ? endsProcesses : undefined
}

/** The cause may name pages of the job, so it is not logged for a sealed job. */
const logged = ({ id, isSealed }: Job, cause: Cause.Cause<unknown>) =>
  isSealed === true
    ? Effect.logError(`job ${id} ended unexpectedly; the reason is not logged, because of zero data retention`)
    : Effect.logError("a job ended unexpectedly", cause)

const explain = (cause: Cause.Cause<JobWork.WorkFailed | StoreError>): string => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return JobWork.storeFailed
  return error instanceof Error ? error.message : String(error)
}

const hasLostDatabase = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return error instanceof StoreError && error.isRetryable
}

/** Whether the failure is ours, and is logged for the operator. */
const isOurs = (cause: Cause.Cause<JobWork.WorkFailed | StoreError>): boolean =>
  Cause.hasDies(cause) || Cause.squash(cause) instanceof StoreError

/**
 * Notifies listeners of the jobs that run in this process: one beat after the end of each page, and one after the job's.
 *
 * A listener that starts before it reads the store misses nothing. A job that does not run in this process never beats.
 */
export const startPulse = () => {
  const pulses = new Map<string, PubSub.PubSub<void>>()

  const start = (id: string) => Effect.map(PubSub.sliding<void>(1), (pulse) => void pulses.set(id, pulse))
  const beat = (id: string) =>
    Effect.suspend(() => {
      const pulse = pulses.get(id)
      return pulse === undefined ? Effect.void : Effect.asVoid(PubSub.publish(pulse, undefined))
    })
  /** Sends the last beat of a run. */
  const stop = (id: string) =>
    Effect.andThen(
      beat(id),
      Effect.sync(() => void pulses.delete(id))
    )
  /**
   * Listens until the scope closes. `next` waits for the next beat. `isOfRun`: whether the run of this listener still
   * continues here; beats of other runs of the job are not heard.
   */
  const listen = (id: string) =>
    Effect.suspend(() => {
      const pulse = pulses.get(id)
      const signals = pulse === undefined ? PubSub.sliding<void>(1) : Effect.succeed(pulse)
      return Effect.map(Effect.flatMap(signals, PubSub.subscribe), (subscription) => ({
        next: PubSub.take(subscription),
        isOfRun: () => pulse !== undefined && pulses.get(id) === pulse
      }))
    })
  return { start, beat, stop, listen }
}
