/**
 * The page documents in a block of a run, one after the other, each as `PageDocumentBytes`. All other code takes a
 * block for bytes: another encoding needs a new version here and no other change.
 */
import type { PageDocument } from "./PageDocument.ts"
import * as PageDocumentBytes from "./PageDocumentBytes.ts"

/** The documents of a block, each decoded when it is asked for. */
interface PageBlock {
  readonly count: number
  readonly document: (at: number) => PageDocument
}

/** `documents`: each encoded as bytes. */
export const encode = (documents: ReadonlyArray<Uint8Array>): Buffer => {
  const head = Buffer.allocUnsafe(headBytes + 4 * documents.length)
  let at = head.writeUInt32LE(version, 0)
  at = head.writeUInt32LE(documents.length, at)
  for (const { length } of documents) at = head.writeUInt32LE(length, at)
  return Buffer.concat([head, ...documents])
}

export const decode = (bytes: Uint8Array): PageBlock => {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (block.readUInt32LE(0) !== version)
    throw new Error(`a block of pages of an unknown kind: ${block.readUInt32LE(0)}`)
  const count = block.readUInt32LE(4)
  const ends: Array<number> = []
  let end = headBytes + 4 * count
  for (let n = 0; n < count; n++) {
    end += block.readUInt32LE(headBytes + 4 * n)
    ends.push(end)
  }
  return {
    count,
    document: (at) => {
      const to = ends[at]
      if (to === undefined) throw new Error(`a block of ${count} pages has no page ${at}`)
      return PageDocumentBytes.decode(block.subarray(ends[at - 1] ?? headBytes + 4 * count, to))
    }
  }
}

const version = 1
const headBytes = 8
