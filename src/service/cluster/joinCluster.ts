/** Makes this process a member of those that serve a Postgres together. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as runner from "../runner.ts"
import { Cluster } from "./Cluster.ts"
import * as ClusterStore from "./ClusterStore.ts"
import * as HostRegistry from "./HostRegistry.ts"
import * as reporting from "./reporting.ts"
import * as SealedBytes from "./sealedBytes.ts"
import * as Standstill from "./standstill.ts"

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
  yield* reporting.run(address, store, registry)
  return Cluster.of({
    address,
    store,
    sealed: SealedBytes.withSecret(yield* store.secret),
    registry,
    standstill: yield* Standstill.watch
  })
})
