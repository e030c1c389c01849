/**
 * The receivers of webhooks: each is a host, for one team. Each has its own turns (`Receiver`), so one that hangs delays only
 * its own deliveries.
 *
 * Here one process gives the turns, which is right if it is the only one; `../cluster/clusteredReceivers.ts` gives them over
 * all processes of a database.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Receiver from "./Receiver.ts"

interface Attempt {
  readonly answered: Receiver.Answered
}

export class Receivers extends Context.Service<
  Receivers,
  {
    /** Runs a batch of deliveries when it is its turn at the receiver. */
    readonly inTurn: <A extends Attempt, E, R>(
      receiver: { readonly teamId: string; readonly url: string },
      attempt: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("millrace/service/Receivers") {
  /** Turns of this process only. */
  static readonly layer = Layer.effect(
    Receivers,
    Effect.sync(() => create(() => Receiver.create(Receiver.defaults)))
  )
}

/** The maximum number of batches in flight of this process, over all receivers. */
const maxInFlight = 256

/** The number of known receivers above which those without deliveries are forgotten. */
const maxKnown = 10_000

interface Known {
  readonly receiver: Receiver.Receiver
  /** Batches in flight or waiting. */
  users: number
}

/** `receiverOf`: makes the receiver of a name. */
export const create = (receiverOf: (name: string) => Receiver.Receiver): Receivers["Service"] => {
  const all = PartitionedSemaphore.makeUnsafe<string>({ permits: maxInFlight })
  const receivers = new Map<string, Known>()

  const use = (name: string) =>
    Effect.sync(() => {
      const known = receivers.get(name) ?? { receiver: receiverOf(name), users: 0 }
      receivers.set(name, known)
      known.users += 1
      return known
    })
  const leave = (name: string, known: Known) =>
    Effect.suspend(() => {
      known.users -= 1
      if (known.users > 0) return Effect.void
      if (!known.receiver.hasFailed()) return Effect.sync(() => receivers.delete(name))
      return receivers.size > maxKnown ? forgetIdle : Effect.void
    })
  const forgetIdle = Effect.suspend(() => {
    const idle = Array.from(receivers).filter(([, { users }]) => users === 0)
    for (const [name] of idle) receivers.delete(name)
    return Effect.forEach(idle, ([, { receiver }]) => receiver.forget, { discard: true })
  })

  return Receivers.of({
    inTurn: ({ teamId, url }, attempt) => {
      const name = `${teamId} ${URL.parse(url)?.host ?? url}`
      return Effect.acquireUseRelease(
        use(name),
        ({ receiver }) =>
          receiver.inTurn(Effect.tap(all.withPermit(name)(attempt), ({ answered }) => receiver.answered(answered))),
        (known) => leave(name, known)
      )
    }
  })
}
