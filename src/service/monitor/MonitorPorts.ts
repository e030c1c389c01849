/**
 * The jobs that read the pages of a target: a crawl for a site, a batch for a list of URLs. What they have read is in
 * `CrawlStore`, by the id of the job.
 *
 * Implementations must keep three rules. A target that `validate` accepts always gives the same job. A job and what `also`
 * writes are one transaction: a check that dies in between would otherwise begin and pay for a second job. A job continues
 * without the process that began it, or another process continues it, so that waiting for it can start again at any time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { BadRequest, Forbidden, NotFound, Unprocessable } from "#contract/Errors"
import type { Target } from "#contract/MonitorTarget"
import type { Webhook } from "#contract/Webhook"
import type { Job } from "#web/Job"
import type { StoreError } from "#web/StoreError"
import type { Check } from "./Monitor.ts"

export type JobTarget = Extract<Target, { readonly type: "crawl" | "scrape" }>

/** Why a target cannot be read: something in it is wrong, or the plan of the team does not allow it. */
export type Refused = BadRequest | Forbidden | Unprocessable

/** What a check needs of a job that has ended. */
export type EndedJob = Pick<Job, "error" | "id" | "status" | "url" | "warning">

export class TargetJobs extends Context.Service<
  TargetJobs,
  {
    /** Fails if a job of this target could not begin. Nothing begins. */
    readonly validate: (teamId: string, target: JobTarget) => Effect.Effect<void, Refused>
    /** Begins the job of a target. `also` gets the id of the job and writes in the job's transaction. */
    readonly begin: (
      teamId: string,
      target: JobTarget,
      also: (jobId: string) => Effect.Effect<void, StoreError>
    ) => Effect.Effect<void, Refused | StoreError>
    /** Waits for the end of a job. NotFound: the job does not exist, or has expired. */
    readonly ended: (
      teamId: string,
      type: JobTarget["type"],
      jobId: string
    ) => Effect.Effect<EndedJob, NotFound | StoreError>
    /** Cancels a job; one that has ended stays as it is. */
    readonly stop: (jobId: string) => Effect.Effect<void, StoreError>
  }
>()("millrace/TargetJobs") {}

/**
 * The webhooks of checks: who receives events, and the sending. `CheckStore` writes the events, in the transaction of what
 * they report.
 *
 * Implementations must keep two rules: `subscribe` writes in the transaction of its caller, so that no check lacks its
 * webhook; and a check never waits for a receiver.
 */
export class CheckWebhooks extends Context.Service<
  CheckWebhooks,
  {
    /** Records that a webhook gets the events of a check, and that the check has started. */
    readonly subscribe: (check: Pick<Check, "id" | "teamId">, webhook: Webhook) => Effect.Effect<void, StoreError>
    /** Sends the events of a check that are not sent yet. Call it after they are committed. Returns at once. */
    readonly send: (checkId: string) => Effect.Effect<void>
  }
>()("millrace/CheckWebhooks") {}

/**
 * The remaining credits of a team. A check that may cost more is entered as skipped, and reads nothing.
 *
 * Implementations count everything that the team has paid for, and not only checks. Without accounts, credits are infinite.
 */
export class TeamCredits extends Context.Service<
  TeamCredits,
  {
    /** The remaining credits, 0 or more. */
    readonly remaining: (teamId: string) => Effect.Effect<number, StoreError>
    /** Reserves credits of the team and runs work that takes at most these; none: fewer credits remain. */
    readonly reserving: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E | StoreError, R>
  }
>()("millrace/TeamCredits") {}
