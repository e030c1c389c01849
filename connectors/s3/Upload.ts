/**
 * A local file as an object, in parts if it is large.
 *
 * The size of a part is a share of the file, so that the ten thousand parts of the protocol suffice for any size, and at
 * most three parts are in memory. An upload that fails is aborted; one whose process died is aborted when its object is
 * removed, and otherwise by the next run that puts a file below the same prefix, a day later: until then the server
 * bills it and shows it to nobody.
 */
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import type { Client } from "./Client.ts"
import { assertAnswered } from "./failure.ts"

interface Target {
  readonly Bucket: string
  readonly Key: string
}

/** Puts a file of any size at a place, replacing what was there. */
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

/** Aborts uploads below a prefix that nobody can still be at. Where that is not allowed, nothing is lost but room. */
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

/** Aborts uploads to one place, whose object is to go. Where that is not allowed, nothing is lost but room. */
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

/** Bytes of a part of a file of this size. */
export const partSizeOf = (size: number): number => Math.max(partBytes, Math.ceil(size / maxParts))

const staleMillis = 24 * 3_600_000
