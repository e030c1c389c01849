/**
 * The rows of a run on their way into a table: they wait until there are enough for a statement, and go by columns.
 *
 * Their bytes are counted, because statements that read or insert whole rows need memory for them.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import * as MemoryLimit from "#engine/DuckdbMemoryLimit"
import * as RowBuffer from "#engine/DuckdbRowBuffer"
import { exactly } from "#engine/duckdbCast"
import type * as Sink from "#engine/Sink"
import type { Reads, Staging, StagingTable } from "#engine/SqlPort"
import { isZoned, withZones } from "./columnSql.ts"
import { asSinkError, failed } from "./failure.ts"

/** Rows are inserted when this many wait. Larger groups are not faster, and need more memory. */
const group = { rows: 2048, bytes: 8_000_000 }

/** DuckDB reads and writes this many rows at once. */
const vector = 2048

/** The stagings of a run. */
export interface Stagings {
  readonly open: (table: StagingTable) => Effect.Effect<Staging, Sink.SinkError>
  /** Runs a statement with the memory that it needs for the rows in a table. */
  readonly roomFor: (
    into: string,
    reads: Reads
  ) => <A>(statement: Effect.Effect<A, Sink.SinkError>) => Effect.Effect<A, Sink.SinkError>
  /** Forgets the rows of a commit that is done. */
  readonly clear: () => void
}

export const of = (database: Database.Database): Stagings => {
  const weights = new Map<string, Weight>()
  const raised = <A>(statement: Effect.Effect<A, Sink.SinkError>) =>
    Effect.mapError(database.withRaisedMemoryLimit(statement), asSinkError)
  return {
    open: (table) => {
      const weight = new Weight()
      weights.set(table.into, weight)
      return opened(database, table, weight)
    },
    roomFor: (into, reads) => (statement) => {
      const weight = weights.get(into)
      // If all rows fit in memory, they stay there until the COMMIT, which compresses them once; else DuckDB compresses them now,
      // and again when it writes them beside others.
      if (reads === "insertions" && weight?.isSmall() === true) {
        return Effect.andThen(Effect.mapError(database.raiseMemoryLimit, asSinkError), statement)
      }
      // A statement that reads whole rows would fill any memory with them, so the limit stays low, unless the rows that DuckDB reads
      // at once are too large for it.
      return reads === "keys" || weight?.isHeavy() === true ? raised(statement) : statement
    },
    clear: () => {
      for (const weight of weights.values()) weight.clear()
    }
  }
}

/** The bytes of the rows of a commit. */
class Weight {
  private rows = 0
  private bytes = 0
  /** The bytes of the rows since the last complete vector, and the most of one vector. */
  private last = 0
  private heaviest = 0

  add(bytes: number): void {
    this.rows += 1
    this.bytes += bytes
    this.last += bytes
    if (this.rows % vector !== 0) return
    this.heaviest = Math.max(this.heaviest, this.last)
    this.last = 0
  }

  clear(): void {
    this.rows = this.bytes = this.last = this.heaviest = 0
  }

  isSmall(): boolean {
    return MemoryLimit.fits(this.bytes)
  }

  isHeavy(): boolean {
    return Math.max(this.heaviest, this.last) > 16_000_000
  }
}

const opened = Effect.fnUntraced(function* (
  database: Database.Database,
  { columns, into, number, table }: StagingTable,
  weight: Weight
): Effect.fn.Return<Staging, Sink.SinkError> {
  const inTable = (error: Database.DatabaseError) => failed(error, table)
  const named = columns.map(({ from, ours }) => ({ name: ours, type: from, nullable: true }))
  const feed = yield* Effect.mapError(database.feed(named, number), inTable)
  const own = number === undefined ? [] : [number]
  const names = [...own, ...columns.map(({ name }) => Column.quote(name))].join(", ")
  const values = columns.map(({ from, ours, sql, to }) => {
    const value = exactly(ours, Column.quote(ours), from, to)
    return isZoned(sql) ? withZones(value, to) : value
  })
  const insert = `INSERT INTO ${into} (${names}) SELECT ${[...own, ...values].join(", ")} FROM ${feed.call}`
  const buffer = RowBuffer.empty()
  let numbers: Array<bigint> = []
  const flush = Effect.suspend(() => {
    if (buffer.rows === 0) return Effect.void
    feed.load(buffer.take(), numbers)
    numbers = []
    return Effect.asVoid(Effect.mapError(database.run(insert), inTable))
  })
  return {
    flush,
    add: Effect.fnUntraced(function* (rows, first) {
      for (const [at, row] of rows.entries()) {
        const before = buffer.bytes
        buffer.add(row)
        weight.add(buffer.bytes - before)
        if (number !== undefined) numbers.push(BigInt(first + at))
        if (buffer.rows >= group.rows || buffer.bytes >= group.bytes) yield* flush
      }
    })
  }
})
