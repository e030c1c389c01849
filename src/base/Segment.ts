/**
 * A file of blocks that only grows. Each block is compressed, has a checksum, and is a zstd frame of its own, so `zstd
 * -dc FILE` prints all of them.
 *
 * Guarantee: a block is on the disk when `append` has ended, even after a power failure. Before each frame is a frame
 * that zstd skips, with the length and the checksum of the block. So the next process recognises a block that a killed
 * process wrote in part, and cuts it off. Only the last block can be partial: a damaged block before others is an
 * error.
 */
import { appendFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"

/** Its calls are made one at a time. */
export interface Segment {
  /** Where each block begins, in order. */
  readonly places: ReadonlyArray<number>
  /** Adds blocks, all with one write. */
  readonly append: (blocks: ReadonlyArray<Uint8Array>) => Promise<void>
  /** The block that begins at this byte, and where the next one begins; undefined at the end. */
  readonly read: (at: number) => Promise<Block | undefined>
  /** Removes all blocks but the first ones. */
  readonly keep: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

interface Block {
  readonly bytes: Buffer
  readonly next: number
}

/** Opens or creates a file, and cuts off a partial block at its end. */
export const open = async (path: string): Promise<Segment> => {
  const file = await Fs.open(path, "a+")
  const whole = await measure(file, path).catch(async (cause: unknown) => {
    await file.close()
    throw cause
  })
  await file.truncate(whole.bytes)
  let { bytes } = whole
  const { places } = whole
  return {
    places,
    append: async (blocks) => {
      const payloads = await Promise.all(blocks.map(compress))
      try {
        const written = Buffer.concat(payloads.flatMap((payload) => [headOf(payload), payload]))
        if (written.length <= small) appendFileSync(file.fd, written)
        else await file.appendFile(written)
        await file.datasync()
      } catch (cause) {
        // What a full disk accepted of it must not stay before the next block.
        await file.truncate(bytes).catch(() => {})
        throw cause
      }
      for (const payload of payloads) {
        places.push(bytes)
        bytes += headBytes + payload.length
      }
    },
    read: async (at) => {
      if (at >= bytes) return undefined
      const payload = await payloadAt(file, at)
      if (payload === undefined) throw damaged(path, at)
      return { bytes: await decompress(payload), next: at + headBytes + payload.length }
    },
    keep: async (count) => {
      if (count >= places.length) return
      bytes = places[count] ?? bytes
      places.length = count
      await file.truncate(bytes)
    },
    close: () => file.close()
  }
}

/** What a file has: how many whole blocks, and which of them is not as it was written. */
interface Inspection {
  readonly blocks: number
  readonly damage: string | undefined
}

/**
 * Reads the whole file, and changes nothing. A partial block at the end is left by a killed process, and counts as none. A file
 * that is missing counts as empty.
 */
export const inspect = async (path: string): Promise<Inspection> => {
  const file = await Fs.open(path, "r").catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  })
  if (file === undefined) return { blocks: 0, damage: undefined }
  try {
    const { bytes, isDamagedBehind, places } = await placesIn(file)
    if (isDamagedBehind) return { blocks: places.length, damage: damageAt(path, bytes) }
    for (const at of places) {
      if ((await payloadAt(file, at)) === undefined) return { blocks: places.length, damage: damageAt(path, at) }
    }
    return { blocks: places.length, damage: undefined }
  } finally {
    await file.close()
  }
}

/** A segment in memory, for a reading that is never continued. The place of a block is its number. */
export const memory = (): Segment => {
  const blocks: Array<Buffer> = []
  const places: Array<number> = []
  return {
    places,
    append: async (some) => {
      for (const block of some) {
        places.push(blocks.length)
        blocks.push(await compress(block))
      }
    },
    read: async (at) => {
      const block = blocks[at]
      return block === undefined ? undefined : { bytes: await decompress(block), next: at + 1 }
    },
    keep: async (count) => {
      blocks.length = Math.min(count, blocks.length)
      places.length = blocks.length
    },
    close: async () => {}
  }
}

/** Up to this size, a block is compressed and written synchronously: another thread would cost more than it saves. */
const small = 16_384

