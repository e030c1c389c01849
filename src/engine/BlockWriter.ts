/**
 * Writes rows into blocks: each cell is written into the page of its leaf at once, so no row is kept.
 *
 * A writer makes one block after the other. Only the current block is in memory, compressed except for the last page of each
 * leaf.
 */
import { crc32 } from "node:zlib"
import type { Column, ColumnType } from "./Column.ts"
import * as Codec from "./ColumnCodec.ts"
import { refuse } from "./cellValue.ts"
import type { Chunk, ColumnBlock } from "./columns/Chunk.ts"
import type { EndedChunk } from "./columns/LeafWriter.ts"
import { LeafWriter } from "./columns/LeafWriter.ts"
import * as PageHeader from "./columns/PageHeader.ts"
import { storer } from "./columns/storedValue.ts"
import { ownCell, ownCellReader } from "./ownCell.ts"
import { leavesOf } from "./ParquetLeaf.ts"
import * as PageBuffer from "./ParquetPageBuffer.ts"
import type { Row } from "./Table.ts"

interface BlockWriter {
  /** The number of rows in the current block. */
  readonly rows: number
  /** The bytes of the current block without compression. */
  readonly bytes: number
  /** Adds rows. If a cell is not of its column's type, it throws an error with the column, and the block cannot be used. */
  readonly add: (rows: ReadonlyArray<Row>) => void
  /** Ends the block and returns it. */
  readonly take: () => ColumnBlock
  /** As `take`, but slow compression runs on another thread. */
  readonly takeAside: () => Promise<ColumnBlock>
}

interface Options {
  /** Default: zstd, level 1. */
  readonly compression?: Codec.Compression
  /** A pool of memory that several writers may share, if one of them writes at a time. Default: a pool of its own. */
  readonly memory?: PageBuffer.Pool
  /** The name that each column has in the rows; undefined: rows do not have it, and it is null. Default: its own name. */
  readonly sources?: ReadonlyArray<string | undefined>
}

export const create = (columns: ReadonlyArray<Column>, options: Options = {}): BlockWriter => {
  const {
    compression = Codec.zstd,
    memory = PageBuffer.pool(1 << 23),
    sources = columns.map(({ name }) => name)
  } = options
  const leaves = leavesOf(columns).map((leaf) => new LeafWriter(leaf, compression, memory))
  const rest = leaves.values()
  const writers = columns.map(({ name, type }, at): ColumnWriter => {
    const own: Array<LeafWriter> = []
    const shredder = shredderOf(type, 0, 0, () => {
      const leaf = rest.next().value
      if (leaf === undefined) throw new Error(`column ${name} has more leaves than its schema`)
      own.push(leaf)
      return leaf
    })
    return { name, source: sources[at], shredder, leaves: own }
  })
  let rows = 0

  const end = () => {
    const ended = { rows, chunks: leaves.map((leaf) => leaf.finish()) }
    rows = 0
    return ended
  }
  return {
    get rows() {
      return rows
    },
    get bytes() {
      return leaves.reduce((sum, leaf) => sum + leaf.rawBytes, 0)
    },
    add: (added) => {
      for (const writer of writers) addColumn(writer, added)
      rows += added.length
    },
    take: () => {
      const { chunks, rows } = end()
      return { columns, rows, chunks: chunks.map(sealed) }
    },
    takeAside: async () => {
      const { chunks, rows } = end()
      return { columns, rows, chunks: await Promise.all(chunks.map(sealedAside)) }
    }
  }
}

interface ColumnWriter {
  readonly name: string
  readonly source: string | undefined
  readonly shredder: Shredder
  readonly leaves: ReadonlyArray<LeafWriter>
}

