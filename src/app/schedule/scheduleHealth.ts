/**
 * The state of a scheduler over HTTP: /health for the program that restarts it, /metrics for Prometheus.
 *
 * The scheduler is healthy while it looks at its schedule regularly. Problems of files are reported, but do not make it
 * unhealthy. Nobody asks its database: whoever looks is answered while that is silent.
 */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as ScheduleMetrics from "#engine/ScheduleMetrics"
import type * as Scheduler from "#engine/Scheduler"
import { notListening } from "#see/CliFailure"

export interface Options {
  readonly host: string
  readonly port: number
  readonly scheduler: Scheduler.Scheduler
  /** The problems of files, by their paths. */
  readonly problems: ReadonlyMap<string, string>
}

/** A scheduler looks at its schedule at least once a minute. After this time without a look it is stuck. */
const stuckMillis = 300_000

/** Serves until the scope closes. */
export const scheduleHealth = Effect.fnUntraced(function* (options: Options) {
  const { host, port } = options
  const app = Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const path = url.split("?")[0]
    if (method !== "GET" && method !== "HEAD") return HttpServerResponse.text("use GET or HEAD\n", { status: 405 })
    if (path === "/health") return yield* health(options)
    if (path === "/metrics") return yield* metrics(options)
    return HttpServerResponse.text("not found: the paths here are /health and /metrics\n", { status: 404 })
  })
  const server = NodeHttpServer.layer(createServer, { host, port, gracefulShutdownTimeout: "1 second" })
  const serve = Effect.andThen(
    HttpServer.serveEffect(app),
    HttpServer.addressFormattedWith((url) =>
      Effect.sync(() => process.stderr.write(`millrace serves health and metrics at ${url}\n`))
    )
  )
  yield* Layer.build(Layer.effectDiscard(serve).pipe(Layer.provide(server))).pipe(
    Effect.catchTag("ServeError", ({ cause }) => notListening(host, port, cause))
  )
})

const health = Effect.fnUntraced(function* ({ problems, scheduler }: Options) {
  const { isStopping, lookedAt, open, tasks } = yield* scheduler.view
  const isStuck = (yield* Clock.currentTimeMillis) - lookedAt > stuckMillis
  const status = isStopping ? "stopping" : isStuck ? "stuck" : "ok"
  return HttpServerResponse.jsonUnsafe(
    {
      status,
      pipelines: tasks.map(({ next, task: { name } }) => ({
        pipeline: name,
        running: open.some(({ state, task }) => state === "running" && task === name),
        waiting: open.filter(({ state, task }) => state === "waiting" && task === name).length,
        next: next === undefined ? null : new Date(next).toISOString()
      })),
      problems: Object.fromEntries(problems)
    },
    { status: status === "ok" ? 200 : 503 }
  )
})

const metrics = Effect.fnUntraced(function* ({ scheduler }: Options) {
  const { open, tasks } = yield* scheduler.view
  const now = yield* Clock.currentTimeMillis
  const begins = open.flatMap(({ begin_at: begin, state }) => (state === "waiting" && begin < now ? [begin] : []))
  yield* ScheduleMetrics.now(
    tasks.map(({ next, task: { name } }) => ({ name, next })),
    open.filter(({ state }) => state === "running").length,
    begins.length === 0 ? 0 : now - Math.min(...begins)
  )
  return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
    contentType: "text/plain; version=0.0.4; charset=utf-8"
  })
})
