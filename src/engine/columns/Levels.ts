/** The definition and repetition levels of the entries of a page. */

import type { Leaf } from "../ParquetLeaf.ts"
import * as hybrid from "./hybrid.ts"

export class Levels {
  private readonly leaf: Leaf
  private definitions: Uint8Array = none
  private repetitions: Uint8Array = none
  count = 0

  constructor(leaf: Leaf) {
    this.leaf = leaf
  }

  add(definition: number, repetition: number): void {
    if (this.count === this.definitions.length) this.grow()
    this.definitions[this.count] = definition
    if (this.leaf.repetition > 0) this.repetitions[this.count] = repetition
    this.count++
  }

  /** The encoded levels, with which a page begins. Then the next page begins. */
  take(): Uint8Array {
    const { count, definitions, leaf, repetitions } = this
    const parts = [
      ...(leaf.repetition === 0
        ? []
        : withLength(hybrid.encode(repetitions, count, hybrid.widthFor(leaf.repetition + 1)))),
      ...withLength(hybrid.encode(definitions, count, hybrid.widthFor(leaf.definition + 1)))
    ]
    this.count = 0
    return Buffer.concat(parts)
  }

  /** Frees the memory. */
  release(): void {
    this.count = 0
    this.definitions = none
    this.repetitions = none
  }

  private grow(): void {
    const size = Math.max(256, this.count * 2)
    this.definitions = larger(this.definitions, size)
    if (this.leaf.repetition > 0) this.repetitions = larger(this.repetitions, size)
  }
}

const none = new Uint8Array(0)

const larger = (levels: Uint8Array, size: number): Uint8Array => {
  const grown = new Uint8Array(size)
  grown.set(levels)
  return grown
}

const withLength = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32LE(bytes.length)
  return [length, bytes]
}
