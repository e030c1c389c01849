/**
 * Replace, when the new rows are all in a table of their own beside the old one: which old rows stay, and which of the
 * two tables becomes the other.
 *
 * The law: a complete run leaves of the old rows those of keys that it was told to retain; one that is not complete leaves
 * all whose key it did not write. The children of a row that stays, stay; those of a row that was written anew, go. Where
 * nothing stays, the new table takes the name of the old one, with the columns of this run and no others.
 */
import * as Effect from "effect/Effect"
import * as Database from "../../../src/duckdb/Database.ts"
import { describe, type Present } from "../../../src/duckdb/describe.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Sink from "../../../src/pipeline/Sink.ts"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../file/Place.ts"
import { columnList, hasRunId, retained, type Stage, scratch } from "../stage.ts"
import { withoutZones } from "../table/columnSql.ts"
import { hideCurrent } from "../table/currentView.ts"
import { fitTable, nextOf, type Preparation, type WrittenColumn, writtenColumns } from "../table/prepareTable.ts"
import { rowHash } from "./rowHash.ts"

export interface Replacement {
  readonly preparation: Preparation
  readonly complete: boolean
  /** Whether rows of this run that are there are those of its earlier commits: they stay. */
  readonly goesOn: boolean
  readonly plan: Sink.Plan
}

/** What stays of the old rows, and what is there of the table at all. */
export interface Remaining {
  readonly isThere: boolean
  /** Rows that stay. */
  readonly rows: number
  /** Those of them that are of other runs of this pipeline. */
  readonly kept: number
}

