/**
 * The different values of a column: how many there are, and each with its count if they are few and short.
 */
import type { ColumnProfile } from "../ColumnProfile.ts"

/** Values are counted one by one while there are at most this many, and none is longer. */
const mostCounted = 64
const longestCounted = 64
const mostShown = 16

/** Counts values. A value that repeats many times in a row is looked up once. */
export const empty = <Value extends string | number | bigint>() => {
  let counts: Map<Value, number> | undefined = new Map()
  let estimated: DistinctCount | undefined
  let last: Value | undefined
  let times = 0
  const settle = () => {
    if (last === undefined || estimated !== undefined) return
    if (counts !== undefined && isShort(last)) {
      counts.set(last, (counts.get(last) ?? 0) + times)
      times = 0
      if (counts.size <= mostCounted) return
    }
    if (counts !== undefined) {
      estimated = countDistinct()
      estimated.add([...counts.keys()], 0)
      counts = undefined
    }
    estimated?.add([last], 0)
  }
  /** Counts values one by one, until they are too many or too long. Returns how many values it has counted. */
  const counted = (values: ArrayLike<Value>): number => {
    for (let at = 0; at < values.length; at++) {
      if (values[at] === last) {
        times += 1
        continue
      }
      settle()
      if (estimated !== undefined) return at
      last = values[at]
      times = 1
    }
    return values.length
  }
  return {
    add: (values: ArrayLike<Value>) => {
      const from = estimated === undefined ? counted(values) : 0
      estimated?.add(values, from)
    },
    summary: (textOf: (value: Value) => string): Pick<ColumnProfile, "distinct" | "distinct_exact" | "top"> => {
      settle()
      last = undefined
      if (counts === undefined) {
        return { distinct: estimated?.estimate() ?? null, distinct_exact: estimated?.isExact() ?? false, top: null }
      }
      const top = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, mostShown)
      return {
        distinct: counts.size,
        distinct_exact: true,
        top: top.map(([value, count]) => ({ value: textOf(value), count }))
      }
    }
  }
}

const isShort = (value: unknown): boolean => typeof value !== "string" || value.length <= longestCounted

const bits = 12
const registers = 1 << bits
const looked = 192

/**
 * Counts different values: by a set of hashes while there are fewer than 4,096, then by HyperLogLog with 4,096 registers,
 * whose error is about 1.6%.
 *
 * The hash of a long text uses only its length, its ends and some characters between them. The count is only a figure of a
 * report, and hashing every character of every page would cost more than all other figures together.
 */
interface DistinctCount {
  /** Counts the values of a list, from position `from` on. */
  readonly add: (values: ArrayLike<string | number | bigint>, from: number) => void
  readonly estimate: () => number
  /** Whether every value was counted by a hash of the whole value. */
  readonly isExact: () => boolean
}

const countDistinct = (): DistinctCount => {
  let few: Set<number> | undefined = new Set()
  let ranks = new Uint8Array(0)
  let isWhole = true
  const count = (hash: number) => {
    const register = hash >>> (32 - bits)
    // The bits after those of the register, with a 1 after them as a limit: a rank is 1 to 21.
    const rank = Math.clz32((hash << bits) | (1 << (bits - 1))) + 1
    if (rank > (ranks[register] ?? 0)) ranks[register] = rank
  }
  return {
    add: (values, from) => {
      for (let at = from; at < values.length; at++) {
        const value = values[at]
        if (typeof value === "string" && value.length > looked) isWhole = false
        const hash = typeof value === "string" ? hashOfText(value) : hashOfNumber(Number(value))
        if (few === undefined) count(hash)
        else if (few.add(hash).size >= registers) {
          ranks = new Uint8Array(registers)
          few.forEach(count)
          few = undefined
        }
      }
    },
    isExact: () => isWhole && few !== undefined,
    estimate: () => {
      if (few !== undefined) return few.size
      let sum = 0
      let empty = 0
      for (const rank of ranks) {
        sum += 2 ** -rank
        if (rank === 0) empty += 1
      }
      const raw = (0.7213 / (1 + 1.079 / registers)) * ((registers * registers) / sum)
      if (raw <= 2.5 * registers && empty > 0) return Math.round(registers * Math.log(registers / empty))
      // With very many values, hashes of 32 bits collide; this corrects the estimate.
      const space = 2 ** 32
      return Math.round(raw <= space / 30 ? raw : -space * Math.log(1 - raw / space))
    }
  }
}

const hashOfText = (text: string): number => {
  const { length } = text
  let hash = 0x811c9dc5 ^ length
  if (length <= looked) {
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    return mixed(hash)
  }
  const [head, between, tail] = [24, 32, 24]
  const stride = Math.floor((length - head - tail) / between) + 1
  for (let at = 0; at < head; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  for (let at = head; at < length - tail; at += stride) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  for (let at = length - tail; at < length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

const hashOfNumber = (value: number): number => {
  // Adding 0 turns -0 into 0, which is the same value with other bits.
  float[0] = value + 0
  return mixed(Math.imul(halves[1] ?? 0, 0x9e3779b1) ^ (halves[0] ?? 0))
}

/** The last step of MurmurHash3: every bit of the result depends on every bit of the hash. */
const mixed = (hash: number): number => {
  let value = hash ^ (hash >>> 16)
  value = Math.imul(value, 0x85ebca6b)
  value ^= value >>> 13
  value = Math.imul(value, 0xc2b2ae35)
  // It stays a signed integer: V8 keeps a larger number in an object of its own.
  return value ^ (value >>> 16)
}
