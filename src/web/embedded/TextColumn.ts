/**
 * Texts by URL number, as bytes one after the other. A text costs its own bytes and twelve more, and the garbage
 * collector of V8 has nothing to visit. As strings, a million URLs take three times as much memory, and each collection
 * visits all of them.
 *
 * A text that is replaced is written again at the end; the old one stays until the column is released.
 */
import { NumberColumn } from "../frontier/NumberColumn.ts"

export class TextColumn {
  /** The block of each text, and where the text begins in it. */
  readonly #blocks: Array<Buffer> = []
  readonly #blockOf = new NumberColumn(-1)
  readonly #placeOf = new NumberColumn(0)
  #used = 0

  has(at: number): boolean {
    return this.#blockOf.get(at) >= 0
  }

  get(at: number): string | undefined {
    const block = this.#blocks[this.#blockOf.get(at)]
    if (block === undefined) return undefined
    const place = this.#placeOf.get(at)
    const length = block.readInt32LE(place)
    return block.toString("utf8", place + lengthBytes, place + lengthBytes + length)
  }

  set(at: number, text: string | undefined): void {
    if (text === undefined) {
      this.#blockOf.set(at, -1)
      return
    }
    const length = Buffer.byteLength(text)
    const block = this.#blockWith(length + lengthBytes)
    block.writeInt32LE(length, this.#used)
    block.write(text, this.#used + lengthBytes)
    this.#blockOf.set(at, this.#blocks.length - 1)
    this.#placeOf.set(at, this.#used)
    this.#used += length + lengthBytes
  }

  /** The last block if it has enough room, otherwise a new one. */
  #blockWith(bytes: number): Buffer {
    const last = this.#blocks.at(-1)
    if (last !== undefined && this.#used + bytes <= last.length) return last
    const usual = Math.min(mostBytes, leastBytes * 2 ** this.#blocks.length)
    const block = Buffer.allocUnsafeSlow(Math.max(usual, bytes))
    this.#blocks.push(block)
    this.#used = 0
    return block
  }
}

const lengthBytes = 4
/** Each block is twice as large as the one before, up to a mebibyte; a longer text has a block of its own. */
const leastBytes = 4096
const mostBytes = 1 << 20
