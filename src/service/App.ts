/**
 * The whole service as one HTTP effect: a request in, an answer out. `Server` serves it on a port, `Embedded` gives it to
 * a client in the same process.
 */
import * as ByteSize from "effect/ByteSize"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as CrawlerName from "#base/CrawlerName"
import * as HtmlPage from "#base/HtmlPage"
import { Mail } from "#base/Mail"
import { Api } from "#contract/Api"
import * as Limits from "#contract/Limits"
import * as gov from "#law/govLayer"
import { AgentModel } from "#web/AgentModel"
import type { ModelConfig } from "#web/ChatModel"
import { type Session, Sessions } from "#web/Sessions"
import { Accounts } from "./accounts/Accounts.ts"
import { Catalog } from "./Catalog.ts"
import { Cluster } from "./cluster/Cluster.ts"
import * as authorization from "./http/authorization.ts"
import { docsPage } from "./http/docsPage.ts"
import { sealedRequests } from "./http/failures.ts"
import * as agent from "./http/handlers/agent.ts"
import * as extract from "./http/handlers/extract.ts"
import * as govSearch from "./http/handlers/govSearch.ts"
import * as interact from "./http/handlers/interact.ts"
import { layerBatch, layerCrawl } from "./http/handlers/jobRoutes.ts"
import * as map from "./http/handlers/map.ts"
import * as monitor from "./http/handlers/monitor.ts"
import * as parse from "./http/handlers/parse.ts"
import * as scrape from "./http/handlers/scrape.ts"
import * as search from "./http/handlers/search.ts"
import * as support from "./http/handlers/support.ts"
import * as team from "./http/handlers/team.ts"
import { httpErrors } from "./http/httpErrors.ts"
import { clusterRoute, metrics } from "./http/operator.ts"
import { termsPages } from "./http/termsPages.ts"
import { isOlderApi, olderApi } from "./http/v1/olderApi.ts"
import * as validation from "./http/validation.ts"
import { watcher } from "./http/watcher.ts"
import { AgentJobs } from "./jobs/AgentJobs.ts"
import { CrawlJobs } from "./jobs/CrawlJobs.ts"
import { ExtractJobs } from "./jobs/ExtractJobs.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { Monitors } from "./jobs/Monitors.ts"
import { layerSearch } from "./layerSearch.ts"
import { MonitorRunner } from "./monitor/MonitorRunner.ts"
import * as monitorPorts from "./monitors/monitorPorts.ts"
import { guardOf, readingPages } from "./readingPages.ts"
import type { Options as ClusterOptions } from "./runner.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"
import { ProcessLease } from "./store/ProcessLease.ts"
import type { ServiceCounts } from "./store/ServiceCounts.ts"
import { stores } from "./store/stores.ts"
import { Receivers } from "./webhooks/Receivers.ts"
import { WebhookSender } from "./webhooks/WebhookSender.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"

/** The app, and whether its database has answered lately. */
export const whole = Effect.fnUntraced(function* (config: ServiceConfig) {
  const crawler = CrawlerName.identityOf(config.crawler)
  const services = yield* Effect.provideService(Layer.build(work(config)), CrawlerName.Current, crawler)
  const routes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide([
      layerCrawl,
      layerBatch,
      scrape.layer,
      interact.layer,
      map.layer,
      parse.layer,
      extract.layer,
      agent.layer,
      search.layer,
      govSearch.layer,
      monitor.layer,
      support.layer,
      team.layer
    ]),
    Layer.provide([authorization.layer, validation.layer]),
    Layer.provide(Layer.succeedContext(services))
  )
  const router = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(routes, docs, measured(config, services), clusterStatus(config, services))
  )
  const viewed = (yield* Effect.provideContext(liveView, services))(router)
  const watched = (yield* Effect.provideContext(watcher, services))(viewed)
  const checked = httpErrors(olderApi(watched), sealedRequests(services), isOperation)
  // A form is not JSON, so these pages come before the check of bodies.
  const withTerms = (yield* Effect.provideContext(termsPages, services))(checked)
  const app = withTerms.pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(Limits.maxBodyBytes)))
  return { app, isReady: Context.get(services, ProcessLease).isHeard }
})

export const build = (config: ServiceConfig) => Effect.map(whole(config), ({ app }) => app)

const measured = ({ operatorKey }: ServiceConfig, services: Context.Context<ServiceCounts>) =>
  HttpRouter.add("GET", "/metrics", Effect.provideContext(metrics(operatorKey), services))

const clusterStatus = ({ operatorKey }: ServiceConfig, services: Context.Context<never>) =>
  HttpRouter.add(
    "GET",
    "/cluster",
    clusterRoute(operatorKey, Option.getOrUndefined(Context.getOption(services, Cluster)))
  )