const compress = async (block: Uint8Array): Promise<Buffer> =>
  block.length <= small ? Zlib.zstdCompressSync(block, optionsOf(block)) : compressAside(block, optionsOf(block))

/** Knowing the size, zstd takes no memory for a longer block. */
const optionsOf = ({ length }: Uint8Array) => ({
  params: { [Zlib.constants.ZSTD_c_compressionLevel]: 1 },
  pledgedSrcSize: length
})
// Made when needed: on a Node without zstd, the process gets far enough to say so (`src/oldNode.ts`).
const compressAside = (block: Uint8Array, options: ReturnType<typeof optionsOf>) =>
  promisify<Uint8Array, typeof options, Buffer>(Zlib.zstdCompress)(block, options)
const decompress = (block: Buffer) => promisify<Buffer, Buffer>(Zlib.zstdDecompress)(block)

/** The first of the magic numbers of frames that zstd skips. */
const skipped = 0x184d2a50
const magic = Buffer.from([0x50, 0x2a, 0x4d, 0x18])
const headBytes = 16

const headOf = (payload: Buffer): Buffer => {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(skipped, 0)
  head.writeUInt32LE(headBytes - 8, 4)
  head.writeUInt32LE(payload.length, 8)
  head.writeUInt32LE(Zlib.crc32(payload), 12)
  return head
}

const damageAt = (path: string, at: number): string => `the answer at byte ${at} of ${path} is damaged`

const damaged = (path: string, at: number): Error =>
  new Error(`${damageAt(path, at)}; move the folder of this run away to continue without it`)

interface Places {
  readonly bytes: number
  readonly places: Array<number>
  /** Whether a complete block stands behind them, which a partial block at the end never has. */
  readonly isDamagedBehind: boolean
}

/** How many bytes of the file are complete blocks; it fails if a complete block stands behind a damaged one. */
const measure = async (file: Fs.FileHandle, path: string): Promise<Places> => {
  const whole = await placesIn(file)
  if (whole.isDamagedBehind) throw damaged(path, whole.bytes)
  return whole
}

/** Only the last block can be partial, so only its checksum is verified. */
const placesIn = async (file: Fs.FileHandle): Promise<Places> => {
  const { size } = await file.stat()
  const places: Array<number> = []
  let bytes = 0
  for (;;) {
    const length = await lengthAt(file, bytes)
    if (length === undefined || bytes + headBytes + length > size) break
    places.push(bytes)
    bytes += headBytes + length
  }
  const last = places.at(-1)
  if (last !== undefined && (await payloadAt(file, last)) === undefined) {
    places.pop()
    bytes = last
  }
  return { bytes, places, isDamagedBehind: await hasBlockBehind(file, bytes, size) }
}

/** Whether a complete block begins after this byte. */
const hasBlockBehind = async (file: Fs.FileHandle, from: number, size: number): Promise<boolean> => {
  const rest = Buffer.alloc(size - from)
  await file.read(rest, 0, rest.length, from)
  for (let at = rest.indexOf(magic, 1); at >= 0; at = rest.indexOf(magic, at + 1)) {
    if ((await payloadAt(file, from + at)) !== undefined) return true
  }
  return false
}

const headAt = async (file: Fs.FileHandle, at: number): Promise<Buffer | undefined> => {
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await file.read(head, 0, headBytes, at)
  // A frame is never empty. Zeroed bytes say so, with a checksum that holds.
  return bytesRead === headBytes && head.readUInt32LE(0) === skipped && head.readUInt32LE(8) > 0 ? head : undefined
}

const lengthAt = async (file: Fs.FileHandle, at: number): Promise<number | undefined> =>
  (await headAt(file, at))?.readUInt32LE(8)

const payloadAt = async (file: Fs.FileHandle, at: number): Promise<Buffer | undefined> => {
  const head = await headAt(file, at)
  if (head === undefined) return undefined
  const payload = Buffer.alloc(head.readUInt32LE(8))
  const { bytesRead } = await file.read(payload, 0, payload.length, at + headBytes)
  return bytesRead === payload.length && Zlib.crc32(payload) === head.readUInt32LE(12) ? payload : undefined
}
