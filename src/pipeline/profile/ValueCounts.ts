/**
 * Which values a column has: each with its count while they are few and short, and how many there are in any case.
 */
import type { ColumnProfile } from "./ColumnProfile.ts"
import * as DistinctCount from "./DistinctCount.ts"

/** Values that are counted one by one: this many, and none that is longer. */
const mostCounted = 64
export const longestCounted = 64
const mostShown = 16

/** Different values: each with its count while they are few and short. What comes many times in a row is counted as one. */
export const make = <Value extends string | number | bigint>() => {
  let counts: Map<Value, number> | undefined = new Map()
  let estimated: DistinctCount.DistinctCount | undefined
  let last: Value | undefined
  let isShort = true
  let times = 0
  const settled = (): DistinctCount.DistinctCount | undefined => {
    settle()
    return estimated
  }
  const settle = () => {
    if (last === undefined || estimated !== undefined) return
    if (counts !== undefined && isShort) {
      counts.set(last, (counts.get(last) ?? 0) + times)
      times = 0
      if (counts.size <= mostCounted) return
    }
    if (counts !== undefined) {
      estimated = DistinctCount.make()
      for (const known of counts.keys()) estimated.add(known)
      counts = undefined
    }
    estimated?.add(last)
  }
  return {
    add: (value: Value, short: boolean) => {
      if (value === last) {
        times += 1
        return
      }
      if (estimated !== undefined) {
        last = value
        estimated.add(value)
        return
      }
      const now = settled()
      last = value
      if (now !== undefined) return now.add(value)
      isShort = short
      times = 1
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
