/**
 * The profile of the columns of a table, made while its rows go to the sinks.
 *
 * Guarantee: its memory is limited, and it reads each cell at most once. Different values are counted exactly while they are
 * few, and then estimated. In a table of more than 100,000 rows, it reads only one batch of eight of the later rows.
 */
import * as Column from "../Column.ts"
import type { ColumnProfile } from "../ColumnProfile.ts"
import * as Instant from "../Instant.ts"
import { runIdColumn } from "../Pipeline.ts"
import type * as Table from "../Table.ts"
import * as ValueCounts from "./ValueCounts.ts"

export interface TableProfiler {
  readonly take: (rows: ReadonlyArray<Table.Row>) => void
  readonly profiles: () => ReadonlyArray<ColumnProfile>
}

export const of = ({ columns, name }: Table.Table): TableProfiler => {
  // `_run_id` is added later, and has one value in a run.
  const each = columns
    .filter((column) => column.name !== runIdColumn.name)
    .map((column) => ({ column, cells: cellsOf(column) }))
  let [rows, looked, passed] = [0, 0, 0]
  return {
    take: (some) => {
      rows += some.length
      if (rows > allRows && passed++ % everyBatch !== 0) return
      looked += some.length
      for (const { cells } of each) cells.take(some)
    },
    profiles: () => {
      const share = looked === 0 ? 1 : rows / looked
      const scaled = (count: number) => Math.round(count * share)
      return each.map(({ cells, column }) => {
        const summary = cells.summary()
        const filled = scaled(summary.filled)
        return {
          table: name,
          column: column.name,
          type: Column.toSql(column.type),
          rows,
          ...summary,
          filled,
          distinct: summary.distinct === null ? null : Math.min(summary.distinct, filled),
          distinct_exact: summary.distinct_exact && looked === rows,
          top: summary.top?.map(({ count, value }) => ({ value, count: scaled(count) })) ?? null
        }
      })
    }
  }
}

/** All of the first rows are read; of the later rows, one batch of eight, whose counts are scaled. */
const allRows = 100_000
const everyBatch = 8

type Summary = Omit<ColumnProfile, "table" | "column" | "type" | "rows">

interface Cells {
  readonly take: (rows: ReadonlyArray<Table.Row>) => void
  readonly summary: () => Summary
}

const cellsOf = ({ name, type }: Column.Column): Cells => {
  switch (type._tag) {
    case "VARCHAR":
      return texts(name)
    case "BIGINT":
    case "DOUBLE":
    case "DECIMAL":
      return numbers(name)
    case "BOOLEAN":
      return bounded(name, String)
    case "DATE":
      return bounded(name, String)
    case "TIMESTAMP":
      return bounded(name, (cell) => (typeof cell === "bigint" ? String(Instant.textOf(cell)) : String(cell)))
    case "LIST":
      return lists(name)
    case "JSON":
    case "STRUCT":
      return filled(name)
  }
}

const nothing: Omit<Summary, "filled"> = {
  distinct: null,
  distinct_exact: false,
  length: null,
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: null
}

/** Half a surrogate pair becomes U+FFFD, because DuckDB refuses a whole profile that has the escape of half a pair. */
const asWritten = (text: string): string => text.toWellFormed()

const texts = (name: string): Cells => {
  const values = ValueCounts.empty<string>()
  const length = { min: Number.POSITIVE_INFINITY, max: 0, sum: 0 }
  let filled = 0
  return {
    take: (rows) => {
      const cells: Array<string> = []
      for (const row of rows) {
        const cell = row[name]
        if (typeof cell !== "string") continue
        const { length: n } = cell
        length.sum += n
        if (n < length.min) length.min = n
        if (n > length.max) length.max = n
        cells.push(cell)
      }
      filled += cells.length
      values.add(cells)
    },
    summary: () => ({
      ...nothing,
      filled,
      ...values.summary(asWritten),
      length: filled === 0 ? null : { min: length.min, mean: rounded(length.sum / filled), max: length.max }
    })
  }
}

