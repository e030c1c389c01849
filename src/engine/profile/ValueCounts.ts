/**
 * The different values of a column: how many there are, and each with its count if they are few and short.
 */
import type { ColumnProfile } from "../ColumnProfile.ts"
import * as DistinctCount from "./DistinctCount.ts"

/** Values are counted one by one while there are at most this many, and none is longer. */
const mostCounted = 64
const longestCounted = 64
const mostShown = 16

/** Counts values. A value that repeats many times in a row is looked up once. */
export const empty = <Value extends string | number | bigint>() => {
  let counts: Map<Value, number> | undefined = new Map()
  let estimated: DistinctCount.DistinctCount | undefined
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
      estimated = DistinctCount.create()
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
