/** The shared services of the processes of one database: each host, team and receiver of webhooks lives in one of them. */
import * as Layer from "effect/Layer"
import { exchanges } from "../readingPages.ts"
import type * as runner from "../runner.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import * as clusteredPlaces from "./clusteredPlaces.ts"
import * as clusteredReceivers from "./clusteredReceivers.ts"
import * as clusteredTeams from "./clusteredTeams.ts"
import * as joinCluster from "./joinCluster.ts"

export const layer = (options: runner.Options, config: ServiceConfig) =>
  Layer.mergeAll(
    clusteredPlaces.layer(config).pipe(Layer.provide(exchanges(config))),
    clusteredTeams.layer,
    clusteredReceivers.layer()
  ).pipe(Layer.provideMerge(joinCluster.layer(options)))
