/**
 * The minimum, the maximum and the mean of numbers, and quantiles from a sample of at most 1,024 of them.
 *
 * Every number has the same chance to be in the sample (Li's algorithm L), and the same numbers give the same sample.
 */

const size = 1024

interface NumberSample {
  readonly add: (values: ArrayLike<number>) => void
  readonly count: () => number
  readonly min: () => number
  readonly max: () => number
  readonly mean: () => number
  /** The number below which this share of the sample is. */
  readonly quantile: (share: number) => number
}

export const empty = (): NumberSample => {
  const sample: Array<number> = []
  const random = randomNumbers()
  let count = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let weight = Math.exp(Math.log(random()) / size)
  let next = size
  let sorted: ReadonlyArray<number> | undefined
  const skip = () => {
    next += Math.floor(Math.log(random()) / Math.log(1 - weight)) + 1
  }
  const keep = (value: number) => {
    if (sample.length < size) sample.push(value)
    else {
      sample[Math.floor(random() * size)] = value
      weight *= Math.exp(Math.log(random()) / size)
    }
    if (sample.length === size) skip()
  }
  return {
    add: (values) => {
      // Local variables: V8 would make a new object for a captured number at each change.
      let [least, greatest, total] = [min, max, sum]
      for (let at = 0; at < values.length; at++) {
        const value = values[at] ?? 0
        total += value
        if (value < least) least = value
        if (value > greatest) greatest = value
        count += 1
        if (count >= next || sample.length < size) keep(value)
      }
      min = least
      max = greatest
      sum = total
      sorted = undefined
    },
    count: () => count,
    min: () => min,
    max: () => max,
    mean: () => sum / count,
    quantile: (share) => {
      sorted ??= sample.toSorted((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
    }
  }
}

/** Pseudo-random numbers between 0 and 1, the same in every process (mulberry32). */
const randomNumbers = (): (() => number) => {
  let state = 0x6d2b79f5
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (((value ^ (value >>> 14)) >>> 0) + 1) / 4_294_967_297
  }
}
