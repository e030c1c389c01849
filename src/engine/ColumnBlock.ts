/**
 * A column block: rows of one table as columns, encoded and compressed once.
 *
 * Its pages are Parquet's, so they can be put into a Parquet file as they are. `decode` returns the rows.
 *
 * The cells of those rows are as `Column` defines them: an absent or undefined cell is null; half a surrogate pair is U+FFFD;
 * a DECIMAL has the digits of its scale ("12.5" is "12.50"); a BIGINT is a number if that is exact, otherwise a bigint; JSON
 * is the value of its text.
 */

import { crc32 } from "node:zlib"
import type { Column, ColumnType } from "./Column.ts"
import { type Value, whole } from "./ColumnBounds.ts"
import * as Codec from "./ColumnCodec.ts"
import type { Chunk, ColumnBlock } from "./columns/Chunk.ts"
import * as hybrid from "./columns/hybrid.ts"
import * as PageHeader from "./columns/PageHeader.ts"
import { loader } from "./columns/storedValue.ts"
import { type Leaf, Physical } from "./ParquetLeaf.ts"
import { setCell } from "./setCell.ts"
import type { Row } from "./Table.ts"

export type { Chunk, ColumnBlock } from "./columns/Chunk.ts"

/** The rows of a block, in order. It throws an error if the block is damaged. */
export const decode = ({ columns, rows, chunks }: ColumnBlock): ReadonlyArray<Row> =>
  rowsOf(columns, rows, chunks.map(readLeaf))

/** Frees the memory of a block that a writer made, after it is stored. Nothing may use the block afterwards. */
export const release = ({ chunks }: ColumnBlock): void => {
  for (const { parts } of chunks) for (const part of parts) Codec.free(part)
}

/** Makes rows of the leaves of their columns, in order: the inverse of `BlockWriter`. */
const rowsOf = (
  columns: ReadonlyArray<Column>,
  count: number,
  leaves: ReadonlyArray<LeafValues>
): ReadonlyArray<Row> => {
  const rest = leaves.values()
  const nextLeaf = (): LeafValues => {
    const leaf = rest.next().value
    if (leaf === undefined) throw new Error("the block has fewer leaves than its columns")
    return leaf
  }
  const readers = columns.map(({ name, type }) => ({ name, reader: readerOf(type, 0, 0, nextLeaf) }))
  return Array.from({ length: count }, () => {
    const row: Record<string, unknown> = {}
    for (const { name, reader } of readers) setCell(row, name, reader.cell())
    return row
  })
}

/** Reads cells one after the other. */
interface Reader {
  readonly cell: () => unknown
  /** The levels of the next entry; undefined: there are no more. */
  readonly definition: () => number | undefined
  readonly repetition: () => number | undefined
  /** Skips an entry without a value. */
  readonly skip: () => void
}

