/**
 * What the operator of a service decides.
 */
import type * as Redacted from "effect/Redacted"
import type { Provider } from "../agent/Provider.ts"
import type { Endpoint } from "../crawler/fetch/AddressGuard.ts"
import type { Proxies } from "../crawler/fetch/Proxies.ts"
import * as Patience from "../crawler/politeness/Patience.ts"
import type { Workers } from "../crawler/scrape/PageWorkers.ts"
import type { MailConfig } from "../mail/Mail.ts"
import type { ModelConfig } from "../model/ChatModel.ts"
import * as Plan from "./accounts/Plan.ts"
import type { Options as ClusterOptions } from "./cluster/runner.ts"

/** All that a service is started with. Times are milliseconds. */
export interface ServiceConfig {
  /**
   * What holds jobs and results: a SQLite file or ":memory:", for one process; or the `postgres://` URL of a database
   * that several may share, redacted where it names a password.
   */
  readonly database: string | Redacted.Redacted
  /** Who may call. Without any key the service is open: right for a service that only this machine reaches. */
  readonly keys: ReadonlyArray<Key>
  /** What callers without a key may do, where keys are asked for. */
  readonly keyless: Plan.Plan
  /** Whether private and loopback addresses may be crawled. */
  readonly allowPrivate: boolean
  /** Host names that are served somewhere else, as `--resolve HOST=ADDR:PORT` says. */
  readonly resolve: ReadonlyMap<string, Endpoint>
  /** Through which proxies the web is reached; none where it is undefined. */
  readonly proxies?: Proxies | undefined
  /**
   * What headers of callers are sealed with in the store. Default: a key in a file beside a SQLite database; where processes
   * share a Postgres they have to be given the same one, and without one headers are stored as they are.
   */
  readonly sealKey?: Redacted.Redacted
  /** Its sender may read the metrics of the service from anywhere. None: only this machine may. */
  readonly operatorKey?: Redacted.Redacted
  /** What webhooks are signed with, for teams whose keys have no secret of their own. Without any they are not signed. */
  readonly webhookSecret?: Redacted.Redacted
  /** The language model that fills schemas and runs agents; none: our own rules do. */
  readonly model?: ModelConfig
  /** Where the web is searched: a server that speaks SearXNG's JSON. None: only pages that the team has read are found. */
  readonly webSearch?: URL
  /** The index of government texts: a SQLite file, or a `postgres://` URL. None: there are no texts. */
  readonly govDatabase?: string | Redacted.Redacted
  /** Providers of data that agents and searches may use. None: there are no providers. */
  readonly providers?: ReadonlyArray<Provider>
  /** What hands over the letters of monitors. None: they are not written. */
  readonly mail?: MailConfig
  /** Pages in flight for one crawl, where the crawl does not say. */
  readonly concurrency: number
  /** Requests in flight with one host, over all crawls. */
  readonly perHost: number
  /** Requests in flight of this process, over all hosts. Default: no limit. */
  readonly inFlight?: number | undefined
  /** How often, and after how long, jobs ask again for pages that a site refuses. */
  readonly patience: Patience.Patience
  /**
   * How this process takes part in the cluster of those that share a Postgres: each host is asked by one of them. None: every
   * process keeps the distances and limits of hosts and teams by itself.
   */
  readonly cluster?: ClusterOptions
  /** Threads that read pages of crawls. Default: one less than there are cores, after a second of work. */
  readonly workers?: Workers
}

/** A key that a caller sends, and the team that it stands for. */
export interface Key {
  /** What callers send as `Authorization: Bearer KEY`. */
  readonly key: Redacted.Redacted
  /** Jobs and credits belong to teams; several keys may be of one team, and then of one plan. */
  readonly teamId: string
  /** What its team may do; default: 1,000,000 credits, 600 requests a minute, 50 pages at a time. */
  readonly plan?: Plan.Plan
  /** What the team's webhooks are signed with. */
  readonly webhookSecret?: Redacted.Redacted
}

/**
 * A service in memory, without keys, that reaches public addresses alone.
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
  concurrency: 8,
  perHost: 8,
  patience: Patience.defaults
}
