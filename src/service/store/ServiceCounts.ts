/** Counts of the jobs, pages, deliveries and credits in the store, over all teams: for the operator. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { StoreError } from "#web/StoreError"
import * as StorePort from "./StorePort.ts"

export interface Counted {
  /** Jobs in the store, by kind and status. */
  readonly jobs: ReadonlyArray<{ readonly kind: string; readonly status: string; readonly count: number }>
  /** Pages of these jobs, by state. */
  readonly pages: Readonly<Record<"queued" | "scraped" | "failed" | "blocked", number>>
  /** Deliveries of webhooks, by state. */
  readonly deliveries: Readonly<Record<"pending" | "delivered" | "given up", number>>
  /** The credits that all teams have used since the store was created. */
  readonly credits: number
  /** The age of the oldest job that has not ended, and how long the most overdue delivery has waited, in seconds. */
  readonly oldestJobSeconds: number
  readonly oldestDeliverySeconds: number
}

export class ServiceCounts extends Context.Service<
  ServiceCounts,
  { readonly now: Effect.Effect<Counted, StoreError> }
>()("millrace/service/ServiceCounts") {
  static readonly layer = Layer.effect(
    ServiceCounts,
    Effect.suspend(() => make)
  )
}

interface JobRow {
  readonly kind: string
  readonly status: string
  readonly count: number
  readonly queued: number
  readonly scraped: number
  readonly failed: number
  readonly blocked: number
  readonly oldest: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const now = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const jobs = yield* sql<JobRow>`SELECT kind, status, count(*) AS count, sum(queued) AS queued,
      sum(scraped) AS scraped, sum(failed) AS failed, sum(blocked) AS blocked, min(created_at) AS oldest
      FROM job GROUP BY kind, status`
    const deliveries = yield* sql<{ state: string; count: number; oldest: number }>`
      SELECT state, count(*) AS count, min(due_at) AS oldest FROM webhook_delivery GROUP BY state`
    const [usage] = yield* sql<{ credits: number | null }>`SELECT sum(credits) AS credits FROM team_usage`
    const pages = (name: "queued" | "scraped" | "failed" | "blocked") =>
      jobs.reduce((sum, job) => sum + Number(job[name]), 0)
    const deliveriesIn = (state: string) => Number(deliveries.find((row) => row.state === state)?.count ?? 0)
    const since = (times: ReadonlyArray<number>) =>
      Math.max(0, at - times.reduce((oldest, time) => Math.min(oldest, Number(time)), at)) / 1000
    const counted: Counted = {
      jobs: jobs.map(({ count, kind, status }) => ({ kind, status, count: Number(count) })),
      pages: {
        queued: pages("queued"),
        scraped: pages("scraped"),
        failed: pages("failed"),
        blocked: pages("blocked")
      },
      deliveries: {
        pending: deliveriesIn("pending"),
        delivered: deliveriesIn("delivered"),
        "given up": deliveriesIn("given up")
      },
      credits: Number(usage?.credits ?? 0),
      oldestJobSeconds: since(jobs.filter(({ status }) => status === "scraping").map(({ oldest }) => oldest)),
      oldestDeliverySeconds: since(deliveries.filter(({ state }) => state === "pending").map(({ oldest }) => oldest))
    }
    return counted
  })
  return StorePort.fromSql<ServiceCounts["Service"]>({ now })
})
