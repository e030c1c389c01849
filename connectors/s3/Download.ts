/**
 * Downloads an object to a local file, through a small buffer.
 *
 * The file is there completely or not at all. The client repeats a request, but not the bytes of an answer: an
 * incomplete answer is requested again.
 */
import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Client } from "./Client.ts"
import { read } from "./failure.ts"

interface ObjectLocation {
  readonly Bucket: string
  readonly Key: string
}

export const get = async ({ sdk, s3 }: Client, place: ObjectLocation, file: string, abortSignal: AbortSignal) => {
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
