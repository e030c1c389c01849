/**
 * Which run a report is about, and which runs it is compared with.
 *
 * A good run has committed as a whole and read its source. Those before the run of the report count, in the order of their
 * beginnings; a run that came later says nothing about it.
 */
import * as Effect from "effect/Effect"
import { wrong } from "../CliFailure.ts"
import { type PastRun, statusOf } from "../pastRuns.ts"
import { iso } from "../summary.ts"
import type { HistoryPoint, Ledger, LedgerPart, Run, Whole } from "./ReportModel.ts"

/** How many good runs figures are compared with, and how many the charts over time have. */
const mostCompared = 10
const mostShown = 60

/** The run that a person means: `latest`, `previous`, a run id or its first characters. `runs`: the oldest first. */
export const namedRun = Effect.fnUntraced(function* (name: string, runs: ReadonlyArray<PastRun>, pipeline: string) {
  const last = runs.at(-1)
  if (last === undefined) return yield* wrong(`${pipeline} has no run yet: run it first, with millrace run`)
  if (name === "latest") return last
  if (name === "previous") {
    return runs.at(-2) ?? (yield* wrong(`${pipeline} has only one run, ${last.runId}, so there is no earlier one`))
  }
  const found = runs.filter(({ runId }) => runId.startsWith(name))
  const [run] = found
  if (found.length > 1) return yield* wrong(`${found.length} runs begin with ${name}: give more characters of the id`)
  return run ?? (yield* wrong(`${pipeline} has no run ${name}: see millrace runs, or say latest or previous`))
})

/** The runs before it, and itself, that charts over time show; the oldest first. */
export const historyOf = (run: PastRun, runs: ReadonlyArray<PastRun>): ReadonlyArray<PastRun> =>
  [...runs.filter((one) => one.startedAt < run.startedAt && isRead(one) && one.sinks.length > 0), run].slice(-mostShown)

/** The good runs before it, the newest first. */
export const goodBefore = (run: PastRun, runs: ReadonlyArray<PastRun>): ReadonlyArray<PastRun> =>
  historyOf(run, runs)
    .slice(0, -1)
    .filter(({ status }) => status === "done" || status === "behind")
    .slice(-mostCompared)
    .toReversed()

/** A run that only loaded rejects again read nothing. */
export const isRead = ({ facts }: PastRun): boolean => facts["resolved"] === undefined

export const runOf = (run: PastRun): Run => ({
  run_id: run.runId,
  status: statusOf(run),
  started_at: iso(run.startedAt),
  ended_at: run.endedAt === undefined ? null : iso(run.endedAt),
  seconds: secondsOf(run),
  sinks: run.sinks,
  message: run.message ?? null,
  rows: run.rows,
  facts: run.facts
})

export const pointOf = (run: PastRun, main: string): HistoryPoint => {
  const seconds = secondsOf(run)
  const pages = run.facts["read"] ?? run.rows[main]
  const isCounted = run.facts["discovered"] !== undefined
  return {
    run_id: run.runId,
    status: statusOf(run),
    started_at: iso(run.startedAt),
    seconds,
    rows: run.rows,
    credits: run.facts["credits"] ?? null,
    pages_per_second:
      !isCounted || seconds === null || seconds === 0 || pages === undefined
        ? null
        : Number((pages / seconds).toPrecision(4)),
    latency_p50_ms: null,
    latency_p95_ms: null,
    wire_bytes: null,
    body_bytes: null,
    characters: null,
    bytes: null
  }
}

/** Where everything went, as the run was counted; undefined: the source does not say how much there is. */
export const ledgerOf = ({ facts }: PastRun): Ledger | undefined => {
  const { blocked = 0, discovered, dropped = 0, failed = 0, gone = 0, left = 0, read, rejected = 0 } = facts
  const { revalidated = 0, skipped = 0 } = facts
  if (discovered === undefined) return undefined
  const others = (read === undefined ? revalidated + rejected : 0) + gone + failed + blocked + left
  const parts: ReadonlyArray<readonly [LedgerPart, number]> = [
    read === undefined
      ? // It is not counted in a run that has not committed: what is in no other part.
        ["loaded", facts["loaded"] ?? discovered - others]
      : ["read", read],
    ...(read === undefined
      ? ([
          ["revalidated", revalidated],
          ["gone", gone],
          ["rejected", rejected]
        ] as const)
      : ([["gone", gone]] as const)),
    ["failed", failed - skipped],
    ["blocked", blocked],
    ["skipped", skipped],
    ["not reached", left]
  ]
  return {
    discovered,
    parts: parts.flatMap(([name, count]) => (count > 0 || name === "loaded" ? [{ name, count }] : [])),
    dropped
  }
}

/** As the run was judged at its commit; undefined: its source does not say how much there is. `before`: the good run before it. */
export const wholeOf = ({ facts }: PastRun, before: PastRun | undefined): Whole | undefined => {
  const { blocked = 0, discovered, failed = 0, gone = 0, loaded, missing_rows: missing = 0, rejected = 0 } = facts
  const { read, revalidated = 0, skipped = 0 } = facts
  const present =
    read === undefined ? (loaded === undefined ? undefined : loaded + gone + rejected + revalidated) : read + gone
  if (discovered === undefined || present === undefined) return undefined
  const newlyBlocked = before === undefined ? 0 : Math.max(0, blocked - (before.facts["blocked"] ?? 0))
  const notMet = Math.max(0, missing - Math.max(0, failed - skipped) - newlyBlocked)
  return { expected: present + missing, present, missing, not_met: notMet }
}

const secondsOf = ({ endedAt, startedAt }: PastRun): number | null =>
  endedAt === undefined ? null : Number(endedAt - startedAt) / 1e6
