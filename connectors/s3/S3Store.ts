/**
 * An object store that is a bucket, or a prefix of one.
 *
 * Guarantee: an object of S3 is there completely or not at all. `putIfAbsent` is one request with If-None-Match, which the
 * server decides; if its answer was lost and it was sent again, it may report a conflict with its own bytes, so the
 * commit reads what is there (`parquet/lake/publishOver`). Interrupting a call aborts its request.
 */

import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ObjectStore from "#engine/ObjectStore"
import * as Client from "./Client.ts"
import { assertAnswered, type BucketLocation, failure, read } from "./failure.ts"
import * as Upload from "./Upload.ts"

/** Opens the prefix of `s3://bucket/some/prefix`. No request is sent. */
export const open = (
  url: string,
  access: ObjectStore.Access = {}
): Effect.Effect<ObjectStore.ObjectStore, ObjectStore.ObjectStoreError> =>
  Effect.gen(function* () {
    const [, bucket = "", rest = ""] = /^s3:\/\/([^/?#]*)\/?([^?#]*)$/i.exec(url) ?? []
    const prefix = rest.replace(/\/+$/, "")
    const isBucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)
    if (bucket !== "" && !isBucket) {
      return yield* new ObjectStore.ObjectStoreError({
        store: "s3",
        path: url,
        message: `${url}: ${JSON.stringify(bucket)} cannot be the name of a bucket: it has 3 to 63 lower-case letters, digits, dots and dashes`,
        retryable: false
      })
    }
    if (!isBucket || (prefix !== "" && ObjectStore.isOddPath(prefix))) {
      return yield* new ObjectStore.ObjectStoreError({
        store: "s3",
        path: url,
        message: `${url} is not an S3 location: write s3://bucket or s3://bucket/some/prefix`,
        retryable: false
      })
    }
    if ((access.access_key === undefined) !== (access.secret_key === undefined)) {
      return yield* new ObjectStore.ObjectStoreError({
        store: "s3",
        path: url,
        message:
          "storage has only one of access_key and secret_key: give both, or neither to use the default credentials of the AWS SDK",
        retryable: false
      })
    }
    const client = yield* Effect.promise(() => Client.connect(access))
    if (ignoresConditions(client.server)) {
      return yield* new ObjectStore.ObjectStoreError({
        store: "s3",
        path: url,
        message: `${client.server} takes If-None-Match for reading alone, so of two runs that commit at once one would be lost: write to a folder or to another server`,
        retryable: false
      })
    }
    return make(client, bucket, prefix === "" ? "" : `${prefix}/`)
  })

/**
 * Whether a server ignores If-None-Match: Google Cloud Storage uses a header of its own for conditions, and would replace an
 * existing object.
 */
const ignoresConditions = (server: string): boolean =>
  URL.canParse(server) && /(^|\.)storage\.googleapis\.com$/.test(new URL(server).hostname)

const make = (client: Client.Client, bucket: string, prefix: string): ObjectStore.ObjectStore => {
  const { sdk, s3, server } = client
  const place: BucketLocation = { bucket, server }
  let isTidy = false

  const attempt = <A>(doing: string, path: string, run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => failure(doing, path, place, cause) })

  const at = (path: string) => {
    if (ObjectStore.isOddPath(path)) throw new Error(ObjectStore.oddPath)
    return { Bucket: bucket, Key: prefix + path }
  }

  return {
    location: `s3://${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`,
    putFile: (path, localFile) =>
      attempt("put", path, async (abortSignal) => {
        if (!isTidy) await Upload.removeStale(client, bucket, prefix, abortSignal)
        isTidy = true
        await Upload.put(client, at(path), localFile, abortSignal)
        await rm(localFile, { force: true })
      }),
    put: (path, bytes) =>
      attempt("put", path, async (abortSignal) => {
        const { ETag } = await s3.send(new sdk.PutObjectCommand({ ...at(path), Body: bytes }), { abortSignal })
        assertAnswered(ETag)
      }),
    putIfAbsent: (path, bytes) =>
      attempt("put", path, (signal) => putNew(client, { ...at(path), Body: bytes }, signal)),
    get: (path) =>
      attempt("read", path, async (abortSignal) => {
        try {
          const { Body } = await s3.send(new sdk.GetObjectCommand(at(path)), { abortSignal })
          return Option.fromUndefinedOr(await Body?.transformToByteArray())
        } catch (cause) {
          if (read(cause).name === "NoSuchKey") return Option.none()
          throw cause
        }
      }),
    getEnd: (path, bytes) =>
      attempt("read", path, async (abortSignal) => {
        try {
          const command = new sdk.GetObjectCommand({ ...at(path), Range: `bytes=-${bytes}` })
          const { Body } = await s3.send(command, { abortSignal })
          return Option.fromUndefinedOr(await Body?.transformToByteArray())
        } catch (cause) {
          if (read(cause).name === "NoSuchKey") return Option.none()
          // An object without bytes has no end.
          if (read(cause).name === "InvalidRange") return Option.some(new Uint8Array())
          throw cause
        }
      }),
    getFile: (path, localFile) =>
      attempt("read", path, async (abortSignal) => {
        try {
          await download(client, at(path), localFile, abortSignal)
          return true
        } catch (cause) {
          if (read(cause).name === "NoSuchKey") return false
          throw cause
        }
      }),
    list: (start) => attempt("list", start, (signal) => list(client, { bucket, prefix, start }, signal)),
    remove: (path) =>
      attempt("remove", path, async (abortSignal) => {
        await Upload.abortAt(client, at(path), abortSignal)
        await s3.send(new sdk.DeleteObjectCommand(at(path)), { abortSignal })
      })
  }
}

