/** How the intervals of a backfill are reported: one line each, for people, and one object each, for programs. */
import type * as Backfill from "#engine/Backfill"
import * as Interval from "#engine/Interval"
import { printableLine, textTable } from "#see/printable"
import { count, iso, seconds, when } from "#see/summary"

export const endedLine = ({ durationMillis, interval, message, rows, runId, status }: Backfill.Ended): string => {
  const told = Object.entries(rows).filter(([, n]) => n > 0)
  const loaded = told.length === 0 ? "no rows" : told.map(([table, n]) => `${table} ${count(n)}`).join(", ")
  const facts =
    status === "failed" ? (message ?? "") : `${loaded} in ${seconds(durationMillis)}${message ? `: ${message}` : ""}`
  const run = runId === undefined ? "" : ` (run ${runId})`
  return `  ${Interval.shown(interval)}  ${(status === "done" ? status : status.toUpperCase()).padEnd(6)}  ${printableLine(facts)}${run}\n`
}

export const endedAsJson = ({ durationMillis, interval, message, rows, runId, status }: Backfill.Ended) => ({
  interval: bounds(interval),
  status,
  run_id: runId ?? null,
  rows,
  duration_ms: durationMillis,
  ...(message === undefined ? {} : { message })
})

export const listing = (states: ReadonlyArray<Backfill.State>): string =>
  textTable([
    ["INTERVAL", "STATE", "RUN", "LOADED", "ROWS", "MESSAGE"],
    ...states.map(({ interval, loaded, message, runId, status }) => [
      Interval.shown(interval),
      status,
      runId ?? "",
      loaded === undefined ? "" : when(loaded.committedAt),
      loaded === undefined ? "" : count(Object.values(loaded.rows).reduce((sum, rows) => sum + rows, 0)),
      (message ?? "").replace(/\s+/g, " ")
    ])
  ])

export const stateAsJson = ({ interval, loaded, message, runId, status }: Backfill.State) => ({
  interval: bounds(interval),
  state: status,
  run_id: runId ?? null,
  committed_at: loaded === undefined ? null : iso(loaded.committedAt),
  rows: loaded?.rows ?? null,
  ...(message === undefined ? {} : { message })
})

/** How all of it ended. */
export const totalOf = (pipeline: string, ended: ReadonlyArray<Backfill.Ended>, before: number) => {
  const of = (status: Backfill.Ended["status"]) => ended.filter((end) => end.status === status).length
  const counts = {
    pipeline,
    done: of("done"),
    done_before: before,
    failed: of("failed"),
    behind: of("behind"),
    held: of("held")
  }
  const rest = (["failed", "behind", "held"] as const).flatMap((status) =>
    counts[status] === 0 ? [] : [`${count(counts[status])} ${status}`]
  )
  const line = [
    `${pipeline}: ${count(counts.done)} ${counts.done === 1 ? "interval" : "intervals"} done`,
    `${count(before)} were done before`,
    ...rest
  ].join(", ")
  return { counts, line }
}

const bounds = (interval: Interval.Interval) => {
  const { end, start } = Interval.variables(interval)
  return { start, end }
}
