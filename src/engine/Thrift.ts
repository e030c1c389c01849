/**
 * Thrift's compact protocol, as far as Parquet uses it: reads bytes into a tree, and writes the tree as the same bytes.
 *
 * A tree keeps every field, known or not, so that a footer can be changed in a few places and written again.
 * (thrift/doc/specs/thrift-compact-protocol.md)
 */

/** A struct: its fields by their ids, in the order in which they were read. */
export type Struct = Map<number, Value>

export type Value =
  | { readonly type: typeof boolean; readonly value: boolean }
  | { readonly type: typeof byte; readonly value: number }
  | { readonly type: Whole; readonly value: bigint }
  | { readonly type: typeof double | typeof binary; readonly value: Uint8Array }
  | { readonly type: typeof list; readonly of: number; readonly value: Array<Value> }
  | { readonly type: typeof struct; readonly value: Struct }

type Whole = typeof i16 | typeof i32 | typeof i64
export const boolean = 1
const byte = 3
const i16 = 4
export const i32 = 5
export const i64 = 6
const double = 7
export const binary = 8
export const list = 9
export const struct = 12

/** Make values. */
export const int = (value: number): Value => ({ type: i32, value: BigInt(value) })
export const long = (value: number): Value => ({ type: i64, value: BigInt(value) })
export const text = (value: string): Value => ({ type: binary, value: new TextEncoder().encode(value) })
export const structOf = (fields: ReadonlyArray<readonly [number, Value]>): Value => ({
  type: struct,
  value: new Map(fields)
})
export const ints = (value: ReadonlyArray<number>): Value => ({ type: list, of: i32, value: value.map(int) })
export const texts = (value: ReadonlyArray<string>): Value => ({ type: list, of: binary, value: value.map(text) })
export const structs = (value: ReadonlyArray<Struct>): Value => ({
  type: list,
  of: struct,
  value: value.map((value) => ({ type: struct, value }))
})

/** Read fields: undefined, an empty text or an empty list if the field is missing. */
export const intIn = (fields: Struct, id: number): number | undefined => {
  const value = fields.get(id)?.value
  return typeof value === "bigint" ? Number(value) : undefined
}
export const textIn = (fields: Struct, id: number): string => {
  const field = fields.get(id)
  return field?.type === binary ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(field.value) : ""
}
export const structIn = (fields: Struct, id: number): Struct => {
  const field = fields.get(id)
  return field?.type === struct ? field.value : new Map()
}
export const structsIn = (fields: Struct, id: number): ReadonlyArray<Struct> => {
  const field = fields.get(id)
  return field?.type === list ? field.value.flatMap((item) => (item.type === struct ? [item.value] : [])) : []
}

export const read = (bytes: Uint8Array): Struct => new Reader(bytes, 0).struct()

/** The struct at an offset of the bytes, and its end. */
export const readAt = (bytes: Uint8Array, at: number): { readonly fields: Struct; readonly end: number } => {
  const reader = new Reader(bytes, at)
  const fields = reader.struct()
  return { fields, end: reader.at }
}

class Reader {
  at: number
  private readonly bytes: Uint8Array
  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  struct(): Struct {
    const fields: Struct = new Map()
    for (let id = 0, header = this.byte(); header !== 0; header = this.byte()) {
      id = header >> 4 === 0 ? Number(this.zigzag()) : id + (header >> 4)
      const type = header & 15
      // In a struct, the type is also the value of a boolean: 1 is true, 2 is false.
      fields.set(id, type <= 2 ? { type: boolean, value: type === 1 } : this.value(type))
    }
    return fields
  }

  private value(type: number): Value {
    switch (type) {
      case 1:
      case 2:
        return { type: boolean, value: this.byte() === 1 }
      case byte:
        return { type, value: this.byte() }
      case i16:
      case i32:
      case i64:
        return { type, value: this.zigzag() }
      case double:
        return { type, value: this.take(8) }
      case binary:
        return { type, value: this.take(Number(this.varint())) }
      case list: {
        const header = this.byte()
        const size = header >> 4 === 15 ? Number(this.varint()) : header >> 4
        return { type, of: header & 15, value: Array.from({ length: size }, () => this.value(header & 15)) }
      }
      case struct:
        return { type, value: this.struct() }
      default:
        throw new Error(`a Parquet footer holds no Thrift type ${type}`)
    }
  }

  private byte(): number {
    const [byte] = this.take(1)
    return byte ?? 0
  }

  private take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new Error("the Parquet footer ends too early")
    return this.bytes.subarray(this.at, (this.at += count))
  }

  private varint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }

  private zigzag(): bigint {
    const value = this.varint()
    return (value >> 1n) ^ -(value & 1n)
  }
}

export const write = (root: Struct): Uint8Array => {
  const out: Array<number> = []
  writeStruct(out, root)
  return Uint8Array.from(out)
}

const writeStruct = (out: Array<number>, fields: Struct): void => {
  let last = 0
  for (const [id, value] of fields) {
    const type = value.type === boolean ? (value.value ? 1 : 2) : value.type
    if (id > last && id - last < 16) out.push(((id - last) << 4) | type)
    else {
      out.push(type)
      writeZigzag(out, BigInt(id))
    }
    if (value.type !== boolean) writeValue(out, value)
    last = id
  }
  out.push(0)
}

const writeValue = (out: Array<number>, value: Value): void => {
  switch (value.type) {
    case boolean:
      return void out.push(value.value ? 1 : 2)
    case byte:
      return void out.push(value.value)
    case double:
      return push(out, value.value)
    case binary:
      writeVarint(out, BigInt(value.value.length))
      return push(out, value.value)
    case list: {
      const size = value.value.length
      out.push((Math.min(size, 15) << 4) | value.of)
      if (size >= 15) writeVarint(out, BigInt(size))
      for (const item of value.value) writeValue(out, item)
      return
    }
    case struct:
      return writeStruct(out, value.value)
    case i16:
    case i32:
    case i64:
      return writeZigzag(out, value.value)
  }
}

const push = (out: Array<number>, bytes: Uint8Array): void => {
  for (const byte of bytes) out.push(byte)
}

const writeVarint = (out: Array<number>, value: bigint): void => {
  let rest = value
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128)
  out.push(Number(rest))
}

const writeZigzag = (out: Array<number>, value: bigint): void =>
  writeVarint(out, value < 0n ? ((-value - 1n) << 1n) | 1n : value << 1n)