const readerOf = (type: ColumnType, definition: number, depth: number, nextLeaf: () => LeafValues): Reader => {
  switch (type._tag) {
    case "STRUCT": {
      const fields = type.fields.map((field) => ({
        name: field.name,
        reader: readerOf(field.type, definition + 1, depth, nextLeaf)
      }))
      const [first] = fields
      if (first === undefined) throw new Error("a STRUCT has no fields")
      const { definition: level, repetition } = first.reader
      const skip = () => {
        for (const { reader } of fields) reader.skip()
      }
      const cell = () => {
        if ((level() ?? 0) <= definition) {
          skip()
          return null
        }
        const struct: Record<string, unknown> = {}
        for (const { name, reader } of fields) setCell(struct, name, reader.cell())
        return struct
      }
      return { cell, definition: level, repetition, skip }
    }
    case "LIST": {
      const item = readerOf(type.of.type, definition + 2, depth + 1, nextLeaf)
      const cell = () => {
        const level = item.definition() ?? 0
        if (level < definition + 2) {
          item.skip()
          return level <= definition ? null : []
        }
        const items: Array<unknown> = []
        do items.push(item.cell())
        while (item.repetition() === depth + 1)
        return items
      }
      return { cell, definition: item.definition, repetition: item.repetition, skip: item.skip }
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "TIMESTAMP":
    case "VARCHAR": {
      const { definitions, leaf, repetitions, values } = nextLeaf()
      const load = loader(type)
      let entry = 0
      let next = 0
      return {
        cell: () => {
          const value = definitions[entry++] === leaf.definition ? values[next++] : undefined
          return value === undefined ? null : load(value)
        },
        definition: () => definitions[entry],
        repetition: () => repetitions[entry],
        skip: () => {
          entry++
        }
      }
    }
  }
}

interface LeafValues {
  readonly leaf: Leaf
  /** One for each entry. */
  readonly definitions: Uint8Array
  readonly repetitions: Uint8Array
  /** One for each entry that has a value. */
  readonly values: ReadonlyArray<Value>
}

/** Reads a chunk. It throws an error if the pages are damaged. */
const readLeaf = ({ leaf, codec, entries, parts }: Chunk): LeafValues => {
  const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  const definitions = new Uint8Array(entries)
  const repetitions = new Uint8Array(leaf.repetition === 0 ? 0 : entries)
  const values: Array<Value> = []
  let dictionary: ReadonlyArray<Value> = []
  let at = 0
  let entry = 0
  while (at < bytes.length) {
    const page = PageHeader.read(bytes, at)
    at = page.end + page.bytes
    if (at > bytes.length || entry + page.entries > entries + (page.isDictionary ? page.entries : 0)) {
      throw new Error(`a page of ${leaf.path.join(".")} is longer than its chunk`)
    }
    if (page.crc !== undefined && page.crc !== crc32(bytes.subarray(page.end, at))) throw otherBytes(leaf)
    const raw = decompress(leaf, bytes.subarray(page.end, at), codec, page.rawBytes)
    if (page.isDictionary) {
      dictionary = plainValues(leaf, raw, 0, page.entries)
      continue
    }
    const body = new Body(raw)
    const to = entry + page.entries
    if (leaf.repetition > 0) body.levels(leaf.repetition, repetitions.subarray(entry, to))
    body.levels(leaf.definition, definitions.subarray(entry, to))
    let count = 0
    for (let n = entry; n < to; n++) if (definitions[n] === leaf.definition) count++
    entry = to
    if (!page.isIndexed) append(values, plainValues(leaf, raw, body.at, count))
    else if (count > 0) {
      const indexes = hybrid.decode(raw.subarray(body.at + 1), raw[body.at] ?? 0, new Uint32Array(count))
      for (const index of indexes) {
        const value = dictionary[index]
        if (value === undefined) throw new Error(`a value of ${leaf.path.join(".")} is not in its dictionary`)
        values.push(value)
      }
    }
  }
  if (entry !== entries) throw new Error(`${leaf.path.join(".")} has ${entry} entries and should have ${entries}`)
  return { leaf, definitions, repetitions, values }
}

const append = (values: Array<Value>, more: ReadonlyArray<Value>): void => {
  for (const value of more) values.push(value)
}

class Body {
  private readonly bytes: Uint8Array
  at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  levels(most: number, into: Uint8Array): void {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)
    const from = this.at + 4
    this.at = from + view.getUint32(this.at, true)
    hybrid.decode(this.bytes.subarray(from, this.at), hybrid.widthFor(most + 1), into)
  }
}

/** Reads a number of values in the PLAIN encoding. */
const plainValues = ({ physical }: Leaf, bytes: Uint8Array, start: number, count: number): ReadonlyArray<Value> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const values: Array<Value> = []
  let at = start
  switch (physical) {
    case Physical.BYTE_ARRAY:
      for (let n = 0; n < count; n++) {
        const from = at + 4
        at = from + buffer.readUInt32LE(at)
        if (at > buffer.length) throw new Error("a text is longer than its page")
        values.push(buffer.toString("utf8", from, at))
      }
      break
    case Physical.INT32:
      for (let n = 0; n < count; n++, at += 4) values.push(buffer.readInt32LE(at))
      break
    case Physical.INT64:
      for (let n = 0; n < count; n++, at += 8) values.push(whole(buffer.readBigInt64LE(at)))
      break
    case Physical.DOUBLE:
      for (let n = 0; n < count; n++, at += 8) values.push(buffer.readDoubleLE(at))
      break
    case Physical.FIXED:
      for (let n = 0; n < count; n++, at += 16) {
        values.push((buffer.readBigInt64BE(at) << 64n) | buffer.readBigUInt64BE(at + 8))
      }
      break
    case Physical.BOOLEAN:
      for (let n = 0; n < count; n++) values.push((((buffer[start + (n >> 3)] ?? 0) >> (n & 7)) & 1) === 1)
      break
  }
  return values
}

/** The frames of zstd have checksums of their own, and gzip has one. */
const decompress = (leaf: Leaf, bytes: Uint8Array, codec: Codec.Codec, length: number): Uint8Array => {
  try {
    return Codec.decompress(bytes, codec, length)
  } catch (cause) {
    throw otherBytes(leaf, cause)
  }
}

const otherBytes = (leaf: Leaf, cause?: unknown): Error =>
  new Error(`a page of ${leaf.path.join(".")} has other bytes than were written`, { cause })