const addColumn = ({ name, source, shredder, leaves }: ColumnWriter, rows: ReadonlyArray<Row>): void => {
  try {
    const read = source === undefined ? undefined : ownCellReader(source)
    for (const row of rows) {
      if (read === undefined) shredder.missing(0, 0)
      else shredder.cell(read(row), 0)
      for (const leaf of leaves) leaf.endRow()
    }
  } catch (cause) {
    throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Writes cells into their leaves. `repetition`: the depth of the list that the entry continues; 0: it begins a row. */
interface Shredder {
  readonly cell: (cell: unknown, repetition: number) => void
  /** Writes an entry without a value, because a list or struct around it is null or empty. `definition`: its level. */
  readonly missing: (definition: number, repetition: number) => void
}

/** Makes the shredder of a type. `definition`: the level of what is around the cell; `depth`: how many lists are around it. */
const shredderOf = (type: ColumnType, definition: number, depth: number, nextLeaf: () => LeafWriter): Shredder => {
  switch (type._tag) {
    case "STRUCT": {
      const fields = type.fields.map((field) => ({
        name: field.name,
        shredder: shredderOf(field.type, definition + 1, depth, nextLeaf)
      }))
      const missing = (level: number, repetition: number) => {
        for (const { shredder } of fields) shredder.missing(level, repetition)
      }
      return {
        cell: (cell, repetition) => {
          if (cell === null || cell === undefined) return missing(definition, repetition)
          if (typeof cell !== "object" || Array.isArray(cell)) return refuse(type, cell)
          for (const { name, shredder } of fields) shredder.cell(ownCell(cell, name), repetition)
        },
        missing
      }
    }
    case "LIST": {
      const item = shredderOf(type.of.type, definition + 2, depth + 1, nextLeaf)
      return {
        cell: (cell, repetition) => {
          if (cell === null || cell === undefined) return item.missing(definition, repetition)
          if (!Array.isArray(cell)) return refuse(type, cell)
          const items: ReadonlyArray<unknown> = cell
          if (items.length === 0) return item.missing(definition + 1, repetition)
          for (let at = 0; at < items.length; at++) item.cell(items[at], at === 0 ? repetition : depth + 1)
        },
        missing: item.missing
      }
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "TIMESTAMP":
    case "VARCHAR": {
      const leaf = nextLeaf()
      const store = storer(type)
      return {
        cell: (cell, repetition) => {
          if (cell === null || cell === undefined) leaf.missing(definition, repetition)
          else leaf.value(store(cell), repetition)
        },
        missing: (level, repetition) => leaf.missing(level, repetition)
      }
    }
  }
}

/** Makes a chunk of ended pages: compresses those that are not compressed yet, and adds the headers. */
const sealed = (chunk: EndedChunk): Chunk =>
  withHeaders(
    chunk,
    chunk.pages.map(({ body, isCompressed }) => (isCompressed ? body : Codec.compress(body, chunk.compression)))
  )

/** As `sealed`, but pages are compressed on other threads. */
const sealedAside = async (chunk: EndedChunk): Promise<Chunk> => {
  const bodies = chunk.pages.map(({ body, isCompressed }) =>
    isCompressed ? Promise.resolve(body) : Codec.compressAside(body, chunk.compression)
  )
  return withHeaders(chunk, await Promise.all(bodies))
}

const withHeaders = (ended: EndedChunk, bodies: ReadonlyArray<Uint8Array>): Chunk => {
  const { bounds, compression, distinct, entries, leaf, nulls } = ended
  let [bytes, rawBytes, dictionaryBytes] = [0, 0, 0]
  const parts = ended.pages.flatMap((page, at) => {
    const body = bodies[at] ?? page.body
    // The frames of zstd have a checksum that every reader compares (`ColumnCodec.ts`).
    const crc = compression.codec === "zstd" ? undefined : crc32(body)
    const header = PageHeader.write({ ...page, bytes: body.length, crc })
    bytes += header.length + body.length
    rawBytes += header.length + page.rawBytes
    if (page.isDictionary) dictionaryBytes = bytes
    return [header, body]
  })
  const codec = Codec.Codec[compression.codec]
  return { leaf, codec, entries, parts, bytes, rawBytes, dictionaryBytes, nulls, bounds, distinct }
}
