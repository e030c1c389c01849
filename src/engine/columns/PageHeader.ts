/**
 * The headers of pages: data pages of version 1, which every reader supports, and dictionary pages. Each has the CRC-32 of its page,
 * with which readers can find damage (pyarrow: `page_checksum_verification`).
 *
 * @see Apache Parquet, file format: checksumming
 */
import * as Thrift from "../Thrift.ts"

export interface PageHeader {
  readonly isDictionary: boolean
  readonly entries: number
  /** Whether the values are indexes of the dictionary. */
  readonly isIndexed: boolean
  readonly rawBytes: number
  readonly bytes: number
  /** The CRC-32 of the bytes behind the header, as they are compressed; undefined: an older version wrote none. */
  readonly crc: number | undefined
}

/** PLAIN_DICTIONARY is the older of two names for the dictionary encoding; every reader supports it. */
const Encoding = { PLAIN: 0, PLAIN_DICTIONARY: 2, RLE: 3, RLE_DICTIONARY: 8 }

export const encodingsOf = (hasDictionary: boolean): ReadonlyArray<number> =>
  hasDictionary ? [Encoding.PLAIN, Encoding.RLE, Encoding.PLAIN_DICTIONARY] : [Encoding.PLAIN, Encoding.RLE]

export const write = ({ isDictionary, entries, isIndexed, rawBytes, bytes, crc }: PageHeader): Uint8Array => {
  const [count, plain, rle] = [Thrift.int(entries), Thrift.int(Encoding.PLAIN), Thrift.int(Encoding.RLE)]
  const values = isIndexed ? Thrift.int(Encoding.PLAIN_DICTIONARY) : plain
  const sizes = [
    [1, Thrift.int(isDictionary ? 2 : 0)],
    [2, Thrift.int(rawBytes)],
    [3, Thrift.int(bytes)],
    ...(crc === undefined ? [] : [[4, Thrift.int(crc | 0)] as const])
  ] as const
  const of = isDictionary
    ? Thrift.structOf([
        [1, count],
        [2, plain]
      ])
    : Thrift.structOf([
        [1, count],
        [2, values],
        [3, rle],
        [4, rle]
      ])
  return Thrift.write(new Map<number, Thrift.Value>([...sizes, [isDictionary ? 7 : 5, of]]))
}

/** Reads the header at an offset, and its end. It throws an error for kinds of pages that Millrace does not write. */
export const read = (bytes: Uint8Array, at: number): PageHeader & { readonly end: number } => {
  const { fields, end } = Thrift.readAt(bytes, at)
  const type = Thrift.intIn(fields, 1)
  const isDictionary = type === 2
  const of = Thrift.structIn(fields, isDictionary ? 7 : 5)
  const encoding = Thrift.intIn(of, 2)
  const isIndexed = encoding === Encoding.RLE_DICTIONARY || (!isDictionary && encoding === Encoding.PLAIN_DICTIONARY)
  const [rawBytes, size, entries] = [Thrift.intIn(fields, 2), Thrift.intIn(fields, 3), Thrift.intIn(of, 1)]
  if (rawBytes === undefined || size === undefined || entries === undefined || (type !== 0 && !isDictionary)) {
    throw new Error("a page of the block is of another kind than those that are written here")
  }
  if (!isIndexed && encoding !== Encoding.PLAIN && !(isDictionary && encoding === Encoding.PLAIN_DICTIONARY)) {
    throw new Error("the values of a page of the block are encoded in another way than those that are written here")
  }
  const crc = Thrift.intIn(fields, 4)
  return {
    isDictionary,
    entries,
    isIndexed,
    rawBytes,
    bytes: size,
    crc: crc === undefined ? undefined : crc >>> 0,
    end
  }
}
