/**
 * scd2: closes and makes versions from the staged rows.
 *
 * If the fingerprint of a row differs from that of the version in force, the row becomes a new version and closes that one.
 * Only keys and a hash of the fingerprint are joined, never whole rows; the hash has 64 bits, so one change in 10^19 is missed.
 * Two versions of one moment are of one run, so the later replaces the earlier.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { sameValues } from "#engine/Duckdb"
import * as DuplicateKeys from "#engine/DuplicateKeys"
import * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import { failure } from "../failure.ts"
import { asStaged, columnList, hasRunId, retained, type Stage, scratch, staged } from "../stage.ts"
import { inserting, roomy, type Settled } from "./merge.ts"
import { hashOf, isReread, rereadOf } from "./rowHash.ts"

interface Visit {
  /** When the run began, in microseconds. */
  readonly at: bigint
  /** watch: remember the keys that were seen. close: also close versions of keys that were not. keep: neither. */
  readonly removed: "keep" | "watch" | "close"
  /** In a shared table: the pipeline whose versions may be closed; undefined: the table is not shared. */
  readonly pipeline: string | undefined
}

/** Adds the staged rows to the history. `written` counts the new versions. */
export const addVersions = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  { at, pipeline, removed }: Visit
): Effect.fn.Return<Settled, Database.DatabaseError | Sink.SinkError> {
  const history = stage.target
  const moment = timestamp(at)
  const superseded = yield* database.withRaisedMemoryLimit(DuplicateKeys.dropDuplicates(database, asStaged(stage)))
  yield* database.withRaisedMemoryLimit(database.run(findLater(stage, moment)))
  yield* roomy(database, stage, database.run(findNews(stage, moment)))
  yield* database.withRaisedMemoryLimit(refuseAmbiguous(database, stage, moment))
  const close = Effect.gen(function* () {
    yield* database.run(
      `DELETE FROM ${history} WHERE rowid IN (SELECT old FROM ${news(stage)} WHERE is_same_moment OR is_reread)`
    )
    yield* database.run(
      `UPDATE ${history} SET valid_to = ${moment}, is_current = false
        WHERE rowid IN (SELECT old FROM ${news(stage)} WHERE NOT is_same_moment AND NOT is_reread)`
    )
  })
  yield* database.withRaisedMemoryLimit(close)
  const [reread = 0] = yield* Database.numbers(database, `SELECT count(*) FROM ${news(stage)} WHERE is_reread`)
  const values = stage.prepared.written.map(({ name }) =>
    name === "_run_id" && reread > 0 ? "CASE WHEN n.is_reread THEN n.run ELSE s._run_id END" : `s.${Column.quote(name)}`
  )
  const inserted = yield* inserting(
    database,
    stage,
    database.run(
      `INSERT INTO ${history} (${columnList(stage)}, valid_from, valid_to, is_current)
        SELECT ${values.join(", ")}, CASE WHEN n.is_reread THEN n.since ELSE ${moment} END, n.until, n.until IS NULL
        FROM ${staged(stage.table.name)} AS s JOIN ${news(stage)} AS n ON s.rowid = n.new`
    )
  )
  const written = inserted - reread
  const settled = { written, superseded, unchanged: stage.rows - superseded - written }
  if (removed === "keep") return settled
  yield* database.run(
    `INSERT INTO ${retained(stage)} (${keyOf(stage)}) SELECT ${keyOf(stage)} FROM ${staged(stage.table.name)}`
  )
  if (removed === "close") {
    const closing = database.run(
      `UPDATE ${history} AS t SET valid_to = ${moment}, is_current = false WHERE ${inForce(moment)}${ofPipeline(pipeline)}
        AND NOT EXISTS (SELECT 1 FROM ${retained(stage)} AS s WHERE ${sameValues(stage.table.key, "t", stage.table.key, "s")})`
    )
    yield* database.withRaisedMemoryLimit(closing)
  }
  return settled
})

/** Refuses a key of which several versions are in force: one of them changed, and the other is not it. */
const refuseAmbiguous = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, moment: string) {
  const { table, target } = stage
  const changed = `SELECT DISTINCT new FROM ${news(stage)} WHERE old IS NOT NULL`
  const several = yield* database.values(
    `SELECT 1 FROM ${staged(table.name)} AS s JOIN ${target} AS t ON ${sameValues(table.key, "s", table.key, "t")}
      WHERE s.rowid IN (${changed}) AND ${inForce(moment)} GROUP BY s.rowid HAVING count(*) > 1 LIMIT 1`
  )
  if (several.length > 0) return yield* failure(StoredTable.narrowKey(table))()
})

