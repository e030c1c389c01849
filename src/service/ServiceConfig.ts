/**
 * What the operator of a service decides.
 */
import type * as Redacted from "effect/Redacted"
import type { CrawlerName } from "#base/CrawlerName"
import type { MailConfig } from "#base/Mail"
import type { Endpoint } from "#web/AddressGuard"
import type { ModelConfig } from "#web/ChatModel"
import type { Workers } from "#web/PageWorkers"
import * as Patience from "#web/Patience"
import type { Proxies } from "#web/Proxies"
import * as Plan from "./AccountPlan.ts"
import type { Provider } from "./Provider.ts"
import type { Options as ClusterOptions } from "./runner.ts"

/** The settings of a service. Times are milliseconds. */
export interface ServiceConfig {
  /**
   * The database of jobs and results: a SQLite file or ":memory:", for one process; or the `postgres://` URL of a database
   * that several processes may share, redacted if it has a password.
   */
  readonly database: string | Redacted.Redacted
  /** The keys of callers. Without any key the service is open to all: right if only this machine reaches it. */
  readonly keys: ReadonlyArray<Key>
  /** What callers without a key may do, if the service has keys. */
  readonly keyless: Plan.Plan
  /** Keys that may change while the service runs. Default: `keys` and `keyless`, which do not. */
  readonly keyRing?: { readonly current: () => Pick<ServiceConfig, "keys" | "keyless"> }
  /** Whether private and loopback addresses may be crawled. */
  readonly allowPrivate: boolean
  /** Host names and the endpoints to connect to instead, as in `--resolve HOST=ADDR:PORT`. */
  readonly resolve: ReadonlyMap<string, Endpoint>
  /** What requests to the web say who asks, and whose rules in robots.txt they obey. Default: Millrace. */
  readonly crawler?: CrawlerName | undefined
  /** The proxies for requests to the web. Default: none. */
  readonly proxies?: Proxies | undefined
  /**
   * The key that encrypts headers of callers in the store. Default: a key in a file beside a SQLite database. Processes that
   * share a Postgres must all be given the same key; without one, headers are stored unencrypted.
   */
  readonly sealKey?: Redacted.Redacted
  /** Callers with this key may read the metrics of the service from anywhere. Default: only this machine may. */
  readonly operatorKey?: Redacted.Redacted
  /** Signs webhooks of teams whose keys have no secret of their own. Default: these webhooks are not signed. */
  readonly webhookSecret?: Redacted.Redacted
  /** The language model that fills schemas and runs agents. Default: our own rules do. */
  readonly model?: ModelConfig
  /** The server that searches the web, with SearXNG's JSON. Default: searches find only pages that the team has read. */
  readonly webSearch?: URL
  /** The index of government texts: a SQLite file, or a `postgres://` URL. Default: there are no texts. */
  readonly govDatabase?: string | Redacted.Redacted
  /** Providers of data that agents and searches may use. Default: none. */
  readonly providers?: ReadonlyArray<Provider>
  /** The mail server for e-mails of monitors. Default: no e-mails are sent. */
  readonly mail?: MailConfig
  /** The maximum number of requests in flight with one host, over all crawls. */
  readonly perHost: number
  /** The maximum number of requests in flight of this process, over all hosts. Default: no limit. */
  readonly inFlight?: number | undefined
  /** Whether pages that are shorter than their Content-Length are read, with a warning. Default: they fail. */
  readonly acceptsWrongLength?: boolean
  /** How often, and after how long, jobs retry pages that a site refuses. */
  readonly patience: Patience.Patience
  /**
   * How this process joins the cluster of processes that share a Postgres: then one of them at a time sends requests to a
   * host. Default: each process keeps the delays and limits of hosts and teams by itself.
   */
  readonly cluster?: ClusterOptions
  /** Threads that parse pages of crawls. Default: one less than there are cores, after a second of work. */
  readonly workers?: Workers
}

/** A key that callers send, and its team. */
export interface Key {
  /** Callers send it as `Authorization: Bearer KEY`. */
  readonly key: Redacted.Redacted
  /** The owner of jobs and credits. Several keys may belong to one team; they must have the same plan. */
  readonly teamId: string
  /** What its team may use. Default: 1,000,000 credits, 600 requests per minute, 50 pages at a time. */
  readonly plan?: Plan.Plan
  /** Signs the team's webhooks. Default: `webhookSecret` of the service. */
  readonly webhookSecret?: Redacted.Redacted
}

/**
 * A service in memory, without keys, that reaches only public addresses.
 *
 * @example
 * ```ts
 * import { ServiceConfig } from "millrace/service"
 *
 * const config: ServiceConfig.ServiceConfig = { ...ServiceConfig.defaults, perHost: 2, inFlight: 20 }
 * console.log(config.database, config.allowPrivate) // ":memory:" false
 * ```
 */
export const defaults: ServiceConfig = {
  database: ":memory:",
  keys: [],
  keyless: Plan.keyless,
  allowPrivate: false,
  resolve: new Map(),
  perHost: 8,
  patience: Patience.defaults
}
