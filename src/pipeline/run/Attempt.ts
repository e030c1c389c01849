/**
 * One attempt at one run: open, read, take the steps, check, load, commit.
 *
 * The way of an answer (`RecordedResponses`): journal -> parsed -> rows that fit -> stage, if there are steps or checks
 * -> each sink's own stage -> one commit per sink.
 *
 * The law: nothing is visible before the commit; an attempt that fails, is interrupted or killed leaves every
 * destination as it was, and the next attempt continues after the last answer of the journal.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Column from "../Column.ts"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import * as LastRun from "./LastRun.ts"
import * as OutputTables from "./OutputTables.ts"
import { refuseForeign } from "./ownership.ts"
import * as RecordedResponses from "./RecordedResponses.ts"
import * as RowProcessor from "./RowProcessor.ts"
import * as SinkSessions from "./SinkSessions.ts"
import * as Wholeness from "./Wholeness.ts"
import { withSideNames } from "./withSideNames.ts"

export interface Options extends RecordedResponses.Options {
  /** Whether checks that do not pass hold the commit. */
  readonly holds: boolean
  /** Whether sinks that have this run already write it again. */
  readonly again: boolean
  /** Sinks that are left out, and why: they miss a run before this one. */
  readonly without: Readonly<Record<string, Sink.SinkError>>
  readonly watch: (progress: Progress) => Effect.Effect<void>
}

/** How the next attempt of a pipeline is made, where nothing else is said. */
export const optionsOf = (of: {
  readonly fullRefresh?: boolean
  readonly watch?: (progress: Progress) => Effect.Effect<void>
}): Options => ({
  mode: "live",
  holds: true,
  again: false,
  fullRefresh: of.fullRefresh ?? false,
  without: {},
  except: [],
  watch: of.watch ?? (() => Effect.void)
})

export interface Progress {
  readonly runId: string
  readonly phase: "opening" | "reading" | "checking" | "loading" | "committing" | "done"
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Rows so far, by table, in the order of the tables. */
  readonly rows: Readonly<Record<string, number>>
  /** What the source counted last. */
  readonly facts: Readonly<Record<string, number>>
}

