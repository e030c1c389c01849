/**
 * The commit of the Parquet sink: puts a manifest where none is.
 *
 * The law: only the store knows how it went. Where the call failed, or says that a manifest was there already (a lost
 * answer and a retry look like that), the manifest is read again: ours means done, another's means lost, none means
 * not done. What could not be learned is left alone.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import { failure } from "../failure.ts"
import * as LakeSession from "./LakeSession.ts"
import * as Manifest from "./Manifest.ts"
import * as Shipments from "./Shipments.ts"
import { sealManifest } from "./sealManifest.ts"

/** A manifest that could not be published: `lost` says whether it is certain that it never will be. */
class PublishError extends Schema.TaggedError<PublishError>()("PublishError", {
  message: Schema.String,
  /** Whether it is certain that this manifest is not, and never will be, the truth. */
  lost: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/**
 * Publishes what a session has shipped, as the manifest after `base`; the answer is that manifest, none: another writer has put
 * one there. What was shipped is the session's again where the manifest is certainly lost.
 */
export const publishFrom = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  base: Option.Option<Manifest.Manifest>,
  next: Manifest.Manifest
) {
  const { fresh, manifest } = sealManifest(Option.getOrUndefined(base), next)
  yield* Effect.forEach(fresh, ({ bytes, path }) => LakeSession.shipBytes(session, path, bytes), { discard: true })
  const { shipped, store } = session
  session.shipped = []
  const isPublished = yield* Shipments.notePublishing(session.folder, store).pipe(
    Effect.mapError(({ message, cause }) => new PublishError({ message, lost: true, cause })),
    Effect.andThen(publish(store, manifest)),
    Effect.tapError((error) => Effect.sync(() => error.lost && (session.shipped = shipped))),
    Effect.mapError((error) => failure(error.message)(error.cause))
  )
  if (isPublished) return Option.some(manifest)
  session.shipped = shipped
  // The next manifest gets lists of its own.
  yield* Effect.forEach(fresh, (list) => LakeSession.unship(session, list), { discard: true })
  return Option.none<Manifest.Manifest>()
}, Effect.uninterruptible)

/** Puts a manifest. False: another writer has put one in its place. */
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
  // The put may still be on its way to a slow store, so the files it names are not ours to remove.
  return yield* new PublishError({
    message: Result.isFailure(put) ? store.location : `${path} was put into ${store.location} and is not there`,
    lost: false,
    ...(Result.isFailure(put) ? { cause: put.failure } : {})
  })
})
