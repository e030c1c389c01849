/**
 * The contract of an object store: a folder, or a prefix of a bucket.
 *
 * The guarantee, which `millrace/testing` ObjectStoreSuite tests on every store:
 * - an object is there completely or not at all, even if the process that puts it dies;
 * - a downloaded file does not change when the object changes;
 * - of any number of `putIfAbsent` calls on one path, exactly one succeeds: this commits a manifest;
 * - `list` is in the order of paths, and names only complete objects;
 * - removing an object that does not exist succeeds.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * Objects by path, under a prefix. Its methods fail with `ObjectStoreError`. A path is names joined by single slashes.
 */
export interface ObjectStore {
  /** The folder or URL of the prefix: "/data/pages", "s3://lake/pages". */
  readonly location: string
  /** Puts a local file at a path, replacing what was there. The local file is moved, or copied and removed. */
  readonly putFile: (path: string, localFile: string) => Effect.Effect<void, ObjectStoreError>
  /** Puts bytes at a path, replacing what was there. */
  readonly put: (path: string, bytes: Uint8Array) => Effect.Effect<void, ObjectStoreError>
  /** Puts bytes at a path if no object is there. False: there was an object, and it is unchanged. */
  readonly putIfAbsent: (path: string, bytes: Uint8Array) => Effect.Effect<boolean, ObjectStoreError>
  /** All bytes of an object, in memory; none: there is no such object. */
  readonly get: (path: string) => Effect.Effect<Option.Option<Uint8Array>, ObjectStoreError>
  /** The last `bytes` bytes of an object, or all of a smaller object; none: there is no such object. */
  readonly getEnd: (path: string, bytes: number) => Effect.Effect<Option.Option<Uint8Array>, ObjectStoreError>
  /**
   * Makes a local file of an object of any size. Only read this file: it may share its bytes with the object. False: the
   * object does not exist, and no file was made.
   */
  readonly getFile: (path: string, localFile: string) => Effect.Effect<boolean, ObjectStoreError>
  /** The objects whose path starts with `prefix`, in order of path. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<ObjectInfo>, ObjectStoreError>
  /** Removes an object; one that does not exist is not an error. */
  readonly remove: (path: string) => Effect.Effect<void, ObjectStoreError>
}

/** An object in a listing. */
export interface ObjectInfo {
  /** Its path below the prefix of the store. */
  readonly path: string
  /** Its size. */
  readonly bytes: number
  /** When it was put: milliseconds since the epoch. */
  readonly modifiedAt: number
}

/**
 * How a store behind a URL is reached, as in a pipeline file. What is not set comes from the environment.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { ObjectStore } from "millrace"
 *
 * const decode = Schema.decodeUnknownSync(ObjectStore.Access)
 * console.log(decode({ endpoint: "http://localhost:9000", region: "eu-central-1" }).region) // "eu-central-1"
 * ```
 */
export const Access = Schema.Struct({
  endpoint: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "the URL of the server; default: the one of the scheme"
  }),
  region: Schema.optionalKey(Schema.NonEmptyString).annotate({ description: "the region of the bucket" }),
  access_key: Schema.optionalKey(
    Schema.RedactedFromValue(Schema.NonEmptyString).annotate({ description: "the access key's id" })
  ),
  secret_key: Schema.optionalKey(
    Schema.RedactedFromValue(Schema.NonEmptyString).annotate({ description: "the access key's secret" })
  ),
  session_token: Schema.optionalKey(
    Schema.RedactedFromValue(Schema.NonEmptyString).annotate({ description: "the session token of temporary keys" })
  ),
  path_style: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: the bucket is in the path of the URL; false: in the host name; default: true"
  })
})
export type Access = typeof Access.Type

/**
 * Whether a text cannot be the path of an object: it is not names joined by single slashes, or it has `.` or `..` or a
 * NUL character. A store refuses such a path.
 *
 * @example
 * ```ts
 * import { ObjectStore } from "millrace"
 *
 * console.log(ObjectStore.isOddPath("pages/1.parquet"), ObjectStore.isOddPath("../secret")) // false true
 * ```
 */
export const isOddPath = (path: string): boolean =>
  path.split("/").some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))
/**
 * The message for an odd path.
 *
 * @internal
 */
export const oddPath = "this is not an object path: use names joined by single slashes"

/**
 * What a connector adds for one URL scheme; "file" stands for plain paths.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { ObjectStore, objectStores } from "millrace"
 *
 * const nowhere: ObjectStore.StoreFactory = {
 *   scheme: "nowhere",
 *   open: (path) =>
 *     Effect.fail(
 *       new ObjectStore.ObjectStoreError({ store: "nowhere", path, message: `${path} is down`, retryable: true })
 *     )
 * }
 * const opened = Effect.flatMap(ObjectStore.ObjectStores, ({ open }) => open("nowhere://lake", process.cwd()))
 * const error = Effect.flip(Effect.provide(opened, objectStores([{ stores: [nowhere] }])))
 * console.log((await Effect.runPromise(error)).message) // "nowhere://lake is down"
 * ```
 */
export interface StoreFactory {
  /** The scheme of its URLs, without "://". */
  readonly scheme: string
  /** Opens the prefix that a URL (or an absolute path) names. */
  readonly open: (url: string, access?: Access) => Effect.Effect<ObjectStore, ObjectStoreError>
}

/**
 * The stores of this program by scheme, as a service: a sink opens the store of its path here.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { ObjectStore, objectStores } from "millrace"
 * import { connector as file } from "millrace/connectors/file"
 *
 * const listed = Effect.gen(function* () {
 *   const store = yield* (yield* ObjectStore.ObjectStores).open("./objects", process.cwd())
 *   yield* store.put("hello.txt", new TextEncoder().encode("hello"))
 *   return (yield* store.list("")).map(({ bytes, path }) => [path, bytes])
 * })
 * console.log(await Effect.runPromise(Effect.provide(listed, objectStores([file])))) // [["hello.txt", 5]]
 * ```
 */
export class ObjectStores extends Context.Service<
  ObjectStores,
  {
    /** Opens a URL, or a path relative to `directory`. */
    readonly open: (
      location: string,
      directory: string,
      access?: Access
    ) => Effect.Effect<ObjectStore, ObjectStoreError>
  }
>()("millrace/pipeline/ObjectStores") {}

/**
 * A store that cannot be reached, or that refuses a call. `retryable`: the same call may succeed later.
 *
 * @example
 * ```ts
 * import { ObjectStore } from "millrace"
 *
 * const lost = new ObjectStore.ObjectStoreError({
 *   store: "s3",
 *   path: "pages/1.parquet",
 *   message: "s3://lake did not answer within 30 s; run again",
 *   retryable: true
 * })
 * console.log(lost.retryable) // true
 * ```
 */
export class ObjectStoreError extends Schema.TaggedError<ObjectStoreError>()("ObjectStoreError", {
  /** The kind of store: "file", "s3". */
  store: Schema.String,
  /** The path of the object, or the location that was opened. */
  path: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
