/**
 * A receiver of webhooks as an entity of the cluster: it lives in one process at a time, which gives the turns.
 *
 * The process that has a turn sends the batch itself. When a receiver moves, its new process knows nothing of earlier turns
 * and failures: batches in flight continue beside the turns that it gives.
 */
import type * as Cause from "effect/Cause"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Receiver from "../webhooks/Receiver.ts"

export const ReceiverEntity = Entity.make("Receiver", [
  /** Emits one element when the turn has come. The turn lasts until the caller ends the stream, or this process ends. */
  Rpc.make("Turn", { success: Schema.Boolean, stream: true }).annotate(ClusterSchema.InterruptOnTermination, true),
  Rpc.make("Answered", { payload: { answered: Schema.NullOr(Schema.Boolean) } })
]).annotate(ClusterSchema.ClientTracingEnabled, false)

export const layer = (options: Receiver.Options) =>
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
