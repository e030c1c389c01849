/**
 * Reads the entries of a zip file, by the directory at its end.
 *
 * A file may lie about the sizes of its entries, so all entries together are unpacked only up to a limit.
 */
import * as zlib from "node:zlib"
import { FileProblem } from "../FileProblem.ts"

export interface Zip {
  readonly names: ReadonlyArray<string>
  /** The bytes of an entry; undefined: there is no entry of that name. */
  readonly read: (name: string) => Uint8Array | undefined
}

interface Entry {
  readonly at: number
  readonly packed: number
  readonly unpacked: number
  readonly method: number
  readonly isEncrypted: boolean
}

/** Undefined: not a zip file, or its directory cannot be read. */
export const open = (bytes: Uint8Array, maxUnpacked: number): Zip | undefined => {
  const entries = entriesOf(bytes)
  if (entries === undefined) return undefined
  let remainingBytes = maxUnpacked
  return {
    names: [...entries.keys()],
    read: (name) => {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      if (entry.unpacked > remainingBytes) throw tooLarge(maxUnpacked)
      const unpacked = unpack(bytes, entry, remainingBytes)
      if (unpacked === "too large") throw tooLarge(maxUnpacked)
      remainingBytes -= unpacked.byteLength
      return unpacked
    }
  }
}

const tooLarge = (most: number) =>
  new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", `the document unpacks to more than ${most / 1024 / 1024} MB`)

const broken = (what: string) => new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the document is broken: ${what}`)

const unpack = (bytes: Uint8Array, { at, isEncrypted, method, packed }: Entry, most: number) => {
  if (isEncrypted)
    throw new FileProblem("SCRAPE_FILE_ENCRYPTED_ERROR", "the document is encrypted and needs a password")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (at + 30 > bytes.length || view.getUint32(at, true) !== localEntry)
    throw broken("an entry is not where its list says")
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  const data = bytes.subarray(start, start + packed)
  if (method === 0) return data.byteLength > most ? "too large" : data
  if (method !== 8) throw broken("it is packed in a way that nobody reads")
  try {
    return zlib.inflateRawSync(data, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") return "too large"
    throw broken("an entry cannot be unpacked")
  }
}

const entriesOf = (bytes: Uint8Array): ReadonlyMap<string, Entry> | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(bytes, view)
  if (end === undefined) return undefined
  const entries = new Map<string, Entry>()
  const decoder = new TextDecoder()
  let at = listAt(view, end)
  while (at + 46 <= bytes.length && view.getUint32(at, true) === centralEntry) {
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const after = at + 46 + (name ?? 0)
    const large = largeNumbers(view, after, Math.min(bytes.length, after + (extra ?? 0)))
    const number = (field: number) => {
      const written = view.getUint32(at + field, true)
      return written === inExtra ? (large.shift() ?? written) : written
    }
    const unpacked = number(24)
    entries.set(decoder.decode(bytes.subarray(at + 46, after)), {
      unpacked,
      packed: number(20),
      at: number(42),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1
    })
    at = after + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

/** The position of the end record: within the last 64 kB, because a comment may follow it. */
const endOf = (bytes: Uint8Array, view: DataView): number | undefined => {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--) {
    if (bytes[at] === 0x50 && view.getUint32(at, true) === endOfList) return at
  }
  return undefined
}

/** The position of the directory; a large file states it in a record of its own. */
const listAt = (view: DataView, end: number): number => {
  const at = view.getUint32(end + 16, true)
  if (at !== inExtra || end < 20 || view.getUint32(end - 20, true) !== largeEnd) return at
  const record = Number(view.getBigUint64(end - 12, true))
  return record + 56 <= view.byteLength ? Number(view.getBigUint64(record + 48, true)) : view.byteLength
}

/** The eight-byte numbers of an entry, in the order of the fields that they replace. */
const largeNumbers = (view: DataView, from: number, to: number): Array<number> => {
  const numbers: Array<number> = []
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    const end = Math.min(to, at + 4 + view.getUint16(at + 2, true))
    for (let number = at + 4; number + 8 <= end; number += 8) numbers.push(Number(view.getBigUint64(number, true)))
    return numbers
  }
  return numbers
}

const localEntry = 0x04034b50
const centralEntry = 0x02014b50
const endOfList = 0x06054b50
const largeEnd = 0x07064b50
/** Marks a field whose number is written elsewhere, in eight bytes. */
const inExtra = 0xffffffff