/** Undoes a run in the history: removes its versions, and opens the versions that it closed. */
export const removeVersions = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  { at, pipeline }: Visit
) {
  const { key } = stage.table
  yield* database.run(findLater(stage, timestamp(at)))
  yield* database.run(
    `UPDATE ${stage.target} SET valid_to = NULL, is_current = true WHERE valid_to = ${timestamp(at)}${ofPipeline(pipeline)}`
  )
  yield* database.run(
    `UPDATE ${stage.target} AS t SET valid_to = l.next, is_current = false FROM ${later(stage)} AS l
      WHERE is_current AND valid_from < l.next AND ${sameValues(key, "t", key, "l")}`
  )
})

/** When the next version of each key begins, for keys of which a later run has already written a version. */
const findLater = (stage: Stage, moment: string): string =>
  `CREATE OR REPLACE TEMP TABLE ${later(stage)} AS SELECT ${keyOf(stage)}, min(valid_from) AS next
    FROM ${stage.target} WHERE valid_from > ${moment} GROUP BY ${keyOf(stage)}`

/**
 * The staged rows that are new, changed or read by another version, with the version that each closes or replaces, and the
 * end of its validity.
 */
const findNews = (stage: Stage, moment: string): string => {
  const { key } = stage.table
  const { lacking } = stage.prepared
  const on = key.map((_, at) => `s.k${at} = t.k${at}`).join(" AND ")
  const next = key.map((column, at) => `s.k${at} = l.${Column.quote(column)}`).join(" AND ")
  const keys = key.map((column, at) => `${Column.quote(column)} AS k${at}`).join(", ")
  const print = fingerprint(stage)
  const reread = rereadOf(stage.table, stage.prepared.written, stage.fingerprint ?? [])
  const versioned = reread === undefined ? "" : `, ${reread.version} AS version, ${reread.rest} AS rest`
  const run = reread !== undefined && hasRunId(stage) ? "_run_id" : "NULL::VARCHAR"
  const isRead =
    reread === undefined ? "false" : `coalesce(t.old IS NOT NULL AND t.is_whole_in_reading AND ${isReread}, false)`
  return `CREATE OR REPLACE TEMP TABLE ${news(stage)} AS
    SELECT s.new, t.old, coalesce(t.valid_from = ${moment}, false) AS is_same_moment,
      CASE WHEN t.old IS NULL THEN l.next ELSE t.valid_to END AS until,
      ${isRead} AS is_reread, t.valid_from AS since, t.run
    FROM (SELECT rowid AS new, ${keys}, ${print} AS print${versioned} FROM ${staged(stage.table.name)}) AS s
    LEFT JOIN (SELECT rowid AS old, ${keys}, ${print} AS print, ${StoredTable.areNull(lacking)} AS is_whole, valid_from, valid_to,
        ${run} AS run${versioned}${reread === undefined ? "" : `, ${StoredTable.areNullInReading(stage.table, lacking)} AS is_whole_in_reading`}
      FROM ${stage.target} WHERE ${inForce(moment)}) AS t ON ${on}
    LEFT JOIN ${later(stage)} AS l ON ${next}
    WHERE t.old IS NULL OR t.print <> s.print OR NOT t.is_whole OR ${isRead}`
}

const fingerprint = ({ fingerprint = [], prepared }: Stage): string =>
  hashOf(prepared.written.filter(({ name }) => Column.named(fingerprint.map(toNamed), name) !== undefined))

const toNamed = (name: string) => ({ name })

const inForce = (moment: string): string => `valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment})`
const ofPipeline = (pipeline: string | undefined): string =>
  pipeline === undefined ? "" : ` AND ${Sink.pipelineColumn.name} = ${Database.literal(pipeline)}`
const timestamp = (micros: bigint): string => `make_timestamp(${micros}::BIGINT)`
const keyOf = ({ table }: Sink.TablePlan): string => table.key.map(Column.quote).join(", ")
const news = (stage: Stage): string => scratch(stage, "news")
const later = (stage: Stage): string => scratch(stage, "later")
