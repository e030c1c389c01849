/**
 * Replaces a table, when all new rows are in a table of their own beside it. Old rows that stay (`remainingRows`) are joined
 * with the new ones.
 *
 * If no old row stays, the new table gets the name of the old one, with the columns of this run and no others. If the
 * destination may not evolve, the old table stays and takes the rows.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import {
  hasLike,
  type Pair,
  type Remaining,
  type ReplacedParent,
  type ReplacedTable,
  remainingRows
} from "#engine/remainingRows"
import * as Sink from "#engine/Sink"
import type { StoredColumn } from "#engine/StoredTable"
import { isZoned, leaveZones, withoutZones } from "../columnSql.ts"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"
import { columnList, hasRunId, retained, type Stage, scratch } from "../stage.ts"
import { hideCurrent } from "../table/currentView.ts"
import { fitTable, nextOf, type Preparation, type WrittenColumn, writtenColumns } from "../table/prepareTable.ts"
import { rowHash } from "./rowHash.ts"

export interface Replacement {
  readonly preparation: Preparation
  readonly complete: boolean
  /** Whether this run has committed here before: its stored rows then stay. */
  readonly goesOn: boolean
  readonly plan: Sink.Plan
}

/** The parent table, with how many of its old rows stay. */
interface ParentRows {
  readonly stage: Stage
  readonly remaining: Remaining
}

/** Finds the old rows that stay. Call it for parents before their children, and for all tables before one is changed. */
export const findRemaining = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  replacement: Replacement,
  parent: ParentRows | undefined
): Effect.fn.Return<Remaining, Database.DatabaseError> {
  if (!(yield* Catalog.has(database, replacement.preparation.place, stage.table.name))) {
    return { isThere: false, rows: 0, kept: 0 }
  }
  const stored = yield* describe(database, stage.target)
  const remaining = remainingRows(replacedTable(stage, replacement, stored, parent))
  if (remaining === undefined) return { isThere: true, rows: 0, kept: 0 }
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${scratch(stage, "stays")} AS
      SELECT rowid AS row, is_kept FROM (
        SELECT o.rowid, NOT ${remaining.isOthers} AS is_kept, ${remaining.stays} AS stays FROM ${stage.target} AS o
      ) WHERE stays`
  )
  const [rows = 0, kept = 0] = yield* Database.numbers(
    database,
    `SELECT count(*), count(*) FILTER (is_kept) FROM ${scratch(stage, "stays")}`
  )
  return { isThere: true, rows, kept }
})

const replacedTable = (
  stage: Stage,
  { complete, goesOn, plan, preparation: { claimed, place } }: Replacement,
  stored: ReadonlyArray<StoredColumn>,
  parent: ParentRows | undefined
): ReplacedTable => {
  const { prepared, table } = stage
  const words = { stored, owner: claimed?.owner, literal: Database.literal, isSame }
  const isIn = (from: string, pairs: ReadonlyArray<Pair>, columns = prepared.written) =>
    hasLike({ from, columns }, pairs, words)
  const next = Place.named(place, nextOf(table))
  return {
    table,
    plan,
    complete,
    goesOn,
    stored,
    hasRunId: hasRunId(stage),
    literal: Database.literal,
    isWritten: (key) => isIn(next, key),
    isSaid: () => {
      const both = prepared.written.filter(({ name, sql }) => Column.named(stored, name)?.sql === sql)
      const print = rowHash(table, both, [])
      // In a subquery an alias hides a column of its name.
      return `EXISTS (SELECT 1 FROM (SELECT ${print} AS _millrace_print FROM ${next}) AS _millrace_new WHERE _millrace_print = ${print})`
    },
    isRetained: stage.hasRetained ? (key) => isIn(retained(stage), key) : undefined,
    parent: parent && replacedParent(place, parent, isIn)
  }
}

const isSame = (old: string, ofOld: string, other: string, ofOther = ""): string =>
  withoutZones(ofOther) === withoutZones(ofOld)
    ? `${old} = ${other}`
    : `CAST(${old} AS VARCHAR) = CAST(${other} AS VARCHAR)`

const replacedParent = (
  place: Place.DatabaseLocation,
  { remaining, stage }: ParentRows,
  isIn: (from: string, pairs: ReadonlyArray<Pair>, written: ReadonlyArray<WrittenColumn>) => string
): ReplacedParent => {
  const { written } = stage.prepared
  return {
    remaining,
    isNew: (on) => isIn(Place.named(place, nextOf(stage.table)), on, written),
    isOld: (on) => isIn(stage.target, on, written),
    isStaying: (on) =>
      isIn(`(FROM ${stage.target} WHERE rowid IN (SELECT row FROM ${scratch(stage, "stays")}))`, on, written)
  }
}

/** Makes a table of the new rows and the old rows that stay. */
export const replace = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  { preparation }: Replacement,
  remaining: Remaining
) {
  const { place } = preparation
  const { table, target } = stage
  const next = Place.named(place, nextOf(table))
  const stays = scratch(stage, "stays")
  const isInPlace = preparation.evolve
    ? remaining.rows > 0 && !(remaining.rows <= stage.rows && (yield* isAlike(database, target, next)))
    : remaining.isThere
  if (isInPlace) {
    if (preparation.evolve) yield* fitTable(database, stage, preparation)
    const into = writtenColumns(table, yield* describe(database, target))
    const columns = into.map(({ name }) => Column.quote(name)).join(", ")
    yield* database.run(
      remaining.rows > 0
        ? `DELETE FROM ${target} WHERE rowid NOT IN (SELECT row FROM ${stays})`
        : `DELETE FROM ${target}`
    )
    yield* database.run(
      `INSERT INTO ${target} (${columns}) SELECT ${into.map(({ value }) => value).join(", ")} FROM ${yield* withoutZonesOf(database, next)}`
    )
    yield* database.run(`DROP TABLE ${next}`)
    return
  }
  if (remaining.rows > 0) {
    yield* database.run(
      `INSERT INTO ${next} (${columnList(stage)}) SELECT ${columnList(stage)} FROM ${target}
        WHERE rowid IN (SELECT row FROM ${stays})`
    )
  }
  if (remaining.isThere) {
    yield* hideCurrent(database, place, table.name)
    yield* database.run(`DROP TABLE ${target}`)
  }
  yield* database.run(`ALTER TABLE ${next} RENAME TO ${Column.quote(table.name)}`)
})

/** The new rows as those of a run: their points in time have no zone, which would be in their texts. */
const withoutZonesOf = Effect.fnUntraced(function* (database: Database.Database, next: string) {
  const moments = (yield* describe(database, next)).flatMap(({ name, sql, type }) =>
    type !== undefined && isZoned(sql) ? [`${leaveZones(Column.quote(name), type)} AS ${Column.quote(name)}`] : []
  )
  return moments.length === 0 ? next : `(SELECT * REPLACE (${moments.join(", ")}) FROM ${next})`
})

/** Whether two tables have the same columns in the same order, so that rows can be copied without a list of columns. */
const isAlike = Effect.fnUntraced(function* (database: Database.Database, one: string, other: string) {
  const shape = (present: ReadonlyArray<StoredColumn>) =>
    JSON.stringify(present.map(({ name, sql }) => `${name.toLowerCase()} ${sql}`).toSorted())
  return shape(yield* describe(database, one)) === shape(yield* describe(database, other))
})