/** What came of an attempt that did not fail. */
export interface Outcome {
  readonly status: "done" | "behind" | "held"
  /** The sinks that it was for. */
  readonly served: ReadonlyArray<string>
  readonly rows: Readonly<Record<string, number>>
  readonly facts: Readonly<Record<string, number>>
  readonly rejects: number
  /** Rows that a destination did not take, by its sink, beside those. */
  readonly rejected: Readonly<Record<string, number>>
  readonly accounting: Option.Option<Accounting.Accounting>
  /** What is missing, where the source says how much there is. */
  readonly wholeness: Wholeness.Wholeness | undefined
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  readonly receipts: Readonly<Record<string, Sink.CommitResult>>
  /** The sinks that could not commit, and why; the next run catches them up. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
}

export const attempt = Effect.fn("Attempt.attempt")(function* <R>(
  of: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  options: Options
) {
  const pipeline = yield* withSideNames(of)
  const { run_id: runId, started_at: startedAt } = journal.state
  const last = yield* LastRun.read(pipeline, { runId, before: options.mode === "journal" })
  const at = { folder: journal.folder, home: home.folder, reopen: options.mode === "staged" }
  const layout = yield* OutputTables.make(pipeline, at)
  yield* refuseForeign(pipeline, layout)
  const sessions = yield* SinkSessions.open(pipeline, layout, journal.state, options)
  if (sessions.open().length === 0) return yield* nothingLeft(journal, sessions)

  const reading = RowProcessor.make(pipeline, layout, sessions, { runId, isStaged: options.mode === "staged" })
  const tell = (phase: Progress["phase"]) =>
    Effect.suspend(() => options.watch({ runId, phase, startedAt, rows: { ...reading.rows }, facts: reading.facts }))
  yield* tell("opening")

  const start = yield* RecordedResponses.start(pipeline, journal, sessions, options)
  yield* Stream.runForEach(RecordedResponses.all(pipeline, journal, start, options), (answer) =>
    Effect.andThen(reading.take(answer), tell("reading"))
  )
  const served = [...sessions.have, ...sessions.open().map(({ name }) => name)]
  const checkpoint = yield* reading.end
  const { counts, facts } = reading
  const isFirst = journal.state.status === "reading"
  yield* journal.save({ checkpoint: { state: checkpoint }, facts, ...(isFirst ? { status: "read" as const } : {}) })

  yield* tell("checking")
  const tried = yield* reading.check({
    lastRows: last?.rows,
    failed: facts["failed"] ?? 0,
    now: Column.timestampFromMillis(startedAt)
  })
  const { checks: asked } = pipeline
  const isHistory = sessions.open().some((session) => session.isHistory)
  const isKeyless = sessions.open().some((session) => session.isReplacedWhole)
  const table = layout.main.name
  const wholeness = Wholeness.judge({ facts, counts, causes: reading.causes, last, checks: asked, table, isKeyless })
  const checks = [...tried, ...(wholeness?.check === undefined ? [] : [wholeness.check])]
  const dropped = () => counts.seen + counts.gone - reading.passed()
  const account = () => Accounting.account(facts, counts, { dropped: dropped(), isHistory })
  const accounting = yield* account()
  const known = factsOf(pipeline, facts, counts, wholeness)
  const wrong = checks.filter(({ passed }) => !passed)
  if (wrong.length > 0 && options.holds) {
    const message = wrong.map(({ check, found, table }) => `${table}: ${check}: ${found}`).join("; ")
    const ended_at = yield* Clock.currentTimeMillis
    // Without a stage the rows are with the sinks already, though nobody sees them.
    const rows = layout.stage === undefined ? handedOf(reading, sessions) : { ...reading.rows }
    yield* journal.save({ status: "held", facts: known, rows, message, ended_at })
    const held = outcome("held", reading, {
      served,
      accounting,
      wholeness,
      checks,
      receipts: {},
      rejected: {},
      failures: sessions.failures
    })
    return { ...held, rows }
  }

  yield* reading.load(tell("loading"))
  yield* tell("committing")
  // Also where the clock went back meanwhile.
  const committedAt = Column.timestampFromMillis(Math.max(startedAt, yield* Clock.currentTimeMillis))
  const isUnsure = wholeness?.isPartial === true || wholeness?.isLacking === true
  const complete = (facts["left"] ?? 0) === 0 && !reading.isBlind() && !isUnsure
  const receipts: Record<string, Sink.CommitResult> = {}
  const miscounts: Array<string> = []
  yield* sessions.commit(
    (session) => {
      const { gone, loaded } = Accounting.loadedOf(counts, session.isHistory)
      return {
        checkpoint: SinkSessions.checkpointFor(
          session.writer,
          { runId, state: checkpoint },
          options.mode !== "live" || options.again
        ),
        run: {
          runId,
          pipeline: pipeline.name,
          startedAt: Column.timestampFromMillis(startedAt),
          committedAt,
          facts: {
            ...known,
            loaded: loaded - session.rejected,
            ...(gone === 0 ? {} : { gone }),
            rejected: counts.rejected + session.rejected,
            dropped: dropped()
          },
          rows: { ...session.rows },
          ...(journal.state.once === undefined ? {} : { once: journal.state.once })
        },
        checks,
        // What cannot be told apart cannot be kept either: it is replaced as a whole.
        complete: complete || session.isReplacedWhole
      }
    },
    (session, receipt) => {
      receipts[session.name] = receipt
      const wrong = Accounting.miscount(session.name, session.rows, receipt)
      if (wrong !== undefined) miscounts.push(wrong)
      return journal.save({ committed: [...new Set([...journal.state.committed, session.name])] })
    }
  )
  const [first] = Object.values(sessions.failures)
  if (first !== undefined && Object.keys(receipts).length + sessions.have.length === 0) return yield* first
  const status = first === undefined ? "done" : "behind"
  const rows = handedOf(reading, sessions)
  if (!options.again) {
    if (layout.stage !== undefined) yield* layout.stage.saveFingerprints
    yield* journal.save({
      status,
      facts: known,
      rows,
      message: saidOf(sessions),
      ended_at: yield* Clock.currentTimeMillis
    })
  }
  if (miscounts.length > 0) return yield* new Accounting.CountError({ message: miscounts.join("; ") })
  yield* tell("done")
  const rejected = Object.fromEntries(
    sessions.open().flatMap((session) => (session.rejected === 0 ? [] : [[session.name, session.rejected]]))
  )
  const { failures } = sessions
  const counted = { served, accounting: yield* account(), wholeness, checks, receipts, rejected, failures }
  return { ...outcome(status, reading, counted), rows }
})

/** What is known of a run beside its rows: what its source counted, and what was missing. */
const factsOf = <R>(
  pipeline: Pipeline.Pipeline<R>,
  facts: Readonly<Record<string, number>>,
  counts: Wholeness.Counts,
  wholeness: Wholeness.Wholeness | undefined
): Readonly<Record<string, number>> => ({
  ...facts,
  ...(facts["read"] === undefined && counts.failed > 0 ? { failed: (facts["failed"] ?? 0) + counts.failed } : {}),
  ...(wholeness === undefined
    ? {}
    : {
        options: LastRun.printOf(pipeline),
        // What somebody has let pass is what is expected from now on.
        expected: wholeness.isPartial && !wholeness.isLacking ? wholeness.expected : wholeness.present,
        ...(wholeness.isPartial || wholeness.isLacking ? { partial: 1, missing_rows: wholeness.missing } : {})
      })
})

/** Rows that went to the sinks: to the one that got most, as a history gets no row of what is gone. */
const handedOf = (
  { rows }: RowProcessor.RowProcessor,
  sessions: SinkSessions.SinkSessions
): Readonly<Record<string, number>> => {
  const open = sessions.open()
  if (open.length === 0) return { ...rows }
  return Object.fromEntries(
    Object.keys(rows).map((table) => [table, Math.max(...open.map((session) => session.rows[table] ?? 0))])
  )
}

/** An attempt before this one got as far as the last commit. */
const nothingLeft = Effect.fnUntraced(function* (
  journal: Journal.RunJournal,
  { failures, have }: SinkSessions.SinkSessions
) {
  const { facts, rows } = journal.state
  yield* journal.save({ status: "done", committed: have, ended_at: yield* Clock.currentTimeMillis, message: null })
  const accounting = Option.none<Accounting.Accounting>()
  const done: Outcome = {
    status: "done",
    served: have,
    rows,
    facts,
    rejects: 0,
    rejected: {},
    accounting,
    wholeness: undefined,
    checks: [],
    receipts: {},
    failures
  }
  return done
})

const outcome = (
  status: Outcome["status"],
  { facts, rejects, rows }: RowProcessor.RowProcessor,
  rest: Pick<Outcome, "served" | "accounting" | "wholeness" | "checks" | "receipts" | "rejected" | "failures">
): Outcome => ({ status, rows: { ...rows }, facts, rejects: rejects(), ...rest })

const saidOf = ({ failures }: SinkSessions.SinkSessions): string | null =>
  Object.entries(failures)
    .map(([name, { message }]) => `sink ${name}: ${message}`)
    .join("; ") || null
