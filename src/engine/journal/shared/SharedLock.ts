/**
 * The lock of a shared journal: one machine at a time has the journal of a pipeline, by the clock of the store.
 *
 * Guarantee: a lock is an object that can only be created, and each has a higher number than the one before. Its holder
 * renews it. A lock that was not renewed for a minute belongs to a dead machine, and the next number may be taken. A
 * machine that slept looks for a higher number before it writes anything, so it notices that it has lost the lock.
 */
import { hostname } from "node:os"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Journal from "../../Journal.ts"
import type { SharedStore } from "./SharedStore.ts"

interface SharedLock {
  readonly number: number
  /** The number of the lock before this one; 0: there was none. */
  readonly before: number
  /** Fails if another machine has taken the journal. */
  readonly check: Effect.Effect<void, Journal.JournalError>
}

/** How old a lock may become without renewal, and how often it is renewed. */
const leaseMillis = 60_000
const renewMillis = 10_000

const LockRecord = Schema.Struct({
  /** For people: the machine and the process. */
  holder: Schema.String,
  released: Schema.Boolean
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(LockRecord))

export const take = Effect.fnUntraced(function* (
  store: SharedStore,
  pipeline: string
): Effect.fn.Return<SharedLock, Journal.JournalError, Scope.Scope> {
  const locks = yield* store.list(folder)
  const last = locks.at(-1)
  const before = last === undefined ? 0 : numberOf(last.path)
  if (last !== undefined) yield* refuseLiving(store, pipeline, last)
  const number = before + 1
  const write = (released: boolean) =>
    store.put(pathOf(number), bytesOf({ holder: `process ${process.pid} on ${hostname()}`, released }))
  const isOurs = yield* store.putIfAbsent(
    pathOf(number),
    bytesOf({ holder: `process ${process.pid} on ${hostname()}`, released: false })
  )
  if (!isOurs) return yield* taken(pipeline, "another machine")

  const check = Effect.flatMap(store.list(folder), (now) => {
    const newest = now.at(-1)
    return newest === undefined || numberOf(newest.path) <= number
      ? Effect.void
      : Effect.fail(
          new Journal.JournalError({
            message: `${pipeline}: this machine did not renew its lock for so long that another one has taken the journal at ${store.location}; the run continues there`
          })
        )
  })
  // `check` finds a lost lock before anything is written.
  const renew = Effect.ignore(Effect.andThen(check, write(false)))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(Duration.millis(renewMillis)), renew)))
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.andThen(check, write(true))))
  yield* store.remove(locks.slice(0, -1).map(({ path }) => path))
  return { number, before, check }
})

const refuseLiving = Effect.fnUntraced(function* (
  store: SharedStore,
  pipeline: string,
  last: { readonly path: string; readonly modifiedAt: number }
) {
  const bytes = yield* store.get(last.path)
  const record = bytes === undefined ? undefined : Option.getOrUndefined(decode(Buffer.from(bytes).toString()))
  if (record?.released === true) return
  if ((yield* clockOf(store)) - last.modifiedAt < leaseMillis) {
    return yield* taken(pipeline, record?.holder ?? "another machine")
  }
})

const taken = (pipeline: string, holder: string) =>
  new Journal.JournalError({
    message: `${pipeline} is being run by ${holder}; wait until it ends. A machine that died holds it for a minute`
  })

/** The time by the clock that dates the locks. */
const clockOf = Effect.fnUntraced(function* (store: SharedStore) {
  const path = `clock/${crypto.randomUUID()}`
  yield* store.put(path, new Uint8Array())
  const [now] = yield* store.list(path)
  yield* store.remove([path])
  return now?.modifiedAt ?? 0
})

const folder = "lock/"
const pathOf = (number: number): string => `${folder}${String(number).padStart(12, "0")}.json`
const numberOf = (path: string): number => Number(/(\d+)\.json$/.exec(path)?.[1] ?? 0)
const bytesOf = (record: typeof LockRecord.Type): Uint8Array => Buffer.from(`${JSON.stringify(record)}\n`)
