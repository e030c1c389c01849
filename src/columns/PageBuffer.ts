/**
 * Bytes that grow: where the values of a page are written, once.
 *
 * Room is left before the first byte for what is only known when the page ends, its levels. Memory is taken from a pool
 * and given back, so that pages that follow each other are written into the same memory.
 */

/** Memory that is used again, by its size: powers of two. */
export interface Pool {
  readonly take: (bytes: number) => Buffer
  readonly give: (buffer: Buffer) => void
}

/** A pool that keeps no more than so many bytes. */
export const pool = (most: number): Pool => {
  const free = new Map<number, Array<Buffer>>()
  let kept = 0
  return {
    take: (bytes) => {
      const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, smallest)))
      const found = free.get(size)?.pop()
      if (found === undefined) return Buffer.allocUnsafeSlow(size)
      kept -= size
      return found
    },
    give: (buffer) => {
      const size = buffer.length
      if (size < smallest || size > mostKept || kept + size > most) return
      kept += size
      const same = free.get(size)
      if (same === undefined) free.set(size, [buffer])
      else same.push(buffer)
    }
  }
}

const smallest = 1024
/** A text of so few units is written faster here than by a call out of JavaScript. */
const shortText = 48
/** What is larger was made by one large cell. */
const mostKept = 1 << 22
/** What levels mostly need. */
const headroom = 64

export class PageBuffer {
  private readonly memory: Pool
  private data: Buffer = none
  private view: DataView = noView
  /** Where the next byte goes. */
  private at = headroom
  /** How much there was when the memory was given back: as much may come again. */
  private usual = 0

  constructor(memory: Pool) {
    this.memory = memory
  }

  get length(): number {
    return this.at - headroom
  }

  /** Writes a text as UTF-8 behind its length in bytes, which is the answer. */
  text(text: string): number {
    const { length } = text
    // Three bytes are the most for a unit of UTF-16; of what is long it is worth knowing.
    this.reserve(4 + (length < 65_536 ? length * 3 : Buffer.byteLength(text)))
    const { data, at } = this
    const start = at + 4
    let written = 0
    if (length <= shortText) {
      for (; written < length; written++) {
        const unit = text.charCodeAt(written)
        if (unit > 127) break
        data[start + written] = unit
      }
    }
    if (written < length) written = data.write(text, start)
    this.view.setUint32(at, written, true)
    this.at = start + written
    return written
  }

  byte(value: number): void {
    this.reserve(1)
    this.data[this.at++] = value
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.at, value, true)
    this.at += 4
  }

  int64(value: number | bigint): void {
    this.reserve(8)
    if (typeof value === "number") {
      const high = Math.floor(value / 4_294_967_296)
      this.view.setUint32(this.at, value - high * 4_294_967_296, true)
      this.view.setInt32(this.at + 4, high, true)
    } else this.view.setBigInt64(this.at, value, true)
    this.at += 8
  }

  double(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.at, value, true)
    this.at += 8
  }

  /** Sixteen bytes, the highest first, as decimals of many digits are written. */
  int128(value: bigint): void {
    this.reserve(16)
    this.view.setBigInt64(this.at, value >> 64n)
    this.view.setBigUint64(this.at + 8, BigInt.asUintN(64, value))
    this.at += 16
  }

  /** What was written, with these bytes before it: it is valid until the next byte is written. */
  withBefore(before: Uint8Array): Uint8Array {
    if (this.data.length < headroom) return before
    if (before.length > headroom) return Buffer.concat([before, this.data.subarray(headroom, this.at)])
    this.data.set(before, headroom - before.length)
    return this.data.subarray(headroom - before.length, this.at)
  }

  /** Forgets what was written and goes on in the same memory. */
  clear(): void {
    this.at = headroom
  }

  /** Forgets what was written, and gives the memory back. */
  release(): void {
    if (this.data !== none) {
      this.usual = Math.min(this.data.length, mostKept)
      this.memory.give(this.data)
    }
    this.data = none
    this.view = noView
    this.at = headroom
  }

  private reserve(bytes: number): void {
    if (this.at + bytes > this.data.length) this.grow(this.at + bytes)
  }

  private grow(bytes: number): void {
    const larger = this.memory.take(Math.max(bytes, this.usual))
    if (this.data !== none) {
      this.data.copy(larger, headroom, headroom, this.at)
      this.memory.give(this.data)
    }
    this.data = larger
    this.view = new DataView(larger.buffer, larger.byteOffset, larger.length)
  }
}

const none = Buffer.alloc(0)
const noView = new DataView(new ArrayBuffer(0))
