/**
 * One attempt at one run: open, read, take the steps, check, load, commit.
 *
 * The path of an answer (`RecordedResponses`): journal -> decoded -> rows that fit -> stage, if there are steps or checks
 * -> each sink's own stage -> one commit per sink.
 *
 * Guarantee: nothing is visible before a commit. An attempt that fails, is interrupted or killed changes nothing after the
 * last commit of each destination, and the next attempt continues after the last answer of the journal.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { clockWarning } from "../beginRun.ts"
import * as Column from "../Column.ts"
import * as CommitEvery from "../CommitEvery.ts"
import type * as Journal from "../Journal.ts"
import * as OutputTables from "../OutputTables.ts"
import * as LastRun from "../output/LastRun.ts"
import { refuseForeign } from "../ownership.ts"
import type * as Pipeline from "../Pipeline.ts"
import { PlanError } from "../planOf.ts"
import type * as Sink from "../Sink.ts"
import * as Stage from "../Stage.ts"
import { withSideNames } from "../withSideNames.ts"
import * as Accounting from "./Accounting.ts"
import * as AttemptOutcome from "./AttemptOutcome.ts"
import * as EmptyRun from "./EmptyRun.ts"
import * as PartCommits from "./PartCommits.ts"
import * as RecordedResponses from "./RecordedResponses.ts"
import * as Revalidation from "./Revalidation.ts"
import * as RowProcessor from "./RowProcessor.ts"
import { committedAt, runRecord } from "./runRecord.ts"
import * as SinkSessions from "./SinkSessions.ts"
import * as Wholeness from "./Wholeness.ts"

export type { Outcome } from "./AttemptOutcome.ts"

export interface Options extends RecordedResponses.Options {
  /** Whether checks that do not pass hold the commit. */
  readonly holds: boolean
  /** Whether sinks that have this run already write it again. */
  readonly again: boolean
  /** Sinks that are left out because they failed to commit an earlier run, with their errors. */
  readonly without: Readonly<Record<string, Sink.SinkError>>
  readonly watch: (progress: Progress) => Effect.Effect<void>
}

/** The default options of an attempt. */
export const optionsOf = (options: {
  readonly fullRefresh?: boolean
  readonly watch?: (progress: Progress) => Effect.Effect<void>
}): Options => ({
  mode: "live",
  holds: true,
  again: false,
  fullRefresh: options.fullRefresh ?? false,
  without: {},
  except: [],
  watch: options.watch ?? (() => Effect.void)
})

/** The progress of a run. */
export interface Progress {
  /** The id of the run. */
  readonly runId: string
  /** What it does now. If the pipeline has steps or checks, rows are loaded after reading and checking. */
  readonly phase: "opening" | "reading" | "checking" | "loading" | "committing" | "done"
  /** When the run began: milliseconds since the epoch. */
  readonly startedAt: number
  /** Rows so far, by table, in the order of the tables. */
  readonly rows: Readonly<Record<string, number>>
  /** The last counts of the source. */
  readonly facts: Readonly<Record<string, number>>
}

/** Makes an attempt, and closes all that it opens. The stage is removed, unless a check holds the run. */
export const run = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  journal: Journal.RunJournal,
  options: Options
) {
  const outcome = yield* Effect.scoped(attempt(pipeline, pipelineJournal, journal, options))
  if (outcome.status !== "held") yield* (yield* Stage.Stages).remove(journal.folder)
  return outcome
})

