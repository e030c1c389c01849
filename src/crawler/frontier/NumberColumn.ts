/**
 * Whole numbers by the numbers of a crawl's URLs: four bytes each, however many there are, and none that V8 has to look at when
 * it clears memory.
 */
export class NumberColumn {
  readonly #absent: number
  #values: Int32Array

  /** `absent`: what stands where nothing was set. */
  constructor(absent: number) {
    this.#absent = absent
    this.#values = new Int32Array(least).fill(absent)
  }

  get(at: number): number {
    return this.#values[at] ?? this.#absent
  }

  /** From -2^31 to 2^31 - 1. */
  set(at: number, value: number): void {
    if (at >= this.#values.length) this.#grow(at + 1)
    this.#values[at] = value
  }

  #grow(wanted: number): void {
    let length = this.#values.length
    while (length < wanted) length = Math.ceil(length * growth)
    const values = new Int32Array(length)
    values.set(this.#values)
    values.fill(this.#absent, this.#values.length)
    this.#values = values
  }
}

const least = 256
/** By which it grows: half of what is there stands idle at most. */
const growth = 1.5
