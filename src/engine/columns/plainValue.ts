/** Writes a value in the PLAIN encoding. */
import type { Value } from "../ColumnBounds.ts"
import { Physical } from "../ParquetLeaf.ts"
import type { PageBuffer } from "../ParquetPageBuffer.ts"

/** Writes a value that is not a BOOLEAN. Returns whether it is ASCII, if it is a text. */
export const writePlain = (page: PageBuffer, physical: Physical, value: Value): boolean => {
  if (typeof value === "string") return page.text(value) === value.length
  switch (physical) {
    case Physical.INT32:
      page.int32(Number(value))
      break
    case Physical.INT64:
      page.int64(typeof value === "boolean" ? Number(value) : value)
      break
    case Physical.DOUBLE:
      page.double(Number(value))
      break
    case Physical.FIXED:
      page.int128(BigInt(value))
      break
    case Physical.BOOLEAN:
    case Physical.BYTE_ARRAY:
      throw new Error(`a ${typeof value} cannot be written as a value of its column`)
  }
  return false
}
