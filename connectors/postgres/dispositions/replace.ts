/**
 * Replaces the rows of a table, when all new rows are staged: old rows that do not stay (`remainingRows`) are removed, and the
 * new rows are inserted.
 *
 * The table itself stays, with its owner, grants and indexes. If no old row stays, it gets the columns of this run and no
 * others, unless it may not evolve.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
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
import type { ServerError } from "../failure.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { columnList, hasRunId, keep, retained, type Stage, scratch, staged } from "../stage.ts"
import { cast } from "../table/cast.ts"
import { fitTable, type Preparation } from "../table/prepareTable.ts"
import { reshapeTable } from "../table/reshapeTable.ts"
import { writtenColumns } from "../table/TableShape.ts"
import { rowDigest } from "./sameRow.ts"

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
  connection: Connection,
  stage: Stage,
  replacement: Replacement,
  parent: ParentRows | undefined
): Effect.fn.Return<Remaining, ServerError> {
  if (stage.prepared.isNew) return { isThere: false, rows: 0, kept: 0 }
  const stored = yield* catalog.describe(connection, replacement.preparation.place, stage.table.name)
  const remaining = remainingRows(replacedTable(stage, replacement, stored, parent))
  if (remaining === undefined) return { isThere: true, rows: 0, kept: 0 }
  yield* keep(
    connection,
    scratch(stage, "stays"),
    `SELECT old, is_kept FROM (
        SELECT o.ctid AS old, NOT ${remaining.isOthers} AS is_kept, ${remaining.stays} AS stays FROM ${stage.target} AS o
      ) AS found WHERE stays`
  )
  const [rows = 0, kept = 0] = yield* catalog.numbers(
    connection,
    `SELECT count(*) AS rows, count(*) FILTER (WHERE is_kept) AS kept FROM ${scratch(stage, "stays")}`
  )
  return { isThere: true, rows, kept }
})

const replacedTable = (
  stage: Stage,
  { complete, goesOn, plan, preparation: { claimed } }: Replacement,
  stored: ReadonlyArray<StoredColumn>,
  parent: ParentRows | undefined
): ReplacedTable => {
  const { shape, table } = stage
  const words = { stored, owner: claimed?.owner, literal: Place.literal, isSame }
  const isIn = (from: string, pairs: ReadonlyArray<Pair>, { columns } = shape) =>
    hasLike({ from, columns }, pairs, words)
  return {
    table,
    plan,
    complete,
    goesOn,
    stored,
    hasRunId: hasRunId(stage),
    literal: Place.literal,
    isWritten: (key) => isIn(staged(stage), key),
    isSaid: () => {
      const both = shape.columns.filter(({ name, sql }) => Column.named(stored, name)?.sql === sql)
      const digest = (of: string) => rowDigest(table, both, [], of)
      return `EXISTS (SELECT 1 FROM (SELECT ${digest("s")} AS print FROM ${staged(stage)} AS s) AS n WHERE n.print = ${digest("o")})`
    },
    isRetained: stage.hasRetained ? (key) => isIn(retained(stage), key) : undefined,
    parent: parent && replacedParent(parent, isIn)
  }
}

const isSame = (old: string, ofOld: string, other: string, ofOther: string | undefined): string =>
  ofOld === ofOther ? `${old} = ${other}` : `${old}::text = ${other}::text`

const replacedParent = (
  { remaining, stage }: ParentRows,
  isIn: (from: string, pairs: ReadonlyArray<Pair>, shape: Stage["shape"]) => string
): ReplacedParent => ({
  remaining,
  isNew: (on) => isIn(staged(stage), on, stage.shape),
  isOld: (on) => isIn(stage.target, on, stage.shape),
  isStaying: (on) =>
    isIn(
      `(SELECT q.* FROM ${stage.target} AS q JOIN ${scratch(stage, "stays")} AS k ON k.old = q.ctid)`,
      on,
      stage.shape
    )
})

/** Removes the old rows that do not stay, and inserts the new rows. */
export const replace = Effect.fnUntraced(function* (
  connection: Connection,
  stage: Stage,
  { preparation }: Replacement,
  remaining: Remaining
) {
  const { place } = preparation
  const { shape, table, target } = stage
  const columns = columnList(stage)
  if (remaining.rows === 0) {
    if (remaining.isThere) {
      yield* connection.run(`DELETE FROM ${target}`)
      if (preparation.evolve) yield* reshapeTable(connection, place, table)
    }
    return yield* connection.run(`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM ${staged(stage)}`)
  }
  yield* connection.run(
    `DELETE FROM ${target} AS t WHERE NOT EXISTS (SELECT 1 FROM ${scratch(stage, "stays")} AS k WHERE k.old = t.ctid)`
  )
  if (!preparation.evolve) {
    return yield* connection.run(`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM ${staged(stage)}`)
  }
  yield* fitTable(connection, stage, preparation)
  const into = writtenColumns(table, yield* catalog.describe(connection, place, table.name), false)
  const values = into.map(({ from, ours, sql, to }) => {
    const own = Column.quote(Column.named(shape.columns, ours)?.name ?? ours)
    return sql === "jsonb" ? `${cast(own, from, to)}::jsonb` : cast(own, from, to)
  })
  return yield* connection.run(
    `INSERT INTO ${target} (${into.map(({ name }) => Column.quote(name)).join(", ")})
      SELECT ${values.join(", ")} FROM ${staged(stage)}`
  )
})
