/**
 * Which values a column has: each with its count while they are few and short, and how many there are in any case.
 */
import type { ColumnProfile } from "./ColumnProfile.ts"
import * as DistinctCount from "./DistinctCount.ts"

/** Values that are counted one by one: this many, and none that is longer. */
const mostCounted = 64
const longestCounted = 64
const mostShown = 16

/** Different values: each with its count while they are few and short. What comes many times in a row is counted as one. */
export const make = <Value extends string | number | bigint>() => {
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
      estimated = DistinctCount.make()
      estimated.add([...counts.keys()], 0)
      counts = undefined
    }
    estimated?.add([last], 0)
  }
  /** Counts values one by one. How many it took: at the next one they are too many, or too long. */
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
