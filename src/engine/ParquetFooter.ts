/**
 * The footer of a Parquet file, and how files are joined: their row groups follow each other unchanged, and one footer has
 * all of them with their new offsets. No page is decompressed.
 *
 * Guarantee: only files with equal schemas are joined. Every absolute offset that a footer can hold is moved; a file with page
 * indexes, which contain offsets themselves, is refused. (parquet-format/src/main/thrift/parquet.thrift)
 */
import * as Thrift from "./Thrift.ts"

export interface Footer {
  /** FileMetaData. */
  readonly fields: Thrift.Struct
  /** The offsets in the file at which the row groups start and end. */
  readonly from: number
  readonly to: number
  readonly rows: number
}

/** The first and the last bytes of every file. */
export const magic = new TextEncoder().encode("PAR1")

/** The size of the footer, from the last eight bytes and the size of a file; undefined: it is not a complete Parquet file. */
export const lengthIn = (last: Uint8Array, size: number): number | undefined => {
  if (last.length < 8 || last.subarray(-4).some((byte, at) => byte !== magic[at])) return undefined
  const length = new DataView(last.buffer, last.byteOffset + last.length - 8).getUint32(0, true)
  return length + 12 > size ? undefined : length
}

/** The footer from its bytes, without the last eight bytes of the file. `size` is the size of the file. */
export const parse = (bytes: Uint8Array, size: number): Footer => {
  const fields = Thrift.read(bytes)
  const rows = Number(whole(fields, FileMetaData.num_rows))
  return { fields, from: magic.length, to: size - 8 - bytes.length, rows }
}

/** A footer for each row group alone, and whether all bytes of the group are between its start and the next group. */
export const groupsOf = (footer: Footer): ReadonlyArray<Footer & { readonly standsAlone: boolean }> => {
  const groups = Thrift.structsIn(footer.fields, FileMetaData.row_groups)
  const starts = groups.map((group) => Math.min(...offsetsOf(group)))
  return groups.map((group, at) => {
    const [from, to] = [starts[at] ?? footer.from, starts[at + 1] ?? footer.to]
    const standsAlone = offsetsOf(group).every((offset) => offset >= from && offset < to)
    const rows = whole(group, RowGroup.num_rows)
    return { fields: withGroups(footer.fields, [group], rows), from, to, rows: Number(rows), standsAlone }
  })
}

/** The RowGroup structs. */
export const groupStructsOf = ({ fields }: Footer): ReadonlyArray<Thrift.Struct> =>
  Thrift.structsIn(fields, FileMetaData.row_groups)

/** The FileMetaData with other row groups, which have as many rows. */
export const withGroupStructs = ({ fields, rows }: Footer, groups: ReadonlyArray<Thrift.Struct>): Thrift.Struct =>
  withGroups(fields, groups, BigInt(rows))

/** The ColumnChunk structs of each row group, in the order of the leaves. */
export const chunksOf = (footer: Footer): ReadonlyArray<ReadonlyArray<Thrift.Struct>> =>
  groupStructsOf(footer).map((group) => Thrift.structsIn(group, RowGroup.columns))

/** The bytes of the schema of a file, as text: files with equal schemas may be joined. */
export const schemaOf = ({ fields }: Footer): string => {
  const schema = fields.get(FileMetaData.schema)
  return schema === undefined ? "" : Buffer.from(Thrift.write(new Map([[1, schema]]))).toString("base64")
}

/** The SchemaElement structs of a file. */
export const elementsOf = ({ fields }: Footer): ReadonlyArray<Thrift.Struct> =>
  Thrift.structsIn(fields, FileMetaData.schema)

/** The footer with these key-value metadata, which replace those with the same names. */
export const describe = (footer: Footer, words: Readonly<Record<string, string>>): Footer => {
  const encode = (text: string): Thrift.Value => ({ type: Thrift.binary, value: new TextEncoder().encode(text) })
  const others = Thrift.structsIn(footer.fields, FileMetaData.key_value_metadata).filter((pair) => {
    const key = pair.get(KeyValue.key)
    return key?.type !== Thrift.binary || words[new TextDecoder().decode(key.value)] === undefined
  })
  const ours = Object.entries(words).map(
    ([key, value]) =>
      new Map([
        [KeyValue.key, encode(key)],
        [KeyValue.value, encode(value)]
      ])
  )
  const list = [...others, ...ours].map((value) => ({ type: Thrift.struct, value }) as const)
  const fields = new Map(footer.fields).set(FileMetaData.key_value_metadata, {
    type: Thrift.list,
    of: Thrift.struct,
    value: list
  })
  return { ...footer, fields: new Map([...fields].sort(([a], [b]) => a - b)) }
}

