/**
 * Joins blocks of the same columns to one block, with the rows in order.
 *
 * Pages without a dictionary are copied unchanged. A chunk with a dictionary is encoded again, because a chunk can have only
 * one dictionary; so is a chunk with another compression. Such chunks are small.
 */
import { toSql } from "../pipeline/Column.ts"
import * as Bounds from "./Bounds.ts"
import type { Chunk, ColumnBlock } from "./Chunk.ts"
import * as Codec from "./Codec.ts"
import * as LeafReader from "./LeafReader.ts"
import { LeafWriter } from "./LeafWriter.ts"
import * as PageBuffer from "./PageBuffer.ts"
import { sealed } from "./sealedChunk.ts"

export const joinBlocks = (
  blocks: readonly [ColumnBlock, ...ReadonlyArray<ColumnBlock>],
  compression: Codec.Compression = Codec.zstd
): ColumnBlock => {
  const [{ chunks, columns }, ...others] = blocks
  if (others.length === 0) return blocks[0]
  const schema = schemaOf(blocks[0])
  if (others.some((block) => schemaOf(block) !== schema))
    throw new Error("blocks of different columns cannot be joined")
  const memory = PageBuffer.pool(1 << 22)
  return {
    columns,
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
    chunks: chunks.map((_, at) =>
      joinChunks(
        blocks.flatMap((block) => block.chunks[at] ?? []),
        compression,
        memory
      )
    )
  }
}

const schemaOf = ({ columns }: ColumnBlock): string =>
  JSON.stringify(columns.map(({ name, type }) => [name, toSql(type)]))

const joinChunks = (all: ReadonlyArray<Chunk>, compression: Codec.Compression, memory: PageBuffer.Pool): Chunk => {
  const isWhole = (chunk: Chunk) => chunk.dictionaryBytes === 0 && chunk.codec === Codec.Codec[compression.codec]
  const bytes = (chunks: ReadonlyArray<Chunk>) => chunks.reduce((sum, { rawBytes }) => sum + rawBytes, 0)
  // If most of it is encoded again anyway, all of it is, because a dictionary of all values may be smaller.
  const isMostly = bytes(all.filter(isWhole)) * 2 > bytes(all)
  const parts = isMostly
    ? all.map((chunk) => (isWhole(chunk) ? chunk : encoded([chunk], compression, memory, false)))
    : []
  const [first, ...rest] = isMostly ? parts : [encoded(all, compression, memory, true)]
  if (first === undefined) throw new Error("there are no chunks to join")
  return rest.reduce(joinTwo, first)
}

const joinTwo = (one: Chunk, other: Chunk): Chunk => ({
  ...one,
  entries: one.entries + other.entries,
  parts: [...one.parts, ...other.parts],
  bytes: one.bytes + other.bytes,
  rawBytes: one.rawBytes + other.rawBytes,
  nulls: one.nulls + other.nulls,
  bounds: isUnbounded(one) || isUnbounded(other) ? undefined : Bounds.join(one.bounds, other.bounds),
  distinct: undefined
})

/** Whether a chunk has values without bounds, so that the joined chunk has no bounds either. */
const isUnbounded = ({ bounds, entries, nulls }: Chunk): boolean => bounds === undefined && entries > nulls

const encoded = (
  chunks: ReadonlyArray<Chunk>,
  compression: Codec.Compression,
  memory: PageBuffer.Pool,
  standsAlone: boolean
): Chunk => {
  const [first] = chunks
  if (first === undefined) throw new Error("there are no chunks to encode")
  const writer = new LeafWriter(first.leaf, compression, memory, standsAlone)
  for (const chunk of chunks) {
    const { definitions, repetitions, values } = LeafReader.read(chunk)
    let next = 0
    for (let entry = 0; entry < definitions.length; entry++) {
      const [definition = 0, repetition = 0] = [definitions[entry], repetitions[entry]]
      if (repetition === 0) writer.endRow()
      const value = definition === first.leaf.definition ? values[next++] : undefined
      if (value === undefined) writer.missing(definition, repetition)
      else writer.value(value, repetition)
    }
  }
  return sealed(writer.finish())
}
