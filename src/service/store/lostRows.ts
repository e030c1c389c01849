/**
 * What was lost of a damaged database costs the jobs that it was of: a running one fails, one that has ended gets a warning. All is
 * logged once.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteRepair from "#base/SqliteRepair"
import { JobStore } from "#web/JobStore"

export const loseRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  const lost = yield* SqliteRepair.untold
  const ids = lost.flatMap(({ cells }) => (typeof cells["job_id"] === "string" ? [cells["job_id"]] : []))
  for (const id of new Set(ids)) {
    const isEnded = yield* jobs.finish(id, { status: "failed", error: words }, "anybody")
    if (!isEnded) yield* jobs.warn(id, words)
  }
  for (const one of lost) yield* Effect.logWarning(`the database was damaged: ${SqliteRepair.inWords(one)}`)
  yield* sql.withTransaction(SqliteRepair.told(lost))
})

const words = "the database of the service was damaged, and something of this job is lost: start it again"
