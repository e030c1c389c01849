/**
 * Which requests come from the operator of a service: those from this machine, unless a proxy says that it forwards them
 * for another client; and those with the operator's key. Keys of teams do not count.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Redacted from "effect/Redacted"
import { isLoopback } from "#web/AddressGuard"
import type { Cluster } from "../cluster/Cluster.ts"
import type { Reported } from "../cluster/ClusterStore.ts"
import { type Counted, ServiceCounts } from "../store/ServiceCounts.ts"
import { storeFailed } from "./failures.ts"

/** Whether the current request comes from the operator. */
const isForOperator = (operatorKey: Redacted.Redacted | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => isLocal(request) || isOperator(request, operatorKey))

/** `what`: the start of the sentence, "metrics are". */
const operatorOnly = (what: string): HttpServerResponse.HttpServerResponse => {
  const error = `Forbidden: ${what} for callers on this machine, and for callers that send the operator's key`
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status: 403 })
}

const isLocal = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean => {
  const address = Option.getOrElse(remoteAddress, () => "").replace(/^::ffff:/, "")
  return isLoopback(address) && forwarding.every((name) => headers[name] === undefined)
}

/** The headers in which proxies name the client of a request. */
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

const isOperator = ({ headers }: HttpServerRequest.HttpServerRequest, key: Redacted.Redacted | undefined): boolean => {
  const [, sent = ""] = /^bearer +(.+)$/i.exec(headers["authorization"] ?? "") ?? []
  return key !== undefined && sent !== "" && timingSafeEqual(digest(sent), digest(Redacted.value(key)))
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/**
 * `GET /cluster`: the processes that serve this database, the hosts of each, and what waits there. For the operator.
 *
 * Each process writes its report to the database every two seconds, so any process answers for all. If a report is older
 * than some seconds, its process has ended, hangs or cannot reach the database.
 *
 * `cluster`: undefined if only one process serves the database.
 */
export const clusterRoute = Effect.fnUntraced(
  function* (operatorKey: Redacted.Redacted | undefined, cluster: Cluster["Service"] | undefined) {
    if (!(yield* isForOperator(operatorKey))) return operatorOnly("the cluster is")
    if (cluster === undefined) return HttpServerResponse.jsonUnsafe({ success: true, processes: [] })
    const processes = (yield* cluster.store.reports).map((reported) => processOf(reported, cluster.address))
    const total = (of: (process: (typeof processes)[number]) => number) =>
      processes.reduce((sum, process) => sum + of(process), 0)
    return HttpServerResponse.jsonUnsafe({
      success: true,
      hosts: total(({ hosts }) => hosts),
      waiting: total(({ waiting }) => waiting),
      oldestSeconds: Math.max(0, ...processes.map(({ oldestSeconds }) => oldestSeconds)),
      moves: total(({ arrivals }) => arrivals),
      silent: processes.flatMap(({ silent }) => silent),
      processes
    })
  },
  Effect.catchTag("StoreError", storeFailed)
)

const processOf = ({ ageSeconds, report }: Reported, own: string) => ({
  ...report,
  state: ageSeconds > lateSeconds ? ("late" as const) : ("serving" as const),
  reportedSecondsAgo: ageSeconds,
  answersThis: report.address === own
})

/** The age from which a report is late: after as long, the locks of a silent process go to others. */
const lateSeconds = 6

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

/**
 * `GET /metrics`, for Prometheus: the work of the service, over all teams.
 *
 * Guarantee: metrics are for the operator only (`operator.ts`), and no label names a team, a host or a page.
 */
export const metrics = Effect.fnUntraced(
  function* (operatorKey: Redacted.Redacted | undefined) {
    if (!(yield* isForOperator(operatorKey))) return operatorOnly("metrics are")
    const counts = yield* ServiceCounts
    yield* updateGauges(yield* counts.now)
    yield* processFigures
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
      const entry = counted.jobs.find(({ kind, status }) => kind === one.kind && status === one.status)
      return Metric.update(Metric.withAttributes(jobs, one), entry?.count ?? 0)
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

const residentBytes = Metric.gauge("process_resident_memory_bytes", { description: "memory of this process" })
const heapBytes = Metric.gauge("nodejs_heap_size_used_bytes", { description: "the part of it that JavaScript uses" })
const cpuSeconds = Metric.gauge("process_cpu_seconds", {
  description: "processor time of this process since its start"
})
const loopDelay = Metric.gauge("nodejs_eventloop_lag_seconds", {
  description: "how late the event loop was since the last look: its median, its 99th percentile and its maximum"
})

/** The delay of the event loop since the last look. It begins with the first. */
const delay = monitorEventLoopDelay({ resolution: 20 })

const processFigures = Effect.suspend(() => {
  const { heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  const seconds = (nanos: number) => (Number.isFinite(nanos) ? Math.max(0, nanos / 1e9) : 0)
  const lag = { "0.5": delay.percentile(50), "0.99": delay.percentile(99), "1": delay.max }
  delay.enable()
  delay.reset()
  return Effect.all([
    Metric.update(residentBytes, rss),
    Metric.update(heapBytes, heapUsed),
    Metric.update(cpuSeconds, (system + user) / 1e6),
    ...Object.entries(lag).map(([quantile, nanos]) =>
      Metric.update(Metric.withAttributes(loopDelay, { quantile }), seconds(nanos))
    )
  ])
})

const kinds = ["crawl", "batch", "extract", "agent"]
const statuses = ["scraping", "completed", "failed", "cancelled"]
