/**
 * A growing buffer for the values of a page.
 *
 * Some bytes before the first value are kept free for the levels, which are only known when the page ends. Memory comes from
 * a pool and returns to it, so that the next page uses the same memory.
 */

/** A pool of memory for reuse. Sizes are powers of two. */
export interface Pool {
  readonly take: (bytes: number) => Buffer
  readonly give: (buffer: Buffer) => void
}

/** Makes a pool that keeps at most `most` bytes. */
export const pool = (most: number): Pool => {
  const free = new Map<number, Array<Buffer>>()
  let pooled = 0
  return {
    take: (bytes) => {
      const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, smallest)))
      const freeBuffer = free.get(size)?.pop()
      if (freeBuffer === undefined) return Buffer.allocUnsafeSlow(size)
      pooled -= size
      return freeBuffer
    },
    give: (buffer) => {
      const size = buffer.length
      if (size < smallest || size > mostKept || pooled + size > most) return
      pooled += size
      const same = free.get(size)
      if (same === undefined) free.set(size, [buffer])
      else same.push(buffer)
    }
  }
}

const smallest = 1024
/** A text with at most this many code units is written faster by JavaScript than by a native call. */
const shortText = 48
/** A larger buffer is not kept, because a single large cell has caused it. */
const mostKept = 1 << 22
/** The bytes that levels need in most pages. */
const headroom = 64

export class PageBuffer {
  private readonly memory: Pool
  private data: Buffer = none
  private view: DataView = noView
  /** The position of the next byte. */
  private at = headroom
  /** The size of the memory when it was released last: the next page probably needs as much. */
  private usual = 0

  constructor(memory: Pool) {
    this.memory = memory
  }

  get length(): number {
    return this.at - headroom
  }

  /** Writes the length of a text in bytes, and the text as UTF-8. Returns the length. */
  text(text: string): number {
    const { length } = text
    // A unit of UTF-16 needs at most three bytes; for a long text, the exact length is worth counting.
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

  /** Writes sixteen bytes, the highest first, for decimals of many digits. */
  int128(value: bigint): void {
    this.reserve(16)
    this.view.setBigInt64(this.at, value >> 64n)
    this.view.setBigUint64(this.at + 8, BigInt.asUintN(64, value))
    this.at += 16
  }

  /** The written bytes with `before` in front. The result is valid until the next byte is written. */
  withBefore(before: Uint8Array): Uint8Array {
    if (this.data.length < headroom) return before
    if (before.length > headroom) return Buffer.concat([before, this.data.subarray(headroom, this.at)])
    this.data.set(before, headroom - before.length)
    return this.data.subarray(headroom - before.length, this.at)
  }

  /** Empties the buffer and keeps its memory. */
  clear(): void {
    this.at = headroom
  }

  /** Empties the buffer and returns its memory to the pool. */
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
