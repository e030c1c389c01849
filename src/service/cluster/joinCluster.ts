/** Makes this process a member of those that serve a Postgres together. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { version } from "#web/exchangeBytes"
import * as runner from "../runner.ts"
import { Cluster, watchStandstill } from "./Cluster.ts"
import type { Report } from "./ClusterStore.ts"
import * as ClusterStore from "./ClusterStore.ts"
import * as HostRegistry from "./HostRegistry.ts"
import { type Host, oldestMillis } from "./HostRegistry.ts"
import * as SealedBytes from "./sealedBytes.ts"

/** A member until the scope closes; before it ends, it gives its hosts away. */
export const layer = (options: runner.Options) =>
  Layer.unwrap(
    Effect.map(runner.addressOf(options), (address) =>
      Layer.effect(Cluster, make(address)).pipe(Layer.provideMerge(runner.layer(address, options)))
    )
  )

const make = Effect.fnUntraced(function* ({ host, port }: runner.Address) {
  const store = yield* ClusterStore.open
  yield* store.alone
  const address = `${host}:${port}`
  const registry = HostRegistry.create()
  yield* report(address, store, registry)
  return Cluster.of({
    address,
    store,
    sealed: SealedBytes.withSecret(yield* store.secret),
    registry,
    standstill: yield* watchStandstill
  })
})

const gauge = (name: string, description: string) => Metric.gauge(`millrace_cluster_${name}`, { description })
const hosts = gauge("hosts", "hosts that live in this process")
const waiting = gauge("waiting_exchanges", "exchanges that wait for their turn, or are in flight, in this process")
const oldest = gauge("oldest_exchange_seconds", "age of the oldest exchange that waits or is in flight in this process")
const requests = gauge("requests", "requests that this process has sent to the hosts that live in it")
const arrivals = gauge("host_arrivals", "hosts that have moved to this process since its start")
const silent = gauge("silent_hosts", "hosts that have waiting exchanges, and no request for a minute")

/**
 * The reports of this process to the database, one each time it renews its lease: for `GET /cluster`, the metrics, and the
 * other processes.
 *
 * It is also the watchdog: a host that has waiting exchanges, and no request for a minute, is logged once, and counts in a
 * metric as long as that lasts.
 *
 * Reports now and until the scope closes; then it withdraws the report.
 */
export const report = Effect.fnUntraced(function* (
  address: string,
  store: ClusterStore.ClusterStore,
  registry: HostRegistry.HostRegistry
) {
  let known: ReadonlySet<string> = new Set()
  const report = Effect.gen(function* () {
    const own = reportOf(address, registry, yield* Clock.currentTimeMillis)
    yield* Effect.all([
      Metric.update(hosts, own.hosts),
      Metric.update(waiting, own.waiting),
      Metric.update(oldest, own.oldestSeconds),
      Metric.update(requests, own.requests),
      Metric.update(arrivals, own.arrivals),
      Metric.update(silent, own.silent.length)
    ])
    for (const host of own.silent) if (!known.has(host)) yield* Effect.logWarning(silentLine(host))
    known = new Set(own.silent)
    return own
  })
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(store.withdraw, "2 seconds")))
  yield* store.report(report)
})

const reportOf = (address: string, registry: HostRegistry.HostRegistry, now: number): Report => {
  const all = registry.hosts()
  const busy = all
    .filter((host) => host.waiting.size > 0)
    .map((host) => ({ host, oldestSeconds: Math.round(oldestMillis(host, now) / 100) / 10 }))
    .toSorted((a, b) => b.host.waiting.size - a.host.waiting.size)
  return {
    address,
    version,
    hosts: all.length,
    waiting: busy.reduce((sum, { host }) => sum + host.waiting.size, 0),
    oldestSeconds: Math.max(0, ...busy.map(({ oldestSeconds }) => oldestSeconds)),
    requests: all.reduce((sum, host) => sum + host.requests, registry.requestsBefore()),
    arrivals: registry.arrivals(),
    busiest: busy
      .slice(0, mostNamed)
      .map(({ host, oldestSeconds }) => ({ host: host.name, waiting: host.waiting.size, oldestSeconds })),
    silent: busy.filter(({ host }) => isSilent(host, now)).map(({ host }) => host.name)
  }
}

const isSilent = (host: Host, now: number): boolean =>
  now - Math.max(host.askedAt ?? host.since, now - oldestMillis(host, now)) > silentMillis

const silentLine = (host: string) =>
  `${host} has waiting pages, and no request for ${silentMillis / 1000} s: see GET /cluster`

/** Longer than the longest crawl delay that is obeyed. */
const silentMillis = 65_000

const mostNamed = 20
