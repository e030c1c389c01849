/** The Parquet footer of a block, with its schema and its row group; and the block of a footer. */
import * as Bounds from "./ColumnBounds.ts"
import { Codec } from "./ColumnCodec.ts"
import type { Chunk, ColumnBlock } from "./columns/Chunk.ts"
import { encodingsOf } from "./columns/PageHeader.ts"
import * as Footer from "./ParquetFooter.ts"
import { columnsOf, type Leaf, leavesOf, schemaOf } from "./ParquetLeaf.ts"
import * as Thrift from "./Thrift.ts"

/** The footer of a file with this block alone, whose pages begin after the first four bytes. */
export const footerOf = (block: ColumnBlock): Footer.Footer => {
  const from = Footer.magic.length
  let at = from
  const chunks = block.chunks.map((chunk) => {
    const described = chunkOf(chunk, at)
    at += chunk.bytes
    return described
  })
  const sum = (of: "bytes" | "rawBytes") => block.chunks.reduce((total, chunk) => total + chunk[of], 0)
  const group: Thrift.Struct = new Map([
    [1, Thrift.structs(chunks)],
    [2, Thrift.long(sum("rawBytes"))],
    [3, Thrift.long(block.rows)],
    [5, Thrift.long(from)],
    [6, Thrift.long(sum("bytes"))]
  ])
  const order: Thrift.Struct = new Map([[1, Thrift.structOf([])]])
  const fields: Thrift.Struct = new Map([
    [1, Thrift.int(1)],
    [2, Thrift.structs(schemaOf(block.columns))],
    [3, Thrift.long(block.rows)],
    [4, Thrift.structs(block.rows === 0 ? [] : [group])],
    [6, Thrift.text(createdBy)],
    [7, Thrift.structs(block.chunks.map(() => order))]
  ])
  return { fields, from, to: at, rows: block.rows }
}

/** The name of the writer, in the form in which readers recognise writers with known bugs. */
const createdBy = "millrace version 1.0.0"

const chunkOf = (chunk: Chunk, offset: number): Thrift.Struct => {
  const { leaf, codec, entries, bytes, rawBytes, dictionaryBytes } = chunk
  const meta = Thrift.structOf([
    [1, Thrift.int(leaf.physical)],
    [2, Thrift.ints(encodingsOf(dictionaryBytes > 0))],
    [3, Thrift.texts(leaf.path)],
    [4, Thrift.int(codec)],
    [5, Thrift.long(entries)],
    [6, Thrift.long(rawBytes)],
    [7, Thrift.long(bytes)],
    [9, Thrift.long(offset + dictionaryBytes)],
    ...(dictionaryBytes > 0 ? [[11, Thrift.long(offset)] as const] : []),
    [12, statisticsOf(chunk)]
  ])
  return new Map([
    [2, Thrift.long(0)],
    [3, meta]
  ])
}

const statisticsOf = ({ leaf, nulls, bounds, distinct }: Chunk): Thrift.Value => {
  const [min, max] = [bounds?.min, bounds?.max].map((value) => value !== undefined && Bounds.toBytes(leaf, value))
  const hasBounds = min instanceof Uint8Array && max instanceof Uint8Array
  return Thrift.structOf([
    [3, Thrift.long(nulls)],
    ...(distinct === undefined ? [] : [[4, Thrift.long(distinct)] as const]),
    ...(hasBounds
      ? ([
          [5, { type: Thrift.binary, value: max }],
          [6, { type: Thrift.binary, value: min }],
          [7, { type: Thrift.boolean, value: true }],
          [8, { type: Thrift.boolean, value: true }]
        ] as const)
      : [])
  ])
}

/** The block of a file with one row group, whose footer `footerOf` made. Its pages are views of `bytes`. */
export const blockOf = ({ fields, rows }: Footer.Footer, bytes: Uint8Array): ColumnBlock => {
  const columns = columnsOf(Thrift.structsIn(fields, 2))
  const leaves = leavesOf(columns)
  const groups = Thrift.structsIn(fields, 4)
  if (groups.length > 1) throw new Error("a block is one row group, and this file has several")
  const described = groups.flatMap((group) => Thrift.structsIn(group, 1))
  return {
    columns,
    rows,
    chunks: leaves.map((leaf, at) => {
      const chunk = described[at]
      return chunk === undefined ? emptyChunk(leaf) : chunkFrom(leaf, Thrift.structIn(chunk, 3), bytes)
    })
  }
}

const emptyChunk = (leaf: Leaf): Chunk => ({
  leaf,
  codec: Codec.uncompressed,
  entries: 0,
  parts: [],
  bytes: 0,
  rawBytes: 0,
  dictionaryBytes: 0,
  nulls: 0,
  bounds: undefined,
  distinct: undefined
})

const chunkFrom = (leaf: Leaf, meta: Thrift.Struct, bytes: Uint8Array): Chunk => {
  const [size, pagesAt] = [Thrift.intIn(meta, 7) ?? 0, Thrift.intIn(meta, 9) ?? 0]
  const start = Thrift.intIn(meta, 11) ?? pagesAt
  if (start < Footer.magic.length || start + size > bytes.length) throw new Error("the block ends too early")
  const statistics = Thrift.structIn(meta, 12)
  const [max, min] = [statistics.get(5), statistics.get(6)]
  return {
    leaf,
    codec: codecOf(Thrift.intIn(meta, 4)),
    entries: Thrift.intIn(meta, 5) ?? 0,
    parts: [bytes.subarray(start, start + size)],
    bytes: size,
    rawBytes: Thrift.intIn(meta, 6) ?? 0,
    dictionaryBytes: pagesAt - start,
    nulls: Thrift.intIn(statistics, 3) ?? 0,
    bounds:
      max?.type === Thrift.binary && min?.type === Thrift.binary
        ? { min: Bounds.fromBytes(leaf, min.value), max: Bounds.fromBytes(leaf, max.value) }
        : undefined,
    distinct: Thrift.intIn(statistics, 4)
  }
}

const codecOf = (number: number | undefined): Codec => {
  const knownCodec = Object.values(Codec).find((codec) => codec === number)
  if (knownCodec === undefined) throw new Error(`the block is compressed in a way that is not known here (${number})`)
  return knownCodec
}
