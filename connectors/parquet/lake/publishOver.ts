/**
 * Publishes a commit, also where others have committed since it read the lake: pipelines load other tables of one lake at the
 * same time, and `millrace compact` may come between.
 *
 * Guarantee: it follows the newest manifest, or nothing of it is visible.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import * as DeltaLog from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import { rebased } from "../manifest/rebased.ts"
import { sealManifest } from "../manifest/sealManifest.ts"
import * as Followers from "./followers.ts"
import * as LakeSession from "./LakeSession.ts"
import * as Shipments from "./Shipments.ts"

type Tables = Readonly<Record<string, Manifest.TableState>>

/** The state that a commit follows. */
export interface Ground {
  readonly base: Option.Option<Manifest.Manifest>
  /** The last versions of the Delta logs and the Iceberg tables. */
  readonly heads: Followers.Heads
}

interface Work {
  /** The tables after the commit. */
  readonly tables: Tables
  /** Makes the next manifest. */
  readonly make: (ground: Ground, tables: Tables) => Manifest.Manifest
  /** Why it cannot follow a newer manifest, for other reasons than its tables. `runs`: those that have committed since. */
  readonly fault: (
    newest: Manifest.Manifest,
    runs: ReadonlyArray<Manifest.Manifest["run"]>
  ) => Effect.Effect<string | undefined, Sink.SinkError>
}

/** Publishes the commit, and writes its Delta and Iceberg versions. Returns the state after it. */
export const publishOver = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  first: Ground,
  { fault, make, tables }: Work
): Effect.fn.Return<Ground, Sink.SinkError> {
  const { store } = session
  let ground = first
  let made = tables
  for (;;) {
    const published = yield* publishFrom(session, ground.base, make(ground, made))
    if (Option.isSome(published)) {
      const { manifest, versions } = published.value
      yield* Followers.follow(store, ground.heads, manifest, Option.getOrUndefined(ground.base), versions)
      return { base: Option.some(manifest), heads: ground.heads }
    }
    const newest = Option.getOrUndefined(yield* reading(store, Manifest.readManifest(store)))
    const version = Option.getOrUndefined(ground.base)?.version ?? 0
    if (newest === undefined || newest.version <= version) {
      return yield* failure(`${overtaken(store)} its manifest exists, but the store does not list it yet; run again`)()
    }
    const since = Array.from({ length: newest.version - version }, (_, at) => version + 1 + at)
    const runs = yield* reading(
      store,
      Effect.forEach(since, (later) => Manifest.readRun(store, later), { concurrency: 8 })
    )
    const standing = onNewest(made, ground.base, newest)
    const why = typeof standing === "string" ? `it changed ${standing}; run again` : yield* fault(newest, runs)
    if (typeof standing === "string" || why !== undefined) {
      return yield* failure(`${overtaken(store)} ${why}`)()
    }
    const base = Option.some(newest)
    ground = { base, heads: yield* Followers.mend(store, base, Object.keys(tables)) }
    made = standing
  }
})

const reading = <A, E>({ location }: ObjectStore.ObjectStore, read: Effect.Effect<A, E>) =>
  Effect.mapError(read, failure(`cannot read ${location}`))

const overtaken = ({ location }: ObjectStore.ObjectStore) =>
  `another writer committed to ${location} meanwhile, and nothing of this commit is visible:`

/** The tables of a commit after a newer manifest; or the name of one that has changed since the commit read it. */
const onNewest = (made: Tables, base: Option.Option<Manifest.Manifest>, newest: Manifest.Manifest): Tables | string => {
  const before = Option.getOrUndefined(base)?.tables
  const standing: Record<string, Manifest.TableState> = {}
  for (const [name, state] of Object.entries(made)) {
    const next = rebased(state, before?.[name], newest.tables[name])
    if (next === undefined) return `table ${name}`
    standing[name] = next
  }
  return standing
}

/** A manifest that could not be published: `lost` says whether it is certain that it never will be. */
class PublishError extends Schema.TaggedError<PublishError>()("PublishError", {
  message: Schema.String,
  /** Whether it is certain that this manifest is not, and never will be, the truth. */
  lost: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/**
 * Publishes the files that a session has put into the store, as the manifest after `base`. Returns that manifest and its
 * versions of the Delta logs; none: another writer was first. The session removes the files only if the manifest is certainly lost.
 */
const publishFrom = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  base: Option.Option<Manifest.Manifest>,
  next: Manifest.Manifest
) {
  const { shipped, store } = session
  const before = Option.getOrUndefined(base)
  const { fresh, manifest: sealed } = sealManifest(before, next)
  const { fresh: versions, manifest } = yield* DeltaLog.prepare(store, before, sealed)
  yield* Effect.forEach(fresh, ({ bytes, path }) => LakeSession.shipBytes(session, path, bytes), { discard: true })
  session.shipped = []
  const isPublished = yield* Shipments.notePublishing(session.folder, store).pipe(
    Effect.mapError(({ message, cause }) => new PublishError({ message, lost: true, cause })),
    Effect.andThen(publish(store, manifest)),
    Effect.tapError((error) => Effect.sync(() => error.lost && (session.shipped = shipped))),
    Effect.mapError((error) => failure(error.message)(error.cause))
  )
  if (isPublished) return Option.some({ manifest, versions })
  session.shipped = shipped
  // The next manifest gets lists of its own.
  yield* Effect.forEach(fresh, (list) => LakeSession.unship(session, list), { discard: true })
  return Option.none()
}, Effect.uninterruptible)

/**
 * Puts a manifest, if none of its number exists. False: another writer was first.
 *
 * Only the store knows the result. If the call failed, or the manifest existed already (as after a lost answer and a retry), the
 * manifest is read again: ours means committed, another's means lost, none means not committed. If it cannot be read, the files
 * stay.
 */
const publish = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, manifest: Manifest.Manifest) {
  const path = Manifest.pathOf(manifest.version)
  const bytes = Manifest.encode(manifest)
  const put = yield* Effect.result(store.putIfAbsent(path, bytes))
  if (Result.isSuccess(put) && put.success) return true

  const present = yield* Effect.result(store.get(path))
  if (Result.isFailure(present)) {
    return yield* new PublishError({
      message: `cannot tell whether ${path} was put into ${store.location}; the next run reads it and continues from there`,
      lost: false,
      cause: Result.isFailure(put) ? put.failure : present.failure
    })
  }
  if (Option.isSome(present.success)) {
    return Buffer.compare(present.success.value, bytes) === 0
  }
  // A slow store may still carry out the put, so the files of the manifest must stay.
  return yield* new PublishError({
    message: Result.isFailure(put) ? store.location : `${path} was put into ${store.location} and is not there`,
    lost: false,
    ...(Result.isFailure(put) ? { cause: put.failure } : {})
  })
})
