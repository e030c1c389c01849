/**
 * The answers of one run in one file, each a zstd frame of its own: `zstd -dc answers.ndjson.zst` prints them, one per
 * line. A text that begins and ends as a JSON object is written unchanged, so that `jq .text.data` can read it; any
 * other text is a JSON string there.
 *
 * The law: an answer is on the disk when `append` has ended, also after a power cut. Before each frame is one that zstd
 * skips, with the length and the checksum of what follows, so the half of an answer that a killed process leaves is
 * recognised, and the next process cuts it off. Only the last frame can be such a half: a damaged frame before others is
 * an error.
 */
import * as Fs from "node:fs/promises"
import { promisify } from "node:util"
import { constants, crc32, zstdCompress, zstdDecompress } from "node:zlib"
import type { SourceResponse } from "../pipeline/SourceElement.ts"

export interface AnswerFile {
  /** How many answers there are. */
  readonly length: number
  readonly append: (answer: SourceResponse) => Promise<void>
  /** The answer that begins at a byte, and the byte behind it; undefined at the end. */
  readonly read: (at: number) => Promise<{ readonly answer: SourceResponse; readonly next: number } | undefined>
  readonly close: () => Promise<void>
}

/** Opens a file, or makes it, and cuts off the half of an answer at its end. */
export const open = async (path: string): Promise<AnswerFile> => {
  const file = await Fs.open(path, "a+")
  const whole = await measure(file, path).catch(async (cause: unknown) => {
    await file.close()
    throw cause
  })
  await file.truncate(whole.bytes)
  let { bytes, count } = whole
  return {
    get length() {
      return count
    },
    append: async (answer) => {
      const payload = await compress(lineOf(answer), {
        params: { [constants.ZSTD_c_compressionLevel]: 1 }
      })
      const frame = Buffer.alloc(headBytes)
      frame.writeUInt32LE(skipped, 0)
      frame.writeUInt32LE(headBytes - 8, 4)
      frame.writeUInt32LE(payload.length, 8)
      frame.writeUInt32LE(crc32(payload), 12)
      await file.appendFile(Buffer.concat([frame, payload]))
      await file.datasync()
      bytes += headBytes + payload.length
      count += 1
    },
    read: async (at) => {
      if (at >= bytes) return undefined
      const payload = await payloadAt(file, at)
      if (payload === undefined) throw damaged(path, at)
      const answer = answerOf((await decompress(payload)).toString("utf8"))
      return { answer, next: at + headBytes + payload.length }
    },
    close: () => file.close()
  }
}

const compress = promisify<Buffer, { params: Record<number, number> }, Buffer>(zstdCompress)
const decompress = promisify<Buffer, Buffer>(zstdDecompress)

/**
 * The line of an answer. `head` is how many characters stand between it and a text that was taken over as it is: then
 * nothing of megabytes is escaped, and nothing has to be understood to know where it begins. Lines without it, all lines
 * of older versions among them, are the answer as JSON.
 */
const lineOf = ({ text, ...rest }: SourceResponse): Buffer => {
  if (!isLine(text)) return Buffer.from(`${JSON.stringify({ ...rest, text })}\n`)
  const head = `${JSON.stringify(rest).slice(1, -1)},"text":`
  return joined(`{"head":${head.length},${head}`, text, "}\n")
}

/** The bytes of texts one behind the other, without a text of all of them. */
const joined = (...texts: ReadonlyArray<string>): Buffer => {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let at = 0
  for (const text of texts) at += bytes.write(text, at)
  return bytes
}

/** Whether a text stands in a line of JSON as it is, as far as that is seen without reading it. */
const isLine = (text: string): boolean =>
  text.startsWith("{") && text.endsWith("}") && !text.includes("\n") && !text.includes("\r") && text.isWellFormed()

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `lineOf` wrote it of an answer, and the checksum holds
const written = (json: string): SourceResponse => JSON.parse(json) as SourceResponse

/** What `lineOf` wrote is an answer: the checksum says that it is what was written. */
const answerOf = (line: string): SourceResponse => {
  const [before, length] = /^\{"head":(\d+),/.exec(line) ?? []
  if (before === undefined) return written(line)
  const at = before.length + Number(length)
  return { ...written(`{${line.slice(before.length, at)}""}`), text: line.slice(at, -2) }
}

/** The first of the numbers that tell zstd to skip a frame. */
const skipped = 0x184d2a50
const magic = Buffer.from([0x50, 0x2a, 0x4d, 0x18])
const headBytes = 16

const damaged = (path: string, at: number): Error =>
  new Error(`the answer at byte ${at} of ${path} is damaged; move the folder of this run away to continue without it`)

/** How many bytes of a file are whole answers. Only the last can be torn, so only its checksum is looked at. */
const measure = async (
  file: Fs.FileHandle,
  path: string
): Promise<{ readonly bytes: number; readonly count: number }> => {
  const { size } = await file.stat()
  let [bytes, count, last] = [0, 0, 0]
  for (;;) {
    const length = await lengthAt(file, bytes)
    if (length === undefined || bytes + headBytes + length > size) break
    last = bytes
    bytes += headBytes + length
    count += 1
  }
  const isTorn = count > 0 && (await payloadAt(file, last)) === undefined
  const whole = isTorn ? { bytes: last, count: count - 1 } : { bytes, count }
  if (await hasAnswerBehind(file, whole.bytes, size)) throw damaged(path, whole.bytes)
  return whole
}

/** Whether a whole answer begins somewhere behind a byte. */
const hasAnswerBehind = async (file: Fs.FileHandle, from: number, size: number): Promise<boolean> => {
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
  return bytesRead === headBytes && head.readUInt32LE(0) === skipped ? head : undefined
}

const lengthAt = async (file: Fs.FileHandle, at: number): Promise<number | undefined> =>
  (await headAt(file, at))?.readUInt32LE(8)

const payloadAt = async (file: Fs.FileHandle, at: number): Promise<Buffer | undefined> => {
  const head = await headAt(file, at)
  if (head === undefined) return undefined
  const payload = Buffer.alloc(head.readUInt32LE(8))
  const { bytesRead } = await file.read(payload, 0, payload.length, at + headBytes)
  return bytesRead === payload.length && crc32(payload) === head.readUInt32LE(12) ? payload : undefined
}
