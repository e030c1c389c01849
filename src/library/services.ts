/**
 * What a pipeline needs to run, put together: its journal and stage, the object stores, and the client of its web data
 * service.
 *
 * A service is started only when its source is really asked, and only after this run has the journal of the pipeline:
 * otherwise two runs could both continue the same jobs.
 */
import { join } from "node:path"
import * as Config from "effect/Config"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { connectors } from "#connectors/index"
import { crawlsHere } from "#connectors/webdata/embeddedCrawl"
import { inboxOf } from "#connectors/webdata/inboxOf"
import type { EmbeddedCrawl } from "#contract/EmbeddedCrawl"
import { WebData } from "#contract/WebData"
import type { Inboxes } from "#engine/Inbox"
import { layer as inboxes } from "#engine/Inboxes"
import * as Journals from "#engine/Journals"
import type { ObjectStores } from "#engine/ObjectStore"
import { objectStores } from "#engine/objectStores"
import type * as Pipeline from "#engine/Pipeline"
import type { PipelineFile } from "#engine/PipelineFile"
import { SourceError } from "#engine/Source"
import * as Stages from "#engine/Stages"
import type { Endpoint } from "#web/AddressGuard"
import { ofRun as govOfRun } from "./databases.ts"
import { type StartError, wrong } from "./StartError.ts"
import { fromEnvironment } from "./thinkingConfig.ts"

