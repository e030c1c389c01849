/**
 * Files of Avro records: Iceberg's lists of files. `avsc` encodes the records, and is loaded only for them.
 *
 * This module writes the parts around the records: Iceberg has its own keys in the schema of a file (`field-id`), and
 * integers that are too large for a JavaScript number. The same records give the same bytes.
 * (avro.apache.org, "Object Container Files")
 */
import { createHash } from "node:crypto"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import type * as Avro from "avsc"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface AvroFiles {
  /** The bytes of a file. `words`: the entries of its header beside the schema. */
  readonly encode: (
    schema: AvroSchema,
    words: Readonly<Record<string, string>>,
    records: ReadonlyArray<object>
  ) => Uint8Array
  /** The records of a file. A `long` is a bigint. */
  readonly decode: (bytes: Uint8Array) => ReadonlyArray<unknown>
}

export interface AvroSchema {
  readonly type: "record"
  readonly name: string
  readonly fields: ReadonlyArray<AvroField>
}

interface AvroField {
  readonly name: string
  readonly type: unknown
  readonly "field-id": number
}

export const load = Effect.gen(function* () {
  const { default: avro } = yield* Effect.promise(() => import("avsc"))
  const long = avro.types.LongType.__with({
    fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
    toBuffer: (value: bigint) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(value)
      return bytes
    },
    fromJSON: BigInt,
    toJSON: Number,
    isValid: (value: unknown) => typeof value === "bigint",
    compare: (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)
  })
  // A long with a logical type, such as a time, must be read by our type too.
  const plain = (_: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && "logicalType" in value && "type" in value && value.type === "long"
      ? "long"
      : value
  const typeOf = (text: string) => {
    const schema: unknown = JSON.parse(text, plain)
    if (!isRecord(schema)) throw new Error("an Avro file has no schema of a record")
    return avro.Type.forSchema(schema, { registry: { long } })
  }
  const read = (type: Avro.Type, bytes: Buffer, at: number): { readonly offset: number; readonly value: unknown } =>
    type.decode(bytes, at)
  const header = avro.Type.forSchema({
    type: "record",
    name: "header",
    fields: [
      { name: "magic", type: { type: "fixed", name: "magic", size: 4 } },
      { name: "meta", type: { type: "map", values: "bytes" } },
      { name: "sync", type: { type: "fixed", name: "sync", size: 16 } }
    ]
  })
  const block = avro.Type.forSchema({
    type: "record",
    name: "block",
    fields: [
      { name: "count", type: "long" },
      { name: "data", type: "bytes" },
      { name: "sync", type: { type: "fixed", name: "marker", size: 16 } }
    ]
  })

  const files: AvroFiles = {
    encode: (schema, words, records) => {
      const type = typeOf(JSON.stringify(schema))
      const data = Buffer.concat(records.map((record) => type.toBuffer(record)))
      const sync = createHash("sha256").update(data).digest().subarray(0, 16)
      const metadata = { ...words, "avro.schema": JSON.stringify(schema), "avro.codec": "deflate" }
      const meta = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value)]))
      const head = header.toBuffer({ magic, meta, sync })
      if (records.length === 0) return head
      return Buffer.concat([head, block.toBuffer({ count: records.length, data: deflateRawSync(data), sync })])
    },
    decode: (bytes) => {
      const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const { offset: start, value: first } = read(header, all, 0)
      const { meta } = decodeHeader(first)
      const type = typeOf(textOf(meta["avro.schema"]))
      const records: Array<unknown> = []
      for (let at = start; at < all.length; ) {
        const { offset, value } = read(block, all, at)
        if (offset < 0) throw new Error("the file ends within a block")
        const { count, data } = decodeBlock(value)
        const unpacked = textOf(meta["avro.codec"]) === "deflate" ? inflateRawSync(data) : Buffer.from(data)
        for (let record = 0, from = 0; record < count; record++) {
          const { offset: next, value: found } = read(type, unpacked, from)
          if (next < 0) throw new Error("a block ends within a record")
          records.push(found)
          from = next
        }
        at = offset
      }
      return records
    }
  }
  return files
})

/** `avsc` itself fails on a record without fields. */
const isRecord = (schema: unknown): schema is Avro.schema.RecordType =>
  typeof schema === "object" && schema !== null && "type" in schema && schema.type === "record"

const magic = Buffer.from("Obj\u0001")

const decodeHeader = Schema.decodeUnknownSync(Schema.Struct({ meta: Schema.Record(Schema.String, Schema.Uint8Array) }))
const decodeBlock = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Int, data: Schema.Uint8Array }))

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
