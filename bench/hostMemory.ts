/**
 * What a host costs in the memory of the process in which it lives: as an entity of the cluster that was asked once, with
 * its turns. It is forgotten when it was not asked for three minutes.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Entity from "effect/cluster/Entity"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HostEntity from "../src/service/cluster/HostEntity.ts"
import * as HostRegistry from "../src/service/cluster/HostRegistry.ts"
import * as SealedBytes from "../src/service/cluster/sealedBytes.ts"
import { PoliteFetch } from "../src/web/PoliteFetch.ts"
import { Politeness } from "../src/web/Politeness.ts"

/** Bytes a host. */
export const hostMemory = (hosts: number): Promise<number> =>
  Effect.gen(function* () {
    const politeness = yield* Politeness
    const polite = PoliteFetch.of({ get: (url) => politeness.take(url.host, 0, Effect.succeed(answer)) })
    const entity = HostEntity.protocol(SealedBytes.withSecret(new Uint8Array(32)))
    const registry = HostRegistry.create()
    const pauses = { politeness, resume: () => Effect.void }
    const client = yield* Entity.makeTestClient(entity, HostEntity.layer(entity, { pauses, polite, registry }))
    const ask = Effect.fnUntraced(function* (host: number) {
      const one = yield* client(`host-${host}.example.com`)
      const url = `http://host-${host}.example.com/`
      yield* one.Exchange({
        request: { url, options: { timeoutMillis: 1000 }, delayMillis: 0, sharer: "", given: { times: 0 } }
      })
    })
    // What is loaded and compiled once belongs to no host.
    yield* ask(hosts)
    const before = used()
    for (let host = 0; host < hosts; host++) yield* ask(host)
    return (used() - before) / hosts
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(Politeness.layer({ perHost: 2 }), ShardingConfig.layer())),
    Effect.runPromise
  )

const answer = {
  status: 200,
  contentType: "text/plain",
  location: undefined,
  retryAfter: undefined,
  body: new Uint8Array()
}

const used = (): number => {
  setFlagsFromString("--expose_gc")
  // The function that the flag makes.
  const collect: () => void = runInNewContext("gc")
  collect()
  return process.memoryUsage().heapUsed
}
