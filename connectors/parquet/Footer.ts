/**
 * The footer of a Parquet file, and how files are joined by it: their row groups follow each other as they are, and one
 * footer names them all where they now stand. No page is decompressed.
 *
 * The law: only files that one writer made of one schema are joined. Every absolute offset a footer can hold is moved;
 * a file with page indexes, whose own bytes hold offsets, is refused. (parquet-format/src/main/thrift/parquet.thrift)
 */
import type { FileHandle } from "node:fs/promises"
import * as Thrift from "./Thrift.ts"

export interface Footer {
  /** FileMetaData. */
  readonly fields: Thrift.Struct
  /** How many bytes of the file come before its footer, the mark at its start included. */
  readonly bodyBytes: number
  readonly rows: number
}

/** The first and the last bytes of every file. */
export const magic = new TextEncoder().encode("PAR1")

/** The footer of a whole file. */
export const readFrom = async (file: FileHandle): Promise<Footer> => {
  const { size } = await file.stat()
  const tail = Buffer.alloc(8)
  await file.read(tail, 0, 8, size - 8)
  const length = tail.readUInt32LE(0)
  if (Buffer.compare(tail.subarray(4), magic) !== 0 || length + 12 > size)
    throw new Error("this is no whole Parquet file")
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, size - 8 - length)
  const fields = Thrift.read(bytes)
  return { fields, bodyBytes: size - 8 - length, rows: Number(whole(fields, FileMetaData.num_rows)) }
}

/** The footer of `before` with the row groups of `next` after its own, which start at byte `at` of the joined file. */
export const join = (before: Footer | undefined, next: Footer, at: number): Footer => {
  const shift = BigInt(at - magic.length)
  const groups = structs(next.fields, FileMetaData.row_groups)
  for (const group of groups) moveGroup(group, shift)
  const known = before === undefined ? [] : structs(before.fields, FileMetaData.row_groups)
  const joined = [...known, ...groups]
  joined.forEach((group, ordinal) => setWhole(group, RowGroup.ordinal, BigInt(ordinal)))

  const rows = (before?.rows ?? 0) + next.rows
  const fields: Thrift.Struct = new Map(before?.fields ?? next.fields)
  setWhole(fields, FileMetaData.num_rows, BigInt(rows))
  fields.set(FileMetaData.row_groups, {
    type: Thrift.list,
    of: Thrift.struct,
    value: joined.map((value) => ({ type: Thrift.struct, value }))
  })
  return { fields, bodyBytes: at + next.bodyBytes - magic.length, rows }
}

/** The last bytes of a file: footer, its length, and the mark. */
export const tail = (footer: Footer): Uint8Array => {
  const fields = Thrift.write(footer.fields)
  const bytes = new Uint8Array(fields.length + 8)
  bytes.set(fields)
  new DataView(bytes.buffer).setUint32(fields.length, fields.length, true)
  bytes.set(magic, fields.length + 4)
  return bytes
}

const FileMetaData = { num_rows: 3, row_groups: 4 }
const RowGroup = { columns: 1, file_offset: 5, ordinal: 7 }
const ColumnChunk = { file_offset: 2, meta_data: 3, offset_index_offset: 4, column_index_offset: 6 }
const ColumnMetaData = {
  data_page_offset: 9,
  index_page_offset: 10,
  dictionary_page_offset: 11,
  bloom_filter_offset: 14
}

const moveGroup = (group: Thrift.Struct, shift: bigint): void => {
  move(group, RowGroup.file_offset, shift)
  for (const chunk of structs(group, RowGroup.columns)) {
    if (chunk.has(ColumnChunk.offset_index_offset) || chunk.has(ColumnChunk.column_index_offset)) {
      throw new Error("a Parquet file with page indexes cannot be joined")
    }
    move(chunk, ColumnChunk.file_offset, shift)
    const meta = chunk.get(ColumnChunk.meta_data)
    if (meta?.type !== Thrift.struct) throw new Error("a column chunk of the Parquet file has no metadata")
    for (const field of Object.values(ColumnMetaData)) move(meta.value, field, shift)
  }
}

/** Moves an offset. Zero is how writers say that there is none. */
const move = (fields: Thrift.Struct, id: number, shift: bigint): void => {
  if (whole(fields, id) > 0n) setWhole(fields, id, whole(fields, id) + shift)
}

const whole = (fields: Thrift.Struct, id: number): bigint => {
  const field = fields.get(id)
  return typeof field?.value === "bigint" ? field.value : 0n
}

/** Sets a whole number that is there; one that is not is left away. */
const setWhole = (fields: Thrift.Struct, id: number, value: bigint): void => {
  const field = fields.get(id)
  if (field?.type === 4 || field?.type === Thrift.i32 || field?.type === Thrift.i64) {
    fields.set(id, { type: field.type, value })
  }
}

const structs = (fields: Thrift.Struct, id: number): ReadonlyArray<Thrift.Struct> => {
  const field = fields.get(id)
  return field?.type === Thrift.list
    ? field.value.flatMap((item) => (item.type === Thrift.struct ? [item.value] : []))
    : []
}