/** The page is built for each request. */
const docs = HttpRouter.add(
  "GET",
  "/docs",
  Effect.sync(() => HttpServerResponse.html(docsPage({ ...OpenApi.fromApi(Api) })))
)

/** Loads the code for a model only if one is configured. */
const thinking = (model: ModelConfig) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./agent/layerModel.ts")),
      ({ layerModel }) => layerModel(model)
    )
  )

/** Loads the code for a cluster only if there is one. */
const clustered = (cluster: ClusterOptions, config: ServiceConfig) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./cluster/clustered.ts")),
      (clustered) => clustered.layer(cluster, config)
    )
  )

/** Everything that does the work: the store, the network, the jobs. */
const work = (config: ServiceConfig) => {
  const storage = stores(config.database, config.sealKey)
  const shared =
    config.cluster === undefined ? undefined : clustered(config.cluster, config).pipe(Layer.provideMerge(storage))
  const accounts =
    shared === undefined
      ? Accounts.layer(config).pipe(Layer.provideMerge(storage))
      : Accounts.layerShared(config).pipe(Layer.provideMerge(shared))
  const reading = shared === undefined ? readingPages(config) : readingPages(config, shared)
  const sessions = Sessions.layer.pipe(Layer.provideMerge(reading))
  const webhooks = Webhooks.layer(config).pipe(
    Layer.provide([WebhookSender.layer(guardOf(config)), shared ?? Receivers.layer, accounts])
  )
  const search = layerSearch(config).pipe(Layer.provide(accounts))
  const thinker = config.model === undefined ? AgentModel.layerRules : thinking(config.model)
  const parts = Layer.mergeAll(
    accounts,
    sessions.pipe(Layer.provide(accounts)),
    webhooks,
    search,
    gov.layer(config.govDatabase),
    Catalog.layer(config.providers ?? [], guardOf(config)),
    thinker,
    Mail.layer(config.mail)
  )
  const jobs = Jobs.layer(config).pipe(Layer.provideMerge(parts))
  const monitors = Monitors.layer.pipe(
    Layer.provideMerge(MonitorRunner.layer),
    Layer.provide(monitorPorts.layer(config))
  )
  return Layer.mergeAll(CrawlJobs.layer(config), ExtractJobs.layer, AgentJobs.layer, monitors).pipe(
    Layer.provideMerge(jobs)
  )
}

/**
 * Whether a request is for an operation of the contract or of the older API. The router knows it too, but only when it runs
 * the operation, and the body is checked before that.
 */
const isOperation = (request: HttpServerRequest.HttpServerRequest): boolean =>
  operations.find(request.method, request.url) !== undefined || isOlderApi(request)

/** The path of the operation that a request is for, as the contract writes it; undefined: it is for none. */
export const routeOf = ({ method, url }: HttpServerRequest.HttpServerRequest): string | undefined =>
  operations.find(method, url)?.handler

const operations = FindMyWay.make<string>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint: { method, path } }) => operations.on(method, `/${path.slice(1)}`, path)
})

/**
 * The app with `/live/TOKEN` before it: a page with a picture of the browser of a session, which reloads every two seconds.
 *
 * It needs only the token in its URL, so that a person can watch without the team's key. It cannot change anything.
 */
const liveView = Effect.map(
  Sessions,
  (sessions) =>
    <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const [, token, part] = /\/live\/([\w-]{1,100})(\/picture)?(?:[?#]|$)/.exec(request.url) ?? []
        if (token === undefined || request.method !== "GET") return yield* app
        const session = sessions.viewedBy(token)
        if (session === undefined) return HttpServerResponse.text("this session has ended\n", { status: 404, headers })
        if (part === undefined) return viewOf(session)
        return yield* session.page.picture.pipe(
          Effect.map((bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "image/jpeg", headers })),
          Effect.catchTag("FetchError", ({ message }) =>
            Effect.succeed(HttpServerResponse.text(`${message}\n`, { status: 503, headers }))
          )
        )
      })
)

/** The browser stores nothing, sends the URL to no one else, and runs nothing of the page, which is only a picture. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
}

const viewOf = ({ token }: Session) =>
  HttpServerResponse.text(
    HtmlPage.page({
      title: "Live view",
      head: '<meta http-equiv="refresh" content="2">\n',
      style: "body{margin:0;background:#222}img{display:block;max-width:100%;margin:auto}",
      body: `<img src="/live/${token}/picture" alt="what the browser shows">`
    }),
    { contentType: "text/html; charset=utf-8", headers }
  )