const attempt = Effect.fn("Attempt.attempt")(function* <R>(
  of: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  journal: Journal.RunJournal,
  options: Options
) {
  const pipeline = yield* withSideNames(of)
  const { run_id: runId, started_at: startedAt } = journal.state
  const last = yield* LastRun.read(pipeline, { runId, before: options.mode === "journal" })
  const at = { folder: journal.folder, pipelineFolder: pipelineJournal.folder, reopen: options.mode === "staged" }
  const fault = pipeline.commitEvery && CommitEvery.faultOf({ ...pipeline, tables: pipeline.source.tables })
  if (fault !== undefined) return yield* new PlanError({ message: fault.message })
  const layout = yield* OutputTables.layOut(pipeline, at)
  yield* refuseForeign(pipeline, layout)
  const sessions = yield* SinkSessions.open(pipeline, layout, journal.state, options)
  if (sessions.open().length === 0) return yield* AttemptOutcome.nothingLeft(of, journal, sessions)

  const reading = RowProcessor.create(pipeline, layout, sessions, { runId, isStaged: options.mode === "staged" })
  const odd = options.mode === "live" ? yield* oddities(pipeline, pipelineJournal, runId, last?.runId) : []
  for (const message of odd) reading.remarks.take({ _tag: "Warning", message, about: [] })
  const tell = (phase: Progress["phase"]) =>
    Effect.suspend(() => options.watch({ runId, phase, startedAt, rows: { ...reading.rows }, facts: reading.facts }))
  yield* tell("opening")

  const start = yield* RecordedResponses.start(pipeline, journal, sessions, options)
  const print = Revalidation.printOf(of)
  const before = Revalidation.lastRun(of, layout, sessions, runId, options)
  const known = before === undefined ? undefined : yield* pipelineJournal.known(before, print)
  const unchanged = Revalidation.mayRevalidate(of, layout) ? { known } : undefined
  const isLive = options.mode === "live" && !options.again
  const parts = yield* PartCommits.begin({ pipeline, layout, journal, sessions, reading, start, isLive })
  let answers = 0
  yield* Stream.runForEach(
    RecordedResponses.all(pipeline, journal, start, options, unchanged),
    Effect.fnUntraced(function* (answer) {
      sessions.begin(++answers)
      yield* reading.take(answer)
      yield* tell("reading")
      if (yield* parts.taken(answers)) yield* tell("reading")
    })
  )
  // Rows that were held until everything was read are in no destination yet.
  sessions.begin(Number.POSITIVE_INFINITY)
  const served = [...sessions.have, ...sessions.open().map(({ name }) => name)]
  const checkpoint = yield* reading.end
  const { counts, facts } = reading
  const isFirst = journal.state.status === "reading"
  yield* journal.save({ checkpoint: { state: checkpoint }, facts, ...(isFirst ? { status: "read" as const } : {}) })

  yield* tell("checking")
  const tried = yield* reading.check({
    lastRows: last?.rows,
    failed: facts["failed"] ?? 0,
    revalidated: counts.revalidated ?? 0,
    now: Column.timestampFromMillis(startedAt)
  })
  const { checks: asked } = pipeline
  const isHistory = sessions.open().some((session) => session.isHistory)
  const isKeyless = sessions.open().some((session) => session.isReplacedWhole)
  const table = layout.main.name
  const { causes, unread } = reading.remarks
  const wholeness = Wholeness.judge({ facts, counts, causes, unread, last, checks: asked, table, isKeyless })
  // After a checkpoint, a source reads only what is new, unless it counts all of its rows in each run.
  const isContinued = pipeline.source.incremental && Option.isSome(start) && !Accounting.countsRows(facts)
  const taken = { checks: asked, table, rejects: layout.rejects.name, sessions: sessions.open() }
  const { reasons, rows: ofTables } = reading
  const empty = EmptyRun.judge({ ...taken, counts, facts, rows: ofTables, reasons, last, isContinued })
  const checks = [...tried, ...(wholeness?.check === undefined ? [] : [wholeness.check]), ...(empty ? [empty] : [])]
  const dropped = () => counts.seen + counts.gone - reading.passed()
  const account = () => Accounting.account(facts, counts, { dropped: dropped(), isHistory })
  const accounting = yield* account()
  const counted = AttemptOutcome.factsOf(pipeline, facts, counts, wholeness)
  const hold = Effect.fnUntraced(function* (checks: ReadonlyArray<Sink.CheckRecord>) {
    const wrong = checks.filter(({ passed }) => !passed)
    const message = wrong.map(({ check, found, table }) => `${table}: ${check}: ${found}`).join("; ")
    const ended_at = yield* Clock.currentTimeMillis
    // Without a stage, the sinks already have the rows, though readers do not see them.
    const rows = layout.stage === undefined ? AttemptOutcome.handedOf(reading, sessions) : { ...reading.rows }
    yield* journal.save({ status: "held", facts: counted, rows, message, ended_at })
    const held = AttemptOutcome.of("held", reading, {
      served,
      accounting,
      wholeness,
      checks,
      commitResults: {},
      rejected: {},
      failures: sessions.failures
    })
    return { ...held, rows }
  })
  if (checks.some(({ passed }) => !passed) && options.holds) return yield* hold(checks)

  yield* reading.load(tell("loading"))
  // What the sinks take of staged rows is known only now.
  const refused =
    layout.stage === undefined ? undefined : EmptyRun.rejectedBySinks({ ...taken, sessions: sessions.open() })
  if (refused !== undefined && options.holds) return yield* hold([...checks, refused])
  yield* tell("committing")
  const now = yield* committedAt(journal.state)
  const isUnsure = wholeness?.isPartial === true || wholeness?.isLacking === true || (empty ?? refused) !== undefined
  const allFacts = { ...counted, ...EmptyRun.factsOf(empty ?? refused, counts, reasons) }
  const complete = (facts["left"] ?? 0) === 0 && !reading.isBlind() && !isUnsure && !isContinued
  const commitResults: Record<string, Sink.CommitResult> = {}
  const miscounts: Array<string> = [...parts.miscounts]
  const profiles = reading.profiles()
  yield* sessions.commit(
    (session) => {
      const made = { counts, facts: allFacts, dropped: dropped(), committedAt: now }
      return {
        checkpoint: SinkSessions.checkpointFor(
          session.writer,
          { runId, state: checkpoint },
          options.mode !== "live" || options.again
        ),
        run: {
          ...runRecord(journal.state, session, made),
          ...(journal.state.once === undefined ? {} : { once: journal.state.once })
        },
        checks,
        profiles,
        // Rows without a key cannot be retained, so the table is replaced as a whole.
        complete: complete || session.isReplacedWhole
      }
    },
    (session, result, rows) => {
      commitResults[session.name] = parts.sum(session, result)
      const wrong = Accounting.miscount(session.name, rows, result)
      if (wrong !== undefined) miscounts.push(wrong)
      return journal.save({ committed: [...new Set([...journal.state.committed, session.name])] })
    }
  )
  const [first] = Object.values(sessions.failures)
  if (first !== undefined && Object.keys(commitResults).length + sessions.have.length === 0) return yield* first
  const status = first === undefined ? "done" : "behind"
  const rows = AttemptOutcome.handedOf(reading, sessions)
  if (!options.again) {
    if (layout.stage !== undefined) yield* layout.stage.saveFingerprints
    // A rejected row is in no destination. So the next run reads everything again, because the row may fit then.
    const isWhole = reading.rejects() === 0 && sessions.open().every(({ rejected }) => rejected === 0)
    if (status === "done" && isWhole) yield* journal.keepKnown(print)
    yield* journal.save({
      status,
      facts: allFacts,
      rows,
      message: AttemptOutcome.messageOf(sessions),
      ended_at: yield* Clock.currentTimeMillis
    })
  }
  if (miscounts.length > 0) return yield* new Accounting.CountError({ message: miscounts.join("; ") })
  yield* tell("done")
  const rejected = Object.fromEntries(
    sessions.open().flatMap((session) => (session.rejected === 0 ? [] : [[session.name, session.rejected]]))
  )
  const { failures } = sessions
  const ended = { served, accounting: yield* account(), wholeness, checks, commitResults, rejected, failures }
  return { ...AttemptOutcome.of(status, reading, ended), rows }
})

/** What is odd about the clock, or about what destinations have, before a run begins. */
const oddities = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  runId: string,
  last: string | undefined
) {
  const clock = clockWarning(runId, last, yield* Clock.currentTimeMillis)
  return [...(clock === undefined ? [] : [clock]), ...(yield* LastRun.goneFrom(pipeline, yield* pipelineJournal.runs))]
})
