/**
 * All stores of the service on one database, at its newest step.
 */
import * as Layer from "effect/Layer"
import { AccountStore } from "./AccountStore.ts"
import { CrawlStore } from "./CrawlStore.ts"
import * as migrations from "./migrations.ts"
import * as Sqlite from "./Sqlite.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** `database` is a SQLite file, or ":memory:". */
export const stores = (database: string) =>
  Layer.mergeAll(CrawlStore.layer, AccountStore.layer, WebhookStore.layer).pipe(
    Layer.provideMerge(migrations.layer.pipe(Layer.provideMerge(Sqlite.layer(database))))
  )
