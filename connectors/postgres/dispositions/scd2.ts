/**
 * scd2: closes and makes versions from the staged rows.
 *
 * If the fingerprint of a row differs from that of the version in force, the row becomes a new version and closes that one.
 * Two versions of one moment are of one run, so the later replaces the earlier.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import * as Sink from "#engine/Sink"
import { narrowKey } from "#engine/StoredTable"
import { failure, type ServerError } from "../failure.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { columnList, hasRunId, keep, keyColumns, retained, rowNumber, type Stage, scratch, staged } from "../stage.ts"
import { dropDuplicates } from "./dropDuplicates.ts"
import type { Settled } from "./merge.ts"
import { isReread, keyPairs, sameFingerprint, sameKey } from "./sameRow.ts"

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
  connection: Connection,
  stage: Stage,
  { at, pipeline, removed }: Visit
): Effect.fn.Return<Settled, ServerError | Sink.SinkError> {
  const history = stage.target
  const moment = timestamp(at)
  const superseded = yield* dropDuplicates(connection, stage)
  yield* findLater(connection, stage, moment)
  yield* keep(connection, news(stage), newsOf(stage, moment))
  yield* refuseAmbiguous(connection, stage, moment)
  yield* connection.run(
    `DELETE FROM ${history} AS t USING ${news(stage)} AS n WHERE t.ctid = n.old AND (n.is_same_moment OR n.is_reread)`
  )
  yield* connection.run(
    `UPDATE ${history} AS t SET valid_to = ${moment}, is_current = false FROM ${news(stage)} AS n
      WHERE t.ctid = n.old AND NOT n.is_same_moment AND NOT n.is_reread`
  )
  const [reread = 0] = yield* catalog.numbers(connection, `SELECT count(*) AS n FROM ${news(stage)} WHERE is_reread`)
  const values = stage.shape.columns.map(({ name }) =>
    name === "_run_id" && reread > 0 ? "CASE WHEN n.is_reread THEN n.run ELSE s._run_id END" : `s.${Column.quote(name)}`
  )
  const inserted = yield* connection.run(
    `INSERT INTO ${history} (${columnList(stage)}, valid_from, valid_to, is_current)
      SELECT ${values.join(", ")}, CASE WHEN n.is_reread THEN n.since ELSE ${moment} END, n.until, n.until IS NULL
      FROM ${staged(stage)} AS s JOIN ${news(stage)} AS n ON s.${rowNumber} = n.new`
  )
  const written = inserted - reread
  const settled = { written, superseded, unchanged: stage.written - superseded - written }
  if (removed === "keep") return settled
  yield* connection.run(`INSERT INTO ${retained(stage)} (${keyOf(stage)}) SELECT ${keyOf(stage)} FROM ${staged(stage)}`)
  if (removed === "close") {
    yield* connection.run(
      `UPDATE ${history} AS t SET valid_to = ${moment}, is_current = false WHERE ${inForce(moment)}${ofPipeline(pipeline)}
        AND NOT EXISTS (SELECT 1 FROM ${retained(stage)} AS s WHERE ${sameKey(keyPairs(stage), "t", "s")})`
    )
  }
  return settled
})

/** Refuses a key of which several versions are in force: one of them changed, and the other is not it. */
const refuseAmbiguous = Effect.fnUntraced(function* (connection: Connection, stage: Stage, moment: string) {
  const several = yield* connection.rows(
    `SELECT 1 AS one FROM ${staged(stage)} AS s JOIN ${stage.target} AS t ON ${sameKey(keyPairs(stage), "s", "t")}
      WHERE s.${rowNumber} IN (SELECT new FROM ${news(stage)} WHERE old IS NOT NULL) AND ${inForce(moment)}
      GROUP BY s.${rowNumber} HAVING count(*) > 1 LIMIT 1`
  )
  if (several.length > 0) return yield* failure(narrowKey(stage.table))()
})

/** Undoes a run in the history: removes its versions, and opens the versions that it closed. */
export const removeVersions = Effect.fnUntraced(function* (
  connection: Connection,
  stage: Stage,
  { at, pipeline }: Visit
) {
  yield* findLater(connection, stage, timestamp(at))
  yield* connection.run(
    `UPDATE ${stage.target} AS t SET valid_to = NULL, is_current = true WHERE valid_to = ${timestamp(at)}${ofPipeline(pipeline)}`
  )
  yield* connection.run(
    `UPDATE ${stage.target} AS t SET valid_to = l.next, is_current = false FROM ${later(stage)} AS l
      WHERE t.is_current AND t.valid_from < l.next AND ${sameKey(keyPairs(stage), "t", "l")}`
  )
})

/** When the next version of each key begins, for keys of which a later run has already written a version. */
const findLater = (connection: Connection, stage: Stage, moment: string) =>
  keep(
    connection,
    later(stage),
    `SELECT ${keyOf(stage)}, min(valid_from) AS next FROM ${stage.target}
      WHERE valid_from > ${moment} GROUP BY ${keyOf(stage)}`
  )

/**
 * The staged rows that are new, changed or read by another version, with the version that each closes or replaces, and the
 * end of its validity.
 */
const newsOf = (stage: Stage, moment: string): string => {
  const reread = isReread(stage, stage.fingerprint ?? [])
  const run = reread !== undefined && hasRunId(stage) ? "t._run_id" : "NULL::text"
  const isRead = reread === undefined ? "false" : `(t.ctid IS NOT NULL AND coalesce(${reread}, false))`
  const pairs = keyPairs(stage)
  return `SELECT s.${rowNumber} AS new, t.ctid AS old, coalesce(t.valid_from = ${moment}, false) AS is_same_moment,
      CASE WHEN t.ctid IS NULL THEN l.next ELSE t.valid_to END AS until,
      ${isRead} AS is_reread, t.valid_from AS since, ${run} AS run
    FROM ${staged(stage)} AS s
    LEFT JOIN ${stage.target} AS t ON ${sameKey(pairs, "s", "t")} AND ${inForce(moment)}
    LEFT JOIN ${later(stage)} AS l ON ${sameKey(pairs, "s", "l")}
    WHERE t.ctid IS NULL OR NOT ${sameFingerprint(stage)} OR ${isRead}`
}

const inForce = (moment: string): string =>
  `t.valid_from <= ${moment} AND (t.valid_to IS NULL OR t.valid_to > ${moment})`
const ofPipeline = (pipeline: string | undefined): string =>
  pipeline === undefined ? "" : ` AND t.${Sink.pipelineColumn.name} = ${Place.literal(pipeline)}`
const timestamp = (micros: bigint): string => `timestamptz ${Place.literal(Instant.textOf(micros))}`
const keyOf = (stage: Stage): string =>
  keyColumns(stage)
    .map(({ name }) => Column.quote(name))
    .join(", ")
const news = (stage: Stage): string => scratch(stage, "news")
const later = (stage: Stage): string => scratch(stage, "later")