const numbers = (name: string): Cells => {
  const values = ValueCounts.empty<number>()
  const sample = emptySample()
  let filled = 0
  return {
    take: (rows) => {
      const cells = new Float64Array(rows.length)
      let count = 0
      for (const row of rows) {
        const cell = row[name]
        if (cell === null || cell === undefined) continue
        filled += 1
        const value = Number(cell)
        if (Number.isFinite(value)) cells[count++] = value
      }
      const finiteNumbers = cells.subarray(0, count)
      sample.add(finiteNumbers)
      values.add(finiteNumbers)
    },
    summary: () => ({
      ...nothing,
      filled,
      ...values.summary(String),
      ...(sample.count() === 0
        ? {}
        : {
            min: sample.min(),
            max: sample.max(),
            mean: rounded(sample.mean()),
            quantiles: {
              p05: sample.quantile(0.05),
              p25: sample.quantile(0.25),
              p50: sample.quantile(0.5),
              p75: sample.quantile(0.75),
              p95: sample.quantile(0.95),
              p99: sample.quantile(0.99)
            }
          })
    })
  }
}

/** Days, moments and booleans: they have an order, and no length. */
const bounded = (name: string, textOf: (cell: unknown) => string): Cells => {
  const values = ValueCounts.empty<string | bigint>()
  let filled = 0
  let min: string | bigint | undefined
  let max: string | bigint | undefined
  let last: unknown
  return {
    take: (rows) => {
      const cells: Array<string | bigint> = []
      for (const row of rows) {
        const cell = row[name]
        if (cell === null || cell === undefined) continue
        filled += 1
        const value = typeof cell === "boolean" ? String(cell) : cell
        if (typeof value !== "string" && typeof value !== "bigint") continue
        cells.push(value)
        if (value === last) continue
        last = value
        if (min === undefined || value < min) min = value
        if (max === undefined || value > max) max = value
      }
      values.add(cells)
    },
    summary: () => ({
      ...nothing,
      filled,
      ...values.summary(textOf),
      ...(min === undefined ? {} : { min: textOf(min), max: textOf(max) })
    })
  }
}

const lists = (name: string): Cells => {
  const length = { min: Number.POSITIVE_INFINITY, max: 0, sum: 0 }
  let filled = 0
  return {
    take: (rows) => {
      for (const row of rows) {
        const cell = row[name]
        if (!Array.isArray(cell)) continue
        filled += 1
        length.sum += cell.length
        if (cell.length < length.min) length.min = cell.length
        if (cell.length > length.max) length.max = cell.length
      }
    },
    summary: () => ({
      ...nothing,
      filled,
      length: filled === 0 ? null : { min: length.min, mean: rounded(length.sum / filled), max: length.max }
    })
  }
}

const filled = (name: string): Cells => {
  let filled = 0
  return {
    take: (rows) => {
      for (const row of rows) {
        const cell = row[name]
        if (cell !== null && cell !== undefined) filled += 1
      }
    },
    summary: () => ({ ...nothing, filled })
  }
}

const rounded = (value: number): number => Number(value.toPrecision(6))

const sampleSize = 1024

interface NumberSample {
  readonly add: (values: ArrayLike<number>) => void
  readonly count: () => number
  readonly min: () => number
  readonly max: () => number
  readonly mean: () => number
  /** The number below which this share of the sample is. */
  readonly quantile: (share: number) => number
}

/**
 * The minimum, the maximum and the mean of numbers, and quantiles from a sample of at most 1,024 of them.
 *
 * Every number has the same chance to be in the sample (Li's algorithm L), and the same numbers give the same sample.
 */
const emptySample = (): NumberSample => {
  const sample: Array<number> = []
  const random = randomNumbers()
  let count = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let weight = Math.exp(Math.log(random()) / sampleSize)
  let next = sampleSize
  let sorted: ReadonlyArray<number> | undefined
  const skip = () => {
    next += Math.floor(Math.log(random()) / Math.log(1 - weight)) + 1
  }
  const keep = (value: number) => {
    if (sample.length < sampleSize) sample.push(value)
    else {
      sample[Math.floor(random() * sampleSize)] = value
      weight *= Math.exp(Math.log(random()) / sampleSize)
    }
    if (sample.length === sampleSize) skip()
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
        if (count >= next || sample.length < sampleSize) keep(value)
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
