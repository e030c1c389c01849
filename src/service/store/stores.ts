/**
 * All stores of the service on one database, at its newest step.
 *
 * A database is a SQLite file, ":memory:", or the `postgres://` URL of one that other service processes may share.
 */
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { client } from "../../sql/client.ts"
import { AccountStore } from "./AccountStore.ts"
import { AgentStore } from "./AgentStore.ts"
import { CheckLists } from "./CheckLists.ts"
import { CheckStore } from "./CheckStore.ts"
import { CrawlStore } from "./CrawlStore.ts"
import { JobLease } from "./JobLease.ts"
import { JobStore } from "./JobStore.ts"
import { MonitorStore } from "./MonitorStore.ts"
import * as migrations from "./migrations.ts"
import { PageStates } from "./PageStates.ts"
import { ScrapeStore } from "./ScrapeStore.ts"
import { WebhookStore } from "./WebhookStore.ts"

export const stores = (database: string | Redacted.Redacted) =>
  Layer.mergeAll(
    JobStore.layer,
    AgentStore.layer,
    CrawlStore.layer,
    AccountStore.layer,
    ScrapeStore.layer,
    WebhookStore.layer,
    MonitorStore.layer,
    CheckStore.layer,
    CheckLists.layer,
    PageStates.layer
  ).pipe(
    Layer.provideMerge(JobLease.layer),
    Layer.provideMerge(migrations.layer.pipe(Layer.provideMerge(client(database))))
  )
