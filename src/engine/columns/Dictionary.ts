/**
 * The dictionary of a leaf: its different values, each written once, and the index of every value.
 *
 * It is used while values repeat. It refuses a long text, and a new value when more than half of the values were new.
 */
import type { Value } from "../ColumnBounds.ts"
import { type Leaf, Physical } from "../ParquetLeaf.ts"
import { PageBuffer, type Pool } from "../ParquetPageBuffer.ts"
import * as hybrid from "./hybrid.ts"
import { writePlain } from "./plainValue.ts"

/** The maximum bytes of a dictionary, and the maximum length of a text in it. */
const mostBytes = 1 << 18
const longest = 256
/** With at least this many different values, new values are refused if most values were new. */
const distinctFrom = 64

/** Whether a dictionary can be useful: booleans are already bits, and NaN does not equal itself. */
export const mayRepeat = ({ physical }: Leaf): boolean =>
  physical === Physical.BYTE_ARRAY || physical === Physical.INT32 || physical === Physical.INT64

export class Dictionary {
  private readonly physical: Physical
  private readonly page: PageBuffer
  private readonly places = new Map<Value, number>()
  private indexes = new Uint32Array(256)
  /** The number of values in the page, and in the chunk. */
  private count = 0
  private total = 0
  private last: Value | undefined
  private lastPlace = 0
  /** Whether the value that was added last was new, and if so, whether it is ASCII. */
  isNew = false
  isAscii = true

  constructor({ physical }: Leaf, memory: Pool) {
    this.physical = physical
    this.page = new PageBuffer(memory)
  }

  /** The number of different values. */
  get size(): number {
    return this.places.size
  }

  get bytes(): number {
    return this.page.length + this.count
  }

  /** Adds a value; false where it was refused. */
  add(value: Value): boolean {
    this.isNew = false
    if (value !== this.last || this.count === 0) {
      const place = this.places.get(value) ?? this.place(value)
      if (place === undefined) return false
      this.last = value
      this.lastPlace = place
    }
    if (this.count === this.indexes.length) {
      const grown = new Uint32Array(this.count * 2)
      grown.set(this.indexes)
      this.indexes = grown
    }
    this.indexes[this.count++] = this.lastPlace
    this.total++
    return true
  }

  /** The values of the page, in order. */
  *values(): Generator<Value> {
    const known = [...this.places.keys()]
    for (let at = 0; at < this.count; at++) {
      const value = known[this.indexes[at] ?? 0]
      if (value !== undefined) yield value
    }
  }

  /** The indexes of the values of the page, as they are written after its levels. Then the next page begins. */
  take(): ReadonlyArray<Uint8Array> {
    const width = hybrid.widthFor(this.places.size)
    const encoded = hybrid.encode(this.indexes, this.count, width)
    this.count = 0
    return [Uint8Array.of(width), encoded]
  }

  /** The different values, as a dictionary page. */
  plain(): Uint8Array {
    return this.page.withBefore(new Uint8Array(0))
  }

  release(): void {
    this.page.release()
  }

  private place(value: Value): number | undefined {
    const { size } = this.places
    if (typeof value === "string" && value.length > longest) return undefined
    if ((size >= distinctFrom && size * 2 > this.total) || this.page.length > mostBytes) return undefined
    this.places.set(value, size)
    this.isNew = true
    this.isAscii = writePlain(this.page, this.physical, value)
    return size
  }
}
