/**
 * The processes that serve one Postgres together, as this process takes part in them.
 *
 * Effect Cluster decides which process holds which host: by locks of the database, which fall with their process. Messages
 * between processes go over TCP and are kept nowhere. The law: the truth is in the ledger of the database. If two processes
 * believed that they hold a host, the pace of its requests would suffer, and no page would be lost or counted twice.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ClusterStore from "./ClusterStore.ts"
import * as HostRegistry from "./HostRegistry.ts"
import * as runner from "./runner.ts"
import * as SealedBytes from "./sealedBytes.ts"
import * as Standstill from "./standstill.ts"

export class Cluster extends Context.Service<
  Cluster,
  {
    /** `HOST:PORT`, as other processes reach this one. */
    readonly address: string
    readonly store: ClusterStore.ClusterStore
    readonly sealed: SealedBytes.SealedBytes
    readonly registry: HostRegistry.HostRegistry
    readonly standstill: Standstill.Standstill
  }
>()("millrace/service/Cluster") {}

/** Takes part until the scope closes; then it gives its hosts away before it ends. */
export const layer = (options: runner.Options) =>
  Layer.unwrap(
    Effect.map(runner.addressOf(options), (address) =>
      Layer.effect(Cluster, make(address)).pipe(Layer.provideMerge(runner.layer(address, options)))
    )
  )

const make = Effect.fnUntraced(function* ({ host, port }: runner.Address) {
  const store = yield* ClusterStore.make
  return Cluster.of({
    address: `${host}:${port}`,
    store,
    sealed: SealedBytes.make(yield* store.secret),
    registry: HostRegistry.make(),
    standstill: yield* Standstill.watch
  })
})
