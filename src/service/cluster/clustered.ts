/** What the processes of one database do together: hosts and teams, each in one place. */
import * as Layer from "effect/Layer"
import { exchanges } from "../readingPages.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import * as clusteredPlaces from "./clusteredPlaces.ts"
import * as clusteredTeams from "./clusteredTeams.ts"
import * as joinCluster from "./joinCluster.ts"
import type * as runner from "./runner.ts"

export const layer = (options: runner.Options, config: ServiceConfig) =>
  Layer.mergeAll(clusteredPlaces.layer(config).pipe(Layer.provide(exchanges(config))), clusteredTeams.layer).pipe(
    Layer.provideMerge(joinCluster.layer(options))
  )
