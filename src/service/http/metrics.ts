/**
 * `GET /metrics`, for Prometheus: the work of the service, over all teams.
 *
 * Guarantee: metrics are for the operator only (`operator.ts`), and no label names a team, a host or a page.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type * as Redacted from "effect/Redacted"
import { type Counted, ServiceCounts } from "../store/ServiceCounts.ts"
import { storeFailed } from "./failures.ts"
import { isForOperator, operatorOnly } from "./operator.ts"

const jobs = Metric.gauge("millrace_service_jobs", { description: "jobs in the store, by kind and status" })
const pages = Metric.gauge("millrace_service_pages", { description: "pages of these jobs, by state" })
const deliveries = Metric.gauge("millrace_service_webhook_deliveries", {
  description: "deliveries of webhooks in the store, by state"
})
const credits = Metric.gauge("millrace_service_credits_used", {
  description: "credits that all teams have used since the store was created"
})
const oldestJob = Metric.gauge("millrace_service_oldest_job_seconds", {
  description: "age of the oldest job that has not ended"
})
const oldestDelivery = Metric.gauge("millrace_service_oldest_delivery_seconds", {
  description: "how long the most overdue delivery has waited"
})

export const metrics = Effect.fnUntraced(
  function* (operatorKey: Redacted.Redacted | undefined) {
    if (!(yield* isForOperator(operatorKey))) return operatorOnly("metrics are")
    const counts = yield* ServiceCounts
    yield* updateGauges(yield* counts.now)
    return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
      contentType: "text/plain; version=0.0.4; charset=utf-8"
    })
  },
  Effect.catchTag("StoreError", storeFailed)
)

const updateGauges = (counted: Counted) => {
  const known = kinds.flatMap((kind) => statuses.map((status) => ({ kind, status })))
  return Effect.all([
    // A kind with no jobs left is reported as 0, otherwise its last number would stay.
    ...known.map((one) => {
      const found = counted.jobs.find(({ kind, status }) => kind === one.kind && status === one.status)
      return Metric.update(Metric.withAttributes(jobs, one), found?.count ?? 0)
    }),
    ...Object.entries(counted.pages).map(([state, count]) =>
      Metric.update(Metric.withAttributes(pages, { state }), count)
    ),
    ...Object.entries(counted.deliveries).map(([state, count]) =>
      Metric.update(Metric.withAttributes(deliveries, { state: state.replace(" ", "_") }), count)
    ),
    Metric.update(credits, counted.credits),
    Metric.update(oldestJob, counted.oldestJobSeconds),
    Metric.update(oldestDelivery, counted.oldestDeliverySeconds)
  ])
}

const kinds = ["crawl", "batch", "extract", "agent"]
const statuses = ["scraping", "completed", "failed", "cancelled"]
