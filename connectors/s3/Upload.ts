/**
 * Uploads a local file as an object, in parts if it is large.
 *
 * The size of a part depends on the file, so that the ten thousand parts of the protocol are enough for any size. At most
 * three parts are in memory. An upload that fails is aborted. If the process dies, the upload is aborted when its object is
 * removed, or a day later by the next run that puts a file below the same prefix. Until then the server charges for it, and no
 * reader sees it.
 */
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import type { Client } from "./Client.ts"
import { assertAnswered } from "./failure.ts"

interface Target {
  readonly Bucket: string
  readonly Key: string
}

/** Puts a file of any size, replacing what was there. */
export const put = async ({ sdk, s3 }: Client, target: Target, file: string, abortSignal: AbortSignal) => {
  const { size } = await stat(file)
  if (size <= partBytes) {
    const command = new sdk.PutObjectCommand({ ...target, Body: await readFile(file) })
    assertAnswered((await s3.send(command, { abortSignal })).ETag)
    return
  }
  const { Upload } = await import("@aws-sdk/lib-storage")
  const upload = new Upload({
    client: s3,
    params: { ...target, Body: createReadStream(file, { highWaterMark: 1024 * 1024 }) },
    partSize: partSizeOf(size),
    queueSize: 3
  })
  const stop = () => void upload.abort()
  abortSignal.addEventListener("abort", stop)
  try {
    await upload.done()
  } finally {
    abortSignal.removeEventListener("abort", stop)
  }
}

/** Aborts uploads below a prefix that are older than a day. If that is not allowed, they only take space. */
export const removeStale = async ({ sdk, s3 }: Client, bucket: string, prefix: string, abortSignal: AbortSignal) => {
  const before = Date.now() - staleMillis
  try {
    const { Uploads = [] } = await s3.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }), {
      abortSignal
    })
    for (const { Key, UploadId, Initiated } of Uploads) {
      if ((Initiated?.getTime() ?? before) >= before) continue
      await s3.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), { abortSignal })
    }
  } catch (cause) {
    if (abortSignal.aborted) throw cause
  }
}

/** Aborts uploads to an object that is removed. If that is not allowed, they only take space. */
export const abortAt = async ({ sdk, s3 }: Client, { Bucket, Key }: Target, abortSignal: AbortSignal) => {
  try {
    const { Uploads = [] } = await s3.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key }), {
      abortSignal
    })
    for (const { Key: key, UploadId } of Uploads) {
      if (key !== Key) continue
      await s3.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal })
    }
  } catch (cause) {
    if (abortSignal.aborted) throw cause
  }
}

const partBytes = 16 * 1024 * 1024
const maxParts = 9000

/** The size of a part, for a file of this size. */
export const partSizeOf = (size: number): number => Math.max(partBytes, Math.ceil(size / maxParts))

const staleMillis = 24 * 3_600_000
