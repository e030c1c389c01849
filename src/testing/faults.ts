/**
 * Faults for tests: an object store that fails at a chosen call.
 *
 * Only calls that change the store are counted, from one. "before" fails without doing it, "after" does it and
 * loses the answer, and "interrupt" does it half: the fiber that called is interrupted in the middle.
 */
import * as Effect from "effect/Effect"
import * as ObjectStore from "#engine/ObjectStore"

/** When the call fails: before it is done, after it is done, or by an interruption in its middle. */
export type Kind = "before" | "after" | "interrupt"

/** A store that fails once, and how many changing calls it has seen. */
export interface Fault {
  /** The store that fails. */
  readonly store: ObjectStore.ObjectStore
  /** How many changing calls there were. */
  readonly calls: () => number
}

/**
 * A store whose changing call of this number, counted from 1, fails with `ObjectStoreError`; all other calls reach the
 * store.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { fileStore } from "millrace/connectors/file"
 * import { faults } from "millrace/testing"
 *
 * const store = await Effect.runPromise(fileStore.open("/tmp/lake"))
 * const { calls, store: faulty } = faults.failing(store, 1, "before")
 * await Effect.runPromise(Effect.ignore(faulty.put("a", new Uint8Array())))
 * console.log(calls()) // 1
 * ```
 */
export const failing = (store: ObjectStore.ObjectStore, callNumber: number, kind: Kind): Fault => {
  let calls = 0
  const change =
    <Args extends ReadonlyArray<unknown>, A>(
      call: (path: string, ...args: Args) => Effect.Effect<A, ObjectStore.ObjectStoreError>
    ) =>
    (path: string, ...args: Args): Effect.Effect<A, ObjectStore.ObjectStoreError> =>
      Effect.suspend(() => {
        if (++calls !== callNumber) return call(path, ...args)
        if (kind === "before") return Effect.fail(lost(path, "refused by the test"))
        if (kind === "after") return Effect.flatMap(call(path, ...args), () => Effect.fail(lost(path, "answer lost")))
        return Effect.flatMap(call(path, ...args), () => Effect.interrupt)
      })
  return {
    calls: () => calls,
    store: {
      location: store.location,
      get: store.get,
      getEnd: store.getEnd,
      getFile: store.getFile,
      list: store.list,
      put: change(store.put),
      putFile: change(store.putFile),
      putIfAbsent: change(store.putIfAbsent),
      remove: change(store.remove)
    }
  }
}

const lost = (path: string, message: string) =>
  new ObjectStore.ObjectStoreError({ store: "faults", path, message, retryable: true })
