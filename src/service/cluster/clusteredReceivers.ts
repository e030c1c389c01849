/**
 * `Receivers` over all processes of a database: the process in which a receiver lives gives its turns.
 *
 * The laws: the process that asked for a turn sends the batch, because perhaps only that one has the keys of its job; and
 * no batch is sent before its turn has come, however long the entity cannot be reached.
 */
import type * as Cause from "effect/Cause"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Receiver from "../webhooks/Receiver.ts"
import * as Receivers from "../webhooks/Receivers.ts"
import { Cluster } from "./Cluster.ts"
import { inGivenTurn } from "./inGivenTurn.ts"

export const layer = (options = Receiver.defaults) => Layer.effect(Receivers.Receivers, make(options))

const make = Effect.fnUntraced(function* (options: Receiver.Options) {
  const { sealed } = yield* Cluster
  yield* Layer.build(layerEntity(options))
  const entities = yield* ReceiverEntity.client

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

/**
 * A receiver of webhooks as an entity of the cluster: it lives in one process at a time, which gives the turns.
 *
 * The process that has a turn sends the batch itself. When a receiver moves, its new process knows nothing of earlier turns
 * and failures: batches in flight continue beside the turns that it gives.
 */
export const ReceiverEntity = Entity.make("Receiver", [
  /** Emits one element when the turn has come. The turn lasts until the caller ends the stream, or this process ends. */
  Rpc.make("Turn", { success: Schema.Boolean, stream: true }).annotate(ClusterSchema.InterruptOnTermination, true),
  Rpc.make("Answered", { payload: { answered: Schema.NullOr(Schema.Union([Schema.Boolean, Schema.Finite])) } })
]).annotate(ClusterSchema.ClientTracingEnabled, false)

export const layerEntity = (options: Receiver.Options) =>
  ReceiverEntity.toLayer(
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.sync(() => Receiver.create(options)),
        ({ forget }) => forget
      )
      const turn = (queue: Queue.Queue<boolean, Cause.Done>) =>
        Effect.andThen(
          receiver.inTurn(Effect.andThen(Queue.offer(queue, true), Effect.sleep(turnMillis))),
          Queue.end(queue)
        )
      return ReceiverEntity.of({
        Turn: () => Stream.callback<boolean>(turn),
        Answered: ({ payload: { answered } }) => receiver.answered(answered)
      })
    }),
    {
      concurrency: "unbounded",
      mailboxCapacity: "unbounded",
      disableFatalDefects: true,
      // Longer than a delivery waits for its last attempt: so it is still known then that the receiver fails.
      maxIdleTime: "20 minutes"
    }
  )

/** The maximum length of a turn: longer than any batch takes. A process that is cut off cannot end its turn. */
const turnMillis = 30_000
