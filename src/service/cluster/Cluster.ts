/**
 * This process as a member of the processes that serve one Postgres together.
 *
 * Effect Cluster decides which process holds which host: by locks of the database, which are released when their process
 * ends. Messages between processes go over TCP and are not stored. Guarantee: the truth is in the ledger of the database. If
 * two processes believed that they hold a host, its requests would come too fast, but no page would be lost or counted twice.
 *
 * This file loads nothing of Effect Cluster: `joinCluster.ts` does.
 */
import * as Context from "effect/Context"
import type * as ClusterStore from "./ClusterStore.ts"
import type * as HostRegistry from "./HostRegistry.ts"
import type * as SealedBytes from "./sealedBytes.ts"
import type * as Standstill from "./standstill.ts"

export class Cluster extends Context.Service<
  Cluster,
  {
    /** `HOST:PORT`, at which other processes reach this one. */
    readonly address: string
    readonly store: ClusterStore.ClusterStore
    readonly sealed: SealedBytes.SealedBytes
    readonly registry: HostRegistry.HostRegistry
    readonly standstill: Standstill.Standstill
  }
>()("millrace/service/Cluster") {}
