/**
 * The receivers of webhooks: a receiver is the host of a URL, for each team. Each has turns of its own (`Receiver`), so one that
 * hangs keeps only its own deliveries waiting.
 *
 * Here turns are given by this process, which is right where it is the only one; `../cluster/clusteredReceivers.ts` gives them
 * over all processes of a database.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Receiver from "./Receiver.ts"

export interface Attempt {
  /** Whether the receiver answered the last delivery; null: there was none to make. */
  readonly answered: boolean | null
}

export class Receivers extends Context.Service<
  Receivers,
  {
    /** Makes a batch of deliveries in its receiver's turn. */
    readonly inTurn: <A extends Attempt, E, R>(
      receiver: { readonly teamId: string; readonly url: string },
      attempt: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("millrace/service/Receivers") {
  /** Of this process alone. */
  static readonly layer = Layer.effect(
    Receivers,
    Effect.sync(() => make(() => Receiver.make(Receiver.defaults)))
  )
}

/** Batches that this process has in flight over all receivers. */
const maxInFlight = 256

/** Receivers without deliveries whose failures are remembered. */
const maxKnown = 10_000

interface Known {
  readonly receiver: Receiver.Receiver
  /** Batches in flight or waiting. */
  users: number
}

/** `receiverOf`: how a receiver is reached, by its name. */
export const make = (receiverOf: (name: string) => Receiver.Receiver): Receivers["Service"] => {
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