/** Puts an object whose name is free. False: it is taken. */
const putNew = async (
  { s3, sdk }: Client.Client,
  object: { readonly Bucket: string; readonly Key: string; readonly Body: Uint8Array },
  abortSignal: AbortSignal
): Promise<boolean> => {
  const command = new sdk.PutObjectCommand({ ...object, IfNoneMatch: "*" })
  for (let tries = 1; ; tries++) {
    try {
      const { ETag } = await s3.send(command, { abortSignal })
      assertAnswered(ETag)
      return true
    } catch (cause) {
      const { status } = read(cause)
      if (status === 412) return false
      // If two requests collide, Amazon refuses both with 409, and they must be repeated.
      if (status !== 409 || tries === 5) throw cause
    }
  }
}

/** The objects of a store whose paths begin with `start`. */
const list = async (
  { s3, sdk }: Client.Client,
  { bucket, prefix, start }: { readonly bucket: string; readonly prefix: string; readonly start: string },
  abortSignal: AbortSignal
): Promise<ReadonlyArray<ObjectStore.ObjectInfo>> => {
  const objects: Array<ObjectStore.ObjectInfo> = []
  const pages = sdk.paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix + start }, { abortSignal })
  for await (const { Contents = [], IsTruncated } of pages) {
    assertAnswered(IsTruncated)
    for (const { Key = "", Size = 0, LastModified } of Contents) {
      objects.push({ path: Key.slice(prefix.length), bytes: Size, modifiedAt: LastModified?.getTime() ?? 0 })
    }
  }
  // The server orders by bytes; the contract orders by JavaScript's comparison of texts.
  return objects.sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface ObjectLocation {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Downloads an object to a local file, through a small buffer.
 *
 * The file is there completely or not at all. The client repeats a request, but not the bytes of an answer: an
 * incomplete answer is requested again.
 */
const download = async ({ sdk, s3 }: Client.Client, place: ObjectLocation, file: string, abortSignal: AbortSignal) => {
  const partial = `${file}.partial`
  try {
    for (let tries = 1; ; tries++) {
      const { Body } = await s3.send(new sdk.GetObjectCommand(place), { abortSignal })
      if (!(Body instanceof Readable)) throw new Error("the server answers without the object")
      try {
        await pipeline(Body, createWriteStream(partial), { signal: abortSignal })
        return await rename(partial, file)
      } catch (cause) {
        if (abortSignal.aborted || tries === maxTries || !broken.has(read(cause).code)) throw cause
      }
    }
  } finally {
    await rm(partial, { force: true })
  }
}

const maxTries = 5

/** The codes of an incomplete answer. */
const broken = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"])
