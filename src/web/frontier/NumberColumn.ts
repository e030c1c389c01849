/**
 * Whole numbers by URL number: four bytes each, and nothing for the garbage collector to visit.
 */
export class NumberColumn {
  readonly #absent: number
  #values: Int32Array

  /** `absent`: the value where none was set. */
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
/** The factor of its growth: at most a third of it is unused. */
const growth = 1.5
