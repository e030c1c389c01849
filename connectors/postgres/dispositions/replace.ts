/**
 * Replace, when all new rows wait: which old rows stay, and the table with the others in place of those that go.
 *
 * The law: a complete run leaves of the old rows those of keys that it was told to retain; one that is not complete leaves
 * all whose key it did not write. The children of a row that stays, stay; those of a row that was written anew, go. The table
 * itself stays, with its owner, grants and indexes; where no row stays, it gets the columns of this run and no others.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Sink from "../../../src/pipeline/Sink.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import * as Place from "../server/Place.ts"
import { columnList, hasRunId, keep, retained, type Stage, scratch, staged } from "../stage.ts"
import { cast } from "../table/cast.ts"
import { fitTable, type Preparation } from "../table/prepareTable.ts"
import { reshapeTable } from "../table/reshapeTable.ts"
import { writtenColumns } from "../table/TableShape.ts"
import { rowDigest } from "./sameRow.ts"

export interface Replacement {
  readonly preparation: Preparation
  readonly complete: boolean
  /** Whether rows of this run that are there are those of its earlier commits: they stay. */
  readonly goesOn: boolean
  readonly plan: Sink.Plan
}

/** What stays of the old rows, and whether the table was there at all. */
export interface Remaining {
  readonly isThere: boolean
  /** Rows that stay. */
  readonly rows: number
  /** Those of them that are of other runs of this pipeline. */
  readonly kept: number
}

/** A table whose children are asked about. */
interface ParentRows {
  readonly stage: Stage
  readonly remaining: Remaining
}

/** Finds the old rows that stay: parents before their children, and all before any table is changed. */
export const findRemaining = Effect.fnUntraced(function* (
  connection: Connection,
  stage: Stage,
  replacement: Replacement,
  parent: ParentRows | undefined
) {
  const { goesOn, plan, preparation } = replacement
  if (stage.prepared.isNew) return { isThere: false, rows: 0, kept: 0 }
  const present = yield* catalog.describe(connection, preparation.place, stage.table.name)
  const knows = (name: string) => Column.named(present, name) !== undefined
  const run = Place.literal(plan.runId)
  const anyway = [
    ...(plan.shared === true && knows(Sink.pipelineColumn.name)
      ? [`o.${Sink.pipelineColumn.name} IS DISTINCT FROM ${Place.literal(plan.pipeline)}`]
      : []),
    ...(goesOn ? [hasRunId(stage) && knows("_run_id") ? `o._run_id = ${run}` : "true"] : [])
  ]
  const stays = remainsWhere(stage, replacement, present, parent)
  // What this run itself left, and is written again, makes way.
  const isAgain = plan.again === true && !goesOn && hasRunId(stage) && knows("_run_id")
  const unlearned = stays !== "false" && isAgain ? `(${stays} AND o._run_id IS DISTINCT FROM ${run})` : stays
  if (anyway.length === 0 && unlearned === "false") return { isThere: true, rows: 0, kept: 0 }
  const isAnyway = anyway.length === 0 ? "false" : `coalesce(${anyway.join(" OR ")}, false)`
  yield* keep(
    connection,
    scratch(stage, "stays"),
    `SELECT old, is_kept FROM (
        SELECT o.ctid AS old, NOT ${isAnyway} AS is_kept, ${isAnyway} OR ${unlearned} AS stays FROM ${stage.target} AS o
      ) AS found WHERE stays`
  )
  const [rows = 0, kept = 0] = yield* catalog.numbers(
    connection,
    `SELECT count(*) AS rows, count(*) FILTER (WHERE is_kept) AS kept FROM ${scratch(stage, "stays")}`
  )
  return { isThere: true, rows, kept }
})

/** The condition that an old row of this pipeline stays. */
const remainsWhere = (
  stage: Stage,
  { complete, preparation }: Replacement,
  present: ReadonlyArray<catalog.Present>,
  parent: ParentRows | undefined
): string => {
  const { key } = stage.table
  const isThere = (
    from: string,
    of: string,
    pairs: ReadonlyArray<readonly [string, string]>,
    written: Stage["shape"]
  ) => {
    const same = pairs.map(([ours, theirs]) => {
      const there = Column.named(present, ours)
      const column = Column.named(written.columns, theirs)
      const fresh = `${of}.${Column.quote(column?.name ?? theirs)}`
      // Rows from before the table was shared are those of its owner.
      if (there === undefined && ours === Sink.pipelineColumn.name && preparation.owner !== undefined) {
        return `${Place.literal(preparation.owner)} = ${fresh}`
      }
      if (there === undefined) return "false"
      const old = `o.${Column.quote(there.name)}`
      return there.sql === column?.sql ? `${old} = ${fresh}` : `${old}::text = ${fresh}::text`
    })
    return `EXISTS (SELECT 1 FROM ${from} AS ${of} WHERE ${same.join(" AND ")})`
  }
  if (parent !== undefined) {
    const on = Object.entries(stage.table.parent?.on ?? {})
    const { isThere: isParentThere, rows } = parent.remaining
    const { shape, target } = parent.stage
    const known = on.filter(([ours]) => ours !== Sink.pipelineColumn.name || Column.named(present, ours) !== undefined)
    const ofOld = (where: string) => isThere(`(SELECT * FROM ${target} AS q ${where})`, "p", known, shape)
    const stays =
      rows === 0
        ? "false"
        : ofOld(`WHERE EXISTS (SELECT 1 FROM ${scratch(parent.stage, "stays")} AS k WHERE k.old = q.ctid)`)
    if (complete) return stays
    // Children of nobody stay too, unless their parent comes now.
    const isOrphan = `NOT ${isThere(staged(parent.stage), "n", on, shape)}`
    return isParentThere ? `(${stays} OR (NOT ${ofOld("")} AND ${isOrphan}))` : isOrphan
  }
  const pairs = key.map((name) => [name, name] as const)
  if (complete) {
    if (!stage.hasRetained || key.length === 0) return "false"
    return `(${isThere(retained(stage), "k", pairs, stage.shape)} AND NOT ${isThere(staged(stage), "n", pairs, stage.shape)})`
  }
  if (key.length > 0) return `NOT ${isThere(staged(stage), "n", pairs, stage.shape)}`
  // Rows without a key are told apart by all that they say.
  const both = stage.shape.columns.filter(({ name, sql }) => Column.named(present, name)?.sql === sql)
  const digest = (of: string) => rowDigest(stage.table, both, [], of)
  return `NOT EXISTS (SELECT 1 FROM (SELECT ${digest("s")} AS print FROM ${staged(stage)} AS s) AS n WHERE n.print = ${digest("o")})`
}

/** Makes the new rows, and the old ones that stay, the rows of the table. */
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
      yield* reshapeTable(connection, place, table)
    }
    return yield* connection.run(`INSERT INTO ${target} (${columns}) SELECT ${columns} FROM ${staged(stage)}`)
  }
  yield* connection.run(
    `DELETE FROM ${target} AS t WHERE NOT EXISTS (SELECT 1 FROM ${scratch(stage, "stays")} AS k WHERE k.old = t.ctid)`
  )
  yield* fitTable(connection, stage, { ...preparation, evolve: true })
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
