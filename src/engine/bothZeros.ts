/**
 * What a footer says of numbers that are zero: -0 and 0 are equal, so what is true of one must be true of the other.
 *
 * DuckDB writes the zero that came first as a bound, and a Bloom filter that has the bytes of one of them. Readers that order -0
 * before 0, and readers that ask the filter by the bytes of a number, such as DataFusion, then skip rows that are there.
 */
import * as Footer from "./ParquetFooter.ts"
import { Physical } from "./ParquetLeaf.ts"
import * as Thrift from "./Thrift.ts"

/** The footer with bounds that include both zeros, and without Bloom filters of numbers. Bounds of other values stay. */
export const withBothZeros = (footer: Footer.Footer): Footer.Footer => {
  for (const chunk of Footer.chunksOf(footer).flat()) {
    const meta = Thrift.structIn(chunk, ColumnChunk.meta_data)
    if (Thrift.intIn(meta, ColumnMetaData.type) !== Physical.DOUBLE) continue
    for (const field of bloomFilter) meta.delete(field)
    const statistics = Thrift.structIn(meta, ColumnMetaData.statistics)
    for (const [field, zero] of zeros) {
      const bound = statistics.get(field)
      if (bound?.type === Thrift.binary && isZero(bound.value))
        statistics.set(field, { ...bound, value: bytesOf(zero) })
    }
  }
  return footer
}

const ColumnChunk = { meta_data: 3 }
const ColumnMetaData = { type: 1, statistics: 12 }
/** `bloom_filter_offset` and `bloom_filter_length` of ColumnMetaData. */
const bloomFilter = [14, 15]
/** The bounds of Statistics: `max`, `min`, `max_value`, `min_value`. */
const zeros: ReadonlyArray<readonly [number, number]> = [
  [1, 0],
  [2, -0],
  [5, 0],
  [6, -0]
]

const isZero = (bytes: Uint8Array): boolean =>
  bytes.length === 8 && new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true) === 0

const bytesOf = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  return bytes
}
