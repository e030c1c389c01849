/**
 * The events of a run that is over.
 *
 * A run is compared with the previous run that was made, whenever that was. The first run has nothing to compare with,
 * so it neither recovers nor changes anything.
 */
import type { Event } from "../pipeline/Notify.ts"
import type { Outcome } from "./Runner.ts"
import type * as ScheduleStore from "./ScheduleStore.ts"

export const eventsOf = (
  state: ScheduleStore.State,
  outcome: Outcome,
  before: Pick<ScheduleStore.Run, "state" | "rows"> | undefined
): ReadonlyArray<Event> => {
  if (state === "held") return ["held"]
  if (state !== "done") return ["failed"]
  const recovered = before !== undefined && before.state !== "done"
  return [...(recovered ? ["recovered" as const] : []), ...(isChanged(outcome, before) ? ["changed" as const] : [])]
}

/** What is counted counts; else a table that has more or fewer rows than the run before gave it. */
const isChanged = (
  { changed, rows }: Outcome,
  before: Pick<ScheduleStore.Run, "state" | "rows"> | undefined
): boolean => {
  if (changed !== null) return changed > 0
  if (before === undefined || before.state !== "done") return false
  return [...new Set([...Object.keys(rows), ...Object.keys(before.rows)])].some(
    (table) => (rows[table] ?? 0) !== (before.rows[table] ?? 0)
  )
}
