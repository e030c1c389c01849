/**
 * `Receivers` over all processes of a database: the turns of a receiver are given where it lives.
 *
 * The laws: a batch is sent by the process that asked for its turn, because only that one may have the keys of its job; and
 * nothing is attempted before the turn has come, however long the receiver cannot be reached.
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

  return Receivers.make((name) => {
    // Where the webhook of a team goes may be a secret: it is not said to other processes.
    const entity = entities(sealed.hide(name))
    // More of this process could not have a turn at once. If it is cut off, so many turns are lost for a while.
    const asking = Semaphore.makeUnsafe(Receiver.maxInFlight)
    return {
      inTurn: (batch) => asking.withPermits(1)(inGivenTurn(entity.Turn(), batch)),
      answered: (answered) => Effect.ignoreCause(Effect.timeout(entity.Answered({ answered }), patienceMillis)),
      hasFailed: () => false,
      forget: Effect.void
    }
  })
})

/** What a receiver answered is not worth more waiting: it will be asked again. */
const patienceMillis = 2000
