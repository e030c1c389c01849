/**
 * All stores of the service on one database, after its migrations.
 *
 * A database is a SQLite file, ":memory:", or the `postgres://` URL of one that other service processes may share.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteRepair from "#base/SqliteRepair"
import { client } from "#base/sqlClient"
import { JobStore } from "#web/JobStore"
import { AccountStore } from "./AccountStore.ts"
import { JobLease } from "./JobLease.ts"
import * as migrations from "./migrations.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { createKnownSeal, Seals } from "./Seals.ts"
import { ServiceCounts } from "./ServiceCounts.ts"
import * as SqlAgentStore from "./SqlAgentStore.ts"
import * as SqlCheckStore from "./SqlCheckStore.ts"
import { layerLease, layerLists, layerPageStates } from "./SqlCheckStore.ts"
import * as SqlCrawlStore from "./SqlCrawlStore.ts"
import * as SqlJobStore from "./SqlJobStore.ts"
import * as SqlMonitorStore from "./SqlMonitorStore.ts"
import * as SqlScrapeStore from "./SqlScrapeStore.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** Only the store of single pages, without the rest. */
export const scrapes = (database: string | Redacted.Redacted) =>
  SqlScrapeStore.layerAlone.pipe(Layer.provide(migrations.layer.pipe(Layer.provideMerge(client(database)))))

/** `sealKey`: the key for secrets. Default: a key in a file beside a database file. */
export const stores = (database: string | Redacted.Redacted, sealKey?: Redacted.Redacted) =>
  Layer.effectDiscard(loseRows).pipe(
    Layer.provideMerge(all),
    Layer.provideMerge(JobLease.layer),
    Layer.provideMerge(ProcessLease.layer),
    Layer.provideMerge(Seals.layer({ database, sealKey })),
    Layer.provideMerge(guarded),
    Layer.provideMerge(client(database, { repairs: true }))
  )

/**
 * What was lost of a damaged database costs the jobs that it was of: a running one fails, one that has ended gets a warning. All is
 * logged once.
 */
const loseRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  const lost = yield* SqliteRepair.unreported
  const ids = lost.flatMap(({ cells }) => (typeof cells["job_id"] === "string" ? [cells["job_id"]] : []))
  for (const id of new Set(ids)) {
    const isEnded = yield* jobs.finish(id, { status: "failed", error: words }, "anybody")
    if (!isEnded) yield* jobs.warn(id, words)
  }
  for (const one of lost) yield* Effect.logWarning(`the database was damaged: ${SqliteRepair.inWords(one)}`)
  yield* sql.withTransaction(SqliteRepair.markReported(lost))
})

const words = "the database of the service was damaged, and something of this job is lost: start it again"

const guarded = Layer.effectDiscard(Effect.andThen(createKnownSeal, SqliteRepair.guard)).pipe(
  Layer.provideMerge(migrations.layer)
)

const all = Layer.mergeAll(
  SqlJobStore.layer,
  SqlAgentStore.layer,
  SqlCrawlStore.layer,
  AccountStore.layer,
  SqlScrapeStore.layer,
  WebhookStore.layer,
  ServiceCounts.layer,
  SqlMonitorStore.layer,
  SqlCheckStore.layer,
  layerLease,
  layerLists,
  layerPageStates
)
