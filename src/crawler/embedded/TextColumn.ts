/**
 * Texts by the numbers of a crawl's URLs, as bytes behind each other: a text costs its own characters and twelve bytes, and V8
 * has nothing to look at when it clears memory. A million URLs as strings take three times as much, and each clearing of the heap
 * goes through all of them.
 *
 * A text that is set anew is written anew; the one before stays where it is until the column goes.
 */
import { NumberColumn } from "../frontier/NumberColumn.ts"

export class TextColumn {
  /** In which of the blocks each text stands, and where it begins there. */
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

  /** The last block, where it has so much room, or a new one. */
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
/** Blocks: the first is small, each is twice the one before, and none is larger than a mebibyte but for one text alone. */
const leastBytes = 4096
const mostBytes = 1 << 20