/** Finds the old rows that stay: parents before their children, and all before any table is changed. */
export const findRemaining = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  replacement: Replacement,
  parent: { readonly stage: Stage; readonly remaining: Remaining } | undefined
) {
  const { place } = replacement.preparation
  if (!(yield* Catalog.has(database, place, stage.table.name))) return { isThere: false, rows: 0, kept: 0 }
  const present = yield* describe(database, stage.target)
  const knows = (name: string) => Column.named(present, name) !== undefined
  const anyway = [
    ...(replacement.plan.shared === true && knows(Sink.pipelineColumn.name)
      ? [`o.${Sink.pipelineColumn.name} IS DISTINCT FROM ${Database.literal(replacement.plan.pipeline)}`]
      : []),
    ...(replacement.goesOn
      ? [hasRunId(stage) && knows("_run_id") ? `o._run_id = ${Database.literal(replacement.plan.runId)}` : "true"]
      : [])
  ]
  const stays = remainsWhere(stage, replacement, present, parent)
  // What this run itself left, and is written again, makes way.
  const isAgain = replacement.plan.again === true && !replacement.goesOn && hasRunId(stage) && knows("_run_id")
  const unlearned =
    stays !== "false" && isAgain
      ? `(${stays} AND o._run_id IS DISTINCT FROM ${Database.literal(replacement.plan.runId)})`
      : stays
  if (anyway.length === 0 && unlearned === "false") return { isThere: true, rows: 0, kept: 0 }
  const isAnyway = anyway.length === 0 ? "false" : `coalesce(${anyway.join(" OR ")}, false)`
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${scratch(stage, "stays")} AS
      SELECT rowid AS row, is_kept FROM (
        SELECT o.rowid, NOT ${isAnyway} AS is_kept, ${isAnyway} OR ${unlearned} AS stays FROM ${stage.target} AS o
      ) WHERE stays`
  )
  const [rows = 0, old = 0] = yield* Database.numbers(
    database,
    `SELECT count(*), count(*) FILTER (is_kept) FROM ${scratch(stage, "stays")}`
  )
  return { isThere: true, rows, kept: old }
})

/** The condition that an old row of this pipeline stays. */
const remainsWhere = (
  stage: Stage,
  { complete, preparation }: Replacement,
  present: ReadonlyArray<Present>,
  parent: { readonly stage: Stage; readonly remaining: Remaining } | undefined
): string => {
  const { key } = stage.table
  const next = Place.named(preparation.place, nextOf(stage.table))
  const isThere = (
    from: string,
    of: string,
    pairs: ReadonlyArray<readonly [string, string]>,
    written: ReadonlyArray<WrittenColumn>
  ) => {
    const same = pairs.map(([ours, theirs]) => {
      const there = Column.named(present, ours)
      const fresh = `${of}.${Column.quote(theirs)}`
      // Rows from before the table was shared are those of its owner.
      if (there === undefined && ours === Sink.pipelineColumn.name && preparation.owner !== undefined) {
        return `${Database.literal(preparation.owner)} = ${fresh}`
      }
      if (there === undefined) return "false"
      const old = `o.${Column.quote(there.name)}`
      const sql = Column.named(written, theirs)?.sql ?? ""
      return withoutZones(sql) === withoutZones(there.sql)
        ? `${old} = ${fresh}`
        : `CAST(${old} AS VARCHAR) = CAST(${fresh} AS VARCHAR)`
    })
    return `EXISTS (SELECT 1 FROM ${from} AS ${of} WHERE ${same.join(" AND ")})`
  }
  if (parent !== undefined) {
    const on = Object.entries(stage.table.parent?.on ?? {})
    const { prepared, table } = parent.stage
    const { isThere: isParentThere, rows } = parent.remaining
    const known = on.filter(([ours]) => ours !== Sink.pipelineColumn.name || Column.named(present, ours) !== undefined)
    const ofOld = (where: string) => isThere(`(FROM ${parent.stage.target} ${where})`, "p", known, prepared.written)
    const stays = rows === 0 ? "false" : ofOld(`WHERE rowid IN (SELECT row FROM ${scratch(parent.stage, "stays")})`)
    if (complete) return stays
    // Children of nobody stay too, unless their parent comes now.
    const isOrphan = `NOT ${isThere(Place.named(preparation.place, nextOf(table)), "n", on, prepared.written)}`
    return isParentThere ? `(${stays} OR (NOT ${ofOld("")} AND ${isOrphan}))` : isOrphan
  }
  const pairs = key.map((name) => [name, name] as const)
  const { written } = stage.prepared
  if (complete) {
    if (!stage.hasRetained || key.length === 0) return "false"
    return `(${isThere(retained(stage), "k", pairs, written)} AND NOT ${isThere(next, "n", pairs, written)})`
  }
  if (key.length > 0) return `NOT ${isThere(next, "n", pairs, written)}`
  // Rows without a key are told apart by all that they say.
  const both = stage.prepared.written.filter(({ name, sql }) => Column.named(present, name)?.sql === sql)
  const said = rowHash(stage.table, both, [])
  return `NOT EXISTS (SELECT 1 FROM (SELECT ${said} AS print FROM ${next}) AS n WHERE n.print = ${said})`
}

/** Makes the new rows, and the old ones that stay, the table. */
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
  if (remaining.rows > 0 && !(remaining.rows <= stage.rows && (yield* isAlike(database, target, next)))) {
    yield* fitTable(database, stage, { ...preparation, evolve: true })
    const into = writtenColumns(table, yield* describe(database, target))
    const columns = into.map(({ name }) => Column.quote(name)).join(", ")
    yield* database.run(`DELETE FROM ${target} WHERE rowid NOT IN (SELECT row FROM ${stays})`)
    yield* database.run(
      `INSERT INTO ${target} (${columns}) SELECT ${into.map(({ value }) => value).join(", ")} FROM ${next}`
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

/** Whether two tables have the same columns, so that rows of one are rows of the other. */
const isAlike = Effect.fnUntraced(function* (database: Database.Database, one: string, other: string) {
  const shape = (present: ReadonlyArray<Present>) =>
    JSON.stringify(present.map(({ name, sql }) => `${name.toLowerCase()} ${sql}`).toSorted())
  return shape(yield* describe(database, one)) === shape(yield* describe(database, other))
})
