/**
 * The jobs that run in this process: launched, ended, held on to, and taken up where another process has left them.
 *
 * A job ends once, by its own run or because it is stopped. A job whose process stops or loses its database is left as
 * it is, and the next process that takes it up continues it (`ProcessLease`).
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import type { End, Job } from "../../crawler/crawl/Job.ts"
import { JobStore } from "../../crawler/crawl/JobStore.ts"
import { unpaid } from "../../crawler/crawl/Turns.ts"
import { StoreError } from "../../crawler/StoreError.ts"
import { Accounts } from "../accounts/Accounts.ts"
import * as JobCredits from "../accounts/JobCredits.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { JobLease } from "../store/JobLease.ts"
import { ProcessLease } from "../store/ProcessLease.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import * as JobPulse from "./JobPulse.ts"
import * as JobWork from "./JobWork.ts"

export const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const store = yield* JobStore
  const accounts = yield* Accounts
  const { afterEachSign, isShared } = yield* ProcessLease
  const lease = yield* JobLease
  const webhooks = yield* Webhooks
  const services = yield* Effect.context<JobWork.Services>()
  // Jobs are let go once they have stopped: what is added first runs last.
  yield* Effect.addFinalizer(() => Effect.ignore(lease.release))
  const running = yield* FiberMap.make<string>()
  const pulse = JobPulse.make()

  const beat = (id: string) => Effect.andThen(webhooks.wake(id), pulse.beat(id))

  /** Forgets a run, and wakes everything that waits for it. */
  const drop = (id: string) => Effect.andThen(webhooks.wake(id), pulse.stop(id))

  const finish = (id: string, end: End, by: "owner" | "anybody") => Effect.ensuring(store.finish(id, end, by), drop(id))

  /** A run that loses its database leaves its job to whoever comes next. */
  const hasLostDatabase = (cause: Cause.Cause<unknown>): boolean => {
    const error = Cause.squash(cause)
    return isShared && error instanceof StoreError && error.isRetryable
  }

  /** Ends the job unless it is interrupted: a cancel ends it itself, and a service that stops leaves it to be resumed. */
  const run = (job: Job, work: JobWork.Work) => {
    const credits = accounts.ofJob(job)
    const settled = beat(job.id)
    const turns = credits === undefined ? unpaid(settled, accounts.inTurn(job.teamId, job.id)) : { settled, ...credits }
    return work(job, turns).pipe(
      Effect.matchCauseEffect({
        onSuccess: (end) =>
          finish(job.id, credits?.isOut() === true ? { ...end, warning: JobCredits.warning } : end, "owner"),
        onFailure: (cause): Effect.Effect<unknown, StoreError> => {
          // A run that was interrupted from inside has lost its job. What is still this process's it lets go (`keepOwn`).
          if (Cause.hasInterruptsOnly(cause) || hasLostDatabase(cause)) return drop(job.id)
          const told = isOurs(cause) ? logged(job, cause) : Effect.void
          return Effect.andThen(told, finish(job.id, { status: "failed", error: explain(cause) }, "owner"))
        }
      }),
      Effect.provideContext(services)
    )
  }

  const launch = Effect.fnUntraced(function* (job: Job, work: JobWork.Work) {
    yield* pulse.start(job.id)
    yield* webhooks.wake(job.id)
    yield* FiberMap.run(running, job.id, run(job, work))
  })

  /** Ends a job that may run here, or elsewhere; false: it had ended before. */
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
      if (job.isSealed === true || (job.attempts ?? 0) > mostAttempts) {
        const error = job.isSealed === true ? forgotten : endsProcesses
        yield* finish(job.id, { status: "failed", error }, "owner")
        continue
      }
      const work = yield* JobWork.ofJob(job, config, accounts.of(job.teamId).plan)
      if (Option.isSome(work)) yield* launch(job, work.value)
      else yield* finish(job.id, { status: "failed", error: unreadable }, "owner")
    }
  })

  /** Stops what others have ended or taken. */
  const look = Effect.gen(function* () {
    for (const id of yield* lease.keep(Array.from(running, ([id]) => id))) {
      yield* Effect.andThen(FiberMap.remove(running, id), drop(id))
    }
  })

  yield* takeUp
  yield* afterEachSign(look, takeUp)

  return { launch, stop, beats }
})

/** A caller that waits for a job which does not run here looks at the store again after this long. */
const lookAgainMillis = 500

/** Processes that a job may end one after the other before anything of it is done. What a page ends is not counted. */
const mostAttempts = 5
const endsProcesses = `${mostAttempts} processes of the service ended with the job, one after the other: it is not continued`

/** Its pages were sealed with a key that the process had which has stopped. */
const forgotten =
  "the service was restarted, and of a job with zero data retention nothing is kept that it could be continued from; start it again"

const unreadable = "the service was restarted and can no longer read the job"

/** What a cause says may name the pages of the job. */
const logged = ({ id, isSealed }: Job, cause: Cause.Cause<unknown>) =>
  isSealed === true
    ? Effect.logError(`job ${id} ended unexpectedly; it has zero data retention, so that it is not logged why`)
    : Effect.logError("a job ended unexpectedly", cause)

const explain = (cause: Cause.Cause<JobWork.WorkFailed | StoreError>): string => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return JobWork.storeFailed
  return error instanceof Error ? error.message : String(error)
}

/** Whether the operator has to know, beside the caller. */
const isOurs = (cause: Cause.Cause<JobWork.WorkFailed | StoreError>): boolean =>
  Cause.hasDies(cause) || Cause.squash(cause) instanceof StoreError
