/** The store of a shared journal. It fails with `JournalError`; errors that may pass are retried for a while. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Journal from "../../Journal.ts"
import * as ObjectStore from "../../ObjectStore.ts"

export interface SharedStore {
  readonly location: string
  readonly put: (path: string, bytes: Uint8Array) => Effect.Effect<void, Journal.JournalError>
  readonly putIfAbsent: (path: string, bytes: Uint8Array) => Effect.Effect<boolean, Journal.JournalError>
  readonly get: (path: string) => Effect.Effect<Uint8Array | undefined, Journal.JournalError>
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<ObjectStore.ObjectInfo>, Journal.JournalError>
  readonly remove: (paths: ReadonlyArray<string>) => Effect.Effect<void, Journal.JournalError>
}

/** Opens the part of the store that belongs to a pipeline. */
export const open = Effect.fnUntraced(function* (shared: Journal.Shared, pipeline: string, directory: string) {
  const stores = yield* Effect.serviceOption(ObjectStore.ObjectStores)
  if (Option.isNone(stores)) {
    return yield* new Journal.JournalError({
      message: `the journal is shared at ${shared.path}, but nothing here opens stores: provide ObjectStores (objectStores(connectors))`
    })
  }
  const store = yield* asJournal(shared.path, stores.value.open(shared.path, directory, shared.access))
  const at = (path: string) => `${pipeline}/${path}`
  const retried = <A>(effect: Effect.Effect<A, ObjectStore.ObjectStoreError>) =>
    asJournal(store.location, Effect.retry(effect, { schedule: again, times, while: ({ retryable }) => retryable }))
  const made: SharedStore = {
    location: store.location,
    put: (path, bytes) => retried(store.put(at(path), bytes)),
    // Not retried: if the reply was lost, the object that is there could be our own.
    putIfAbsent: (path, bytes) => asJournal(store.location, store.putIfAbsent(at(path), bytes)),
    get: (path) => Effect.map(retried(store.get(at(path))), Option.getOrUndefined),
    list: (prefix) =>
      Effect.map(retried(store.list(at(prefix))), (objects) =>
        objects.map((info) => ({ ...info, path: info.path.slice(pipeline.length + 1) }))
      ),
    remove: (paths) =>
      Effect.asVoid(Effect.forEach(paths, (path) => retried(store.remove(at(path))), { concurrency: 8 }))
  }
  return made
})

const asJournal = <A>(location: string, effect: Effect.Effect<A, ObjectStore.ObjectStoreError>) =>
  Effect.mapError(
    effect,
    (cause) => new Journal.JournalError({ message: `the shared journal at ${location}: ${cause.message}`, cause })
  )

/** The number of retries: half a minute in all. */
const times = 7
const again = Schedule.exponential(Duration.millis(250))