/** The key-value metadata of a footer under a name. */
export const wordOf = (footer: Footer, name: string): string | undefined => {
  for (const pair of Thrift.structsIn(footer.fields, FileMetaData.key_value_metadata)) {
    const value = pair.get(KeyValue.value)
    if (Thrift.textIn(pair, KeyValue.key) === name && value?.type === Thrift.binary) {
      return new TextDecoder().decode(value.value)
    }
  }
  return undefined
}

/** Joins two footers: the row groups of `next` come after those of `before`, and start at byte `offset` of the joined file. */
export const join = (before: Footer | undefined, next: Footer, offset: number): Footer => {
  if (before !== undefined && schemaOf(before) !== schemaOf(next)) {
    throw new Error("Parquet files of different columns cannot be joined")
  }
  const groups = Thrift.structsIn(next.fields, FileMetaData.row_groups)
  for (const group of groups) moveGroup(group, BigInt(offset - next.from))
  const known = before === undefined ? [] : Thrift.structsIn(before.fields, FileMetaData.row_groups)
  const joined = [...known, ...groups]
  joined.forEach((group, ordinal) => setWhole(group, RowGroup.ordinal, BigInt(ordinal)))

  const rows = (before?.rows ?? 0) + next.rows
  const fields = withGroups(before?.fields ?? next.fields, joined, BigInt(rows))
  return { fields, from: magic.length, to: offset + next.to - next.from, rows }
}

/** The last bytes of a file: the footer, its length, and the magic bytes. */
export const tail = (footer: Footer): Uint8Array => {
  const fields = Thrift.write(footer.fields)
  const bytes = new Uint8Array(fields.length + 8)
  bytes.set(fields)
  new DataView(bytes.buffer).setUint32(fields.length, fields.length, true)
  bytes.set(magic, fields.length + 4)
  return bytes
}

const FileMetaData = { schema: 2, num_rows: 3, row_groups: 4, key_value_metadata: 5 }
const KeyValue = { key: 1, value: 2 }
const RowGroup = { columns: 1, num_rows: 3, file_offset: 5, ordinal: 7 }
const ColumnChunk = { file_offset: 2, meta_data: 3, offset_index_offset: 4, column_index_offset: 6 }
const ColumnMetaData = {
  data_page_offset: 9,
  index_page_offset: 10,
  dictionary_page_offset: 11,
  bloom_filter_offset: 14
}

const withGroups = (of: Thrift.Struct, groups: ReadonlyArray<Thrift.Struct>, rows: bigint): Thrift.Struct => {
  const fields: Thrift.Struct = new Map(of)
  setWhole(fields, FileMetaData.num_rows, rows)
  const value = groups.map((value) => ({ type: Thrift.struct, value }) as const)
  return fields.set(FileMetaData.row_groups, { type: Thrift.list, of: Thrift.struct, value })
}

/** The offsets of the parts of a row group in its file. Writers use zero for a part that is missing. */
const offsetsOf = (group: Thrift.Struct): ReadonlyArray<number> =>
  Thrift.structsIn(group, RowGroup.columns)
    .map((chunk) => chunk.get(ColumnChunk.meta_data))
    .flatMap((meta) =>
      meta?.type === Thrift.struct ? Object.values(ColumnMetaData).map((id) => Number(whole(meta.value, id))) : []
    )
    .filter((offset) => offset > 0)

const moveGroup = (group: Thrift.Struct, shift: bigint): void => {
  move(group, RowGroup.file_offset, shift)
  for (const chunk of Thrift.structsIn(group, RowGroup.columns)) {
    if (chunk.has(ColumnChunk.offset_index_offset) || chunk.has(ColumnChunk.column_index_offset)) {
      throw new Error("a Parquet file with page indexes cannot be joined")
    }
    move(chunk, ColumnChunk.file_offset, shift)
    const meta = chunk.get(ColumnChunk.meta_data)
    if (meta?.type !== Thrift.struct) throw new Error("a column chunk of the Parquet file has no metadata")
    for (const field of Object.values(ColumnMetaData)) move(meta.value, field, shift)
  }
}

/** Moves an offset. Zero means that the part is missing. */
const move = (fields: Thrift.Struct, id: number, shift: bigint): void => {
  if (whole(fields, id) > 0n) setWhole(fields, id, whole(fields, id) + shift)
}

const whole = (fields: Thrift.Struct, id: number): bigint => {
  const field = fields.get(id)
  return typeof field?.value === "bigint" ? field.value : 0n
}

/** Sets a whole number, if the field exists. */
const setWhole = (fields: Thrift.Struct, id: number, value: bigint): void => {
  const field = fields.get(id)
  if (field?.type === 4 || field?.type === Thrift.i32 || field?.type === Thrift.i64) {
    fields.set(id, { type: field.type, value })
  }
}
