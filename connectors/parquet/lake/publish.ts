/**
 * The commit of the Parquet sink: puts the next manifest, if none of its number exists.
 *
 * Guarantee: only the store knows the result. If the call failed, or the manifest existed already (as after a lost answer and
 * a retry), the manifest is read again: ours means committed, another's means lost, none means not committed. If it
 * cannot be read, the files stay.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as ObjectStore from "#engine/ObjectStore"
import * as DeltaLog from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import { sealManifest } from "../manifest/sealManifest.ts"
import * as LakeSession from "./LakeSession.ts"
import * as Shipments from "./Shipments.ts"

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
export const publishFrom = Effect.fnUntraced(function* (
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

/** Puts a manifest. False: another writer was first. */
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