export interface NetworkFlags {
  readonly allowPrivate: boolean
  readonly resolve: ReadonlyArray<string>
  /** Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What a source or a sink of Millrace may need. */
export type Services = WebData | ObjectStores | Inboxes

/** What a pipeline needs to know of its service: which it is, and how that reaches the web. */
type ServiceKeys = Pick<PipelineFile<never>, "crawler" | "service" | "network">

/** Stands in for a client that is never used: making a real one takes a tenth of the time of a small run. */
export const unasked = Layer.sync(WebData, () => {
  const get = (_: object, group: string | symbol): never => {
    throw new Error(`no service was started, and ${String(group)} of one was asked for`)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has no property that could be of another type
  return new Proxy({}, { get }) as WebData["Service"]
})

/** The parts of a run that are the same for every pipeline, beside its journal. */
export const parts = Layer.mergeAll(objectStores(connectors), Stages.layer, inboxes)

/**
 * Everything but the service of a source. A client that nobody asks stands in for it: all that only reads destinations,
 * or the journal, needs no more.
 */
export const engine = Layer.mergeAll(parts, Journals.layer, unasked)

export { layer as journals } from "#engine/Journals"

/**
 * A pipeline with the service that its file names. Flags of the command line add to what the file says. One that reads an
 * inbox asks no service, and starts none.
 */
export const withService = Effect.fnUntraced(function* (
  file: ServiceKeys,
  pipeline: Pipeline.Pipeline<Services>,
  flags: NetworkFlags,
  /** Whether the jobs of an embedded service outlive this process, so that a killed run can be continued. */
  keeps: boolean
) {
  if (pipeline.source.standsAlone === true || inboxOf(pipeline.source) !== undefined) return pipeline
  const pipelineFolder = Journals.folderOf(pipeline.name, pipeline.directory)
  const { crawls, service } = yield* layersOf(file, flags, keeps ? join(pipelineFolder, "service.sqlite") : ":memory:")
  return provided(pipeline, Layer.build(service), crawls === undefined ? undefined : Layer.build(crawls))
})

/**
 * The same for pipelines that run side by side: an embedded service is one for all of them, so that a host gets no more
 * requests than from one. It is started when the first source is asked, and stays until the scope closes.
 */
export const sharedService = Effect.fnUntraced(function* (
  file: ServiceKeys,
  flags: NetworkFlags,
  /** Where an embedded service keeps its jobs. */
  database: string
) {
  const scope = yield* Effect.scope
  const { crawls, service } = yield* layersOf(file, flags, database)
  const build = yield* Effect.cached(Scope.provide(Layer.build(service), scope))
  const own = crawls === undefined ? undefined : yield* Effect.cached(Scope.provide(Layer.build(crawls), scope))
  return (pipeline: Pipeline.Pipeline<Services>) =>
    pipeline.source.standsAlone === true ? pipeline : provided(pipeline, build, own)
})

/** The client of the service that a file names, for a request outside a run. An embedded one keeps nothing. */
export const serviceOf = (file: ServiceKeys, flags: NetworkFlags) =>
  Effect.map(layersOf(file, flags, ":memory:"), ({ service }) => service)

/** The client of a service, and what crawls in this process, where the service is embedded. */
interface Layers {
  readonly service: Layer.Layer<WebData, unknown>
  readonly crawls?: Layer.Layer<EmbeddedCrawl, unknown>
}

const layersOf = Effect.fnUntraced(function* (
  { crawler, network, service }: ServiceKeys,
  flags: NetworkFlags,
  database: string
): Effect.fn.Return<Layers, StartError> {
  if (service !== "embedded") {
    const { key, url } = service
    const client = WebData.layer({ baseUrl: url, ...(key === undefined ? {} : { key }) })
    return { service: client.pipe(Layer.provide(overHttp)) }
  }
  const resolve = yield* parseResolves([...network.resolve, ...flags.resolve])
  const thinking = yield* fromEnvironment
  const providers = yield* namedProviders
  const govDatabase = (yield* govOfRun).place
  const allowPrivate = flags.allowPrivate || network.allow_private
  const proxies = yield* proxiesOf(network.proxy, flags.env)
  const acceptsWrongLength = network.accept_wrong_length
  const reach = { allowPrivate, resolve, proxies, acceptsWrongLength }
  const settings = { ...thinking, ...providers, database, govDatabase, crawler, ...reach }
  // What is not used is not loaded: a hosted service needs none of it, and crawls in this process need no service.
  const config = Effect.gen(function* () {
    const ServiceConfig = yield* Effect.promise(() => import("#service/ServiceConfig"))
    const Patience = yield* Effect.promise(() => import("#web/Patience"))
    const patience = network.tries === undefined ? {} : { patience: Patience.withTries(network.tries) }
    const perHost = network.per_host === undefined ? {} : { perHost: network.per_host }
    const inFlight = { inFlight: network.in_flight }
    return { ...ServiceConfig.defaults, ...patience, ...perHost, ...inFlight, ...settings }
  })
  return {
    service: Layer.unwrap(
      Effect.gen(function* () {
        const Embedded = yield* Effect.promise(() => import("#service/Embedded"))
        const client = WebData.layer({ baseUrl: Embedded.baseUrl })
        return client.pipe(Layer.provide(Embedded.layer(yield* config)))
      })
    ),
    crawls: Layer.unwrap(
      Effect.gen(function* () {
        const EmbeddedCrawls = yield* Effect.promise(() => import("#service/EmbeddedCrawls"))
        return EmbeddedCrawls.layer(yield* config)
      })
    )
  }
})

/** The providers that MILLRACE_PROVIDERS names. If it is not set, the code that reads their file is not loaded. */
const namedProviders = Effect.gen(function* () {
  const named = yield* Config.option(Config.String("MILLRACE_PROVIDERS")).pipe(Effect.orDie) // an option of text cannot fail
  if (Option.getOrElse(named, () => "") === "") return {}
  const { providersOfEnvironment } = yield* Effect.promise(() => import("./serviceProviders.ts"))
  return yield* providersOfEnvironment
})

/** A pipeline whose source has its client, or crawls in this process, made when it is first asked. */
const provided = <E, R>(
  pipeline: Pipeline.Pipeline<Services>,
  service: Effect.Effect<Context.Context<WebData>, E, R>,
  crawls: Effect.Effect<Context.Context<EmbeddedCrawl>, E, R> | undefined
): Pipeline.Pipeline<Services | R> => {
  const { source } = pipeline
  const orSourceError = Effect.mapError(
    (cause: E) =>
      new SourceError({
        source: source.type,
        message: `the service cannot start: ${reasonOf(cause)}`,
        retryable: true,
        cause
      })
  )
  return {
    ...pipeline,
    source: {
      ...source,
      fetch: (from) => {
        const made: Effect.Effect<Context.Context<never>, E, R> = crawls !== undefined && crawlsHere(source, from)
          ? crawls
          : service
        return Stream.unwrap(
          Effect.map(orSourceError(made), (context) => Stream.provideContext(source.fetch(from), context))
        )
      }
    }
  }
}

/** Who asks a hosted service. */
const overHttp = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("effect/http/FetchHttpClient")),
    (FetchHttpClient) => FetchHttpClient.layer
  )
)

/** The proxies of the environment, or what a file says before them. */
export const proxiesOf = Effect.fnUntraced(function* (
  ownProxy?: Redacted.Redacted<string>,
  env: NonNullable<NetworkFlags["env"]> = process.env
) {
  const Proxies = yield* Effect.promise(() => import("#web/Proxies"))
  return yield* Effect.try({
    try: () => Proxies.make(env, ownProxy === undefined ? undefined : Redacted.value(ownProxy)),
    catch: (cause) => wrong(cause instanceof Error ? cause.message : String(cause))
  })
})

/** HOST=ADDR:PORT, each of them. */
export const parseResolves = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
  if (texts.length === 0) return new Map<string, Endpoint>()
  const AddressGuard = yield* Effect.promise(() => import("#web/AddressGuard"))
  const entries = yield* Effect.forEach(texts, (text) => {
    const parsed = AddressGuard.parseResolve(text)
    return parsed === undefined
      ? Effect.fail(
          wrong(`--resolve must be HOST=ADDR:PORT, such as shop.example=127.0.0.1:8080, not ${JSON.stringify(text)}`)
        )
      : Effect.succeed(parsed)
  })
  return new Map(entries)
})

/** The message of the innermost cause: it says what happened. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
