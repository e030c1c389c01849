/**
 * What a person reads of a run that Ctrl-C or SIGTERM has stopped: what was committed, and what the next run does.
 */
import type * as Run from "../../pipeline/run/Run.ts"

/** `deed`: what was stopped. Of a replay the journal cannot tell what is committed, but each sink has all of it or nothing. */
export const stoppedLine = (
  pipeline: string,
  { committed, missing, runId, status }: Run.Stopped,
  deed: "run" | "commit" | "replay"
): string => {
  const said = (text: string) => `${pipeline}: ${text} (run ${runId})\n`
  if (deed === "replay") {
    return said("the replay was stopped; each sink has the whole run or nothing of it; replay the run again")
  }
  if (status === "stopped") {
    return said("stopped, its job is cancelled and nothing was committed; the next run starts from the beginning")
  }
  const has = committed.length === 0 ? "nothing was committed" : `${committed.join(" and ")} committed`
  if (missing.length === 0) return said(`stopped after the commit; every sink has the run`)
  const lacks = committed.length === 0 ? "" : `, ${missing.join(" and ")} did not`
  const next = status === "held" ? "the run is still held: commit or drop it" : "the next run loads it from the journal"
  return said(`stopped, ${has}${lacks}; ${next}`)
}

export const stoppedAsJson = (pipeline: string, { committed, missing, runId, status }: Run.Stopped): string =>
  `${JSON.stringify({ pipeline, run_id: runId, status, committed, missing })}\n`
