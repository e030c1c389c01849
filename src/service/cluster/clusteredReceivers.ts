/**
 * `Receivers` over all processes of a database: the process in which a receiver lives gives its turns.
 *
 * The laws: the process that asked for a turn sends the batch, because perhaps only that one has the keys of its job; and
 * no batch is sent before its turn has come, however long the entity cannot be reached.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Receiver from "../webhooks/Receiver.ts"
import * as Receivers from "../webhooks/Receivers.ts"
import { Cluster } from "./Cluster.ts"
import { inGivenTurn } from "./inGivenTurn.ts"
import * as ReceiverEntity from "./ReceiverEntity.ts"

export const layer = (options = Receiver.defaults) => Layer.effect(Receivers.Receivers, make(options))

const make = Effect.fnUntraced(function* (options: Receiver.Options) {
  const { sealed } = yield* Cluster
  yield* Layer.build(ReceiverEntity.layer(options))
  const entities = yield* ReceiverEntity.ReceiverEntity.client

  return Receivers.create((name) => {
    // The URL of a webhook may be a secret: other processes do not learn it.
    const entity = entities(sealed.hide(name))
    // More batches could not have a turn at once. If this process is cut off, at most so many turns are lost for a while.
    const asking = Semaphore.makeUnsafe(Receiver.maxInFlight)
    return {
      inTurn: (batch) => asking.withPermits(1)(inGivenTurn(entity.Turn(), batch)),
      answered: (answered) => Effect.ignoreCause(Effect.timeout(entity.Answered({ answered }), patienceMillis)),
      hasFailed: () => false,
      forget: Effect.void
    }
  })
})

/** The timeout of a report on a receiver. If it is lost, the next batch reports again. */
const patienceMillis = 2000
