/**
 * Joins the work of one turn of the event loop: pages whose answers came together are written together.
 *
 * The first caller does the work of all who call before it begins. Each caller waits until its own part is done, and
 * fails if it fails. Nobody waits for more callers.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** `doing` gets the parts in the order of the calls. */
export const grouped = <A, E, R>(
  doing: (some: ReadonlyArray<A>, isClosed: () => void) => Effect.Effect<void, E, R>
): ((one: A) => Effect.Effect<void, E, R>) => {
  let group: { readonly all: Array<A>; readonly completion: Deferred.Deferred<void, E> } | undefined
  return (one) =>
    Effect.suspend(() => {
      if (group !== undefined) {
        group.all.push(one)
        return Deferred.await(group.completion)
      }
      const own = { all: [one], completion: Deferred.makeUnsafe<void, E>() }
      group = own
      const close = () => {
        if (group === own) group = undefined
      }
      return Effect.yieldNow.pipe(
        Effect.andThen(doing(own.all, close)),
        Effect.onExit((exit) => {
          close()
          return Deferred.done(own.completion, exit)
        })
      )
    })
}
