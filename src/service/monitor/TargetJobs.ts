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
import type { BadRequest, Forbidden, NotFound, Unprocessable } from "#contract/Errors"
import type { Target } from "#contract/MonitorTarget"
import type { Job } from "#web/Job"
import type { StoreError } from "#web/StoreError"

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
