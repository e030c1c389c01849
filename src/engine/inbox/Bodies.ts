/**
 * The bodies that a receiver has in hand: read whole, or refused.
 *
 * The size of a body, its time, the number of bodies and their total size are all limited, by the bytes that arrived and
 * not by a header. A body that ends early is refused.
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

interface Bodies {
  count: number
  bytes: number
  /** Open once nothing more is taken. */
  readonly closed: Latch.Latch
}

export const maxBytes = 10 * 1024 * 1024
/** The sender waits no longer for an answer (specification, Events). */
export const maxMillis = 10_000
export const maxBodies = 256
const maxTogether = 64 * 1024 * 1024

export const empty = (): Bodies => ({ count: 0, bytes: 0, closed: Latch.makeUnsafe(false) })

/** Refuses everything from now on that has not come whole. */
export const close = ({ closed }: Bodies): Effect.Effect<void> => Effect.asVoid(closed.open)

/** Why something is refused, in words that everyone may read. */
export interface Refusal {
  readonly _tag: "Refusal"
  readonly status: number
  readonly error: string
}

export const refusal = (status: number, error: string): Refusal => ({ _tag: "Refusal", status, error })

const refuse = (status: number, error: string) => Effect.fail(refusal(status, error))
const tooLarge = refuse(413, `the body is larger than ${maxBytes} bytes`)
const tooBusy = refuse(503, "too much is sent at once; send it again")
const closing = refuse(503, "the receiver is stopping; send it again")
const broken = refuse(400, "the body ended early, or does not have the length that it declares")

/** `use` has the raw bytes of a request, which count until it is done with them. */
export const whole = Effect.fnUntraced(function* <A, E, R>(
  bodies: Bodies,
  request: HttpServerRequest,
  use: (body: Uint8Array) => Effect.Effect<A, E, R>
) {
  if (bodies.closed.isOpen()) return yield* closing
  if (bodies.count >= maxBodies) return yield* tooBusy
  const claimed = request.headers["content-length"]
  if (claimed !== undefined && Number(claimed) > maxBytes) return yield* tooLarge
  const chunks: Array<Uint8Array> = []
  let length = 0
  const gather = Stream.runForEachArray(request.stream, (some) => {
    const more = some.reduce((sum, chunk) => sum + chunk.length, 0)
    length += more
    bodies.bytes += more
    if (length > maxBytes) return tooLarge
    if (bodies.bytes > maxTogether) return tooBusy
    chunks.push(...some)
    return Effect.void
  }).pipe(
    Effect.catchTag("HttpServerError", () => broken),
    Effect.raceFirst(Effect.andThen(bodies.closed.await, closing)),
    Effect.timeoutOrElse({
      duration: maxMillis,
      orElse: () => refuse(408, `the body did not come within ${maxMillis / 1000} s`)
    })
  )
  const used = Effect.gen(function* () {
    yield* gather
    if (claimed !== undefined && Number(claimed) !== length) return yield* broken
    return yield* use(Buffer.concat(chunks, length))
  })
  bodies.count += 1
  return yield* Effect.ensuring(
    used,
    Effect.sync(() => {
      bodies.count -= 1
      bodies.bytes -= length
    })
  )
})
