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
import * as Check from "../Check.ts"
import * as Column from "../Column.ts"
import * as CommitEvery from "../CommitEvery.ts"
import type * as Journal from "../Journal.ts"
import { fractionOf } from "../KeySchemas.ts"
import * as OutputTables from "../OutputTables.ts"
import * as LastRun from "../output/LastRun.ts"
import { refuseForeign } from "../ownership.ts"
import type * as Pipeline from "../Pipeline.ts"
import { PlanError } from "../planOf.ts"
import type * as Sink from "../Sink.ts"
import type * as SourceElement from "../SourceElement.ts"
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
  const opened = yield* open(of, pipelineJournal, journal, options)
  const { layout, reading, sessions } = opened
  if (sessions.open().length === 0) return yield* AttemptOutcome.nothingLeft(of, journal, sessions)
  const readAll = yield* read(opened)
  yield* opened.tell("checking")
  const judged = yield* judge(opened, readAll)
  if (judged.checks.some(({ passed }) => !passed) && options.holds) return yield* hold(opened, judged)
  yield* RowProcessor.load(reading, opened.tell("loading"))
  // What the sinks take of staged rows is known only now.
  const refused = layout.stage === undefined ? undefined : EmptyRun.rejectedBySinks(takenOf(opened))
  if (refused !== undefined && options.holds) {
    return yield* hold(opened, { ...judged, checks: [...judged.checks, refused] })
  }
  return yield* commit(opened, readAll, { ...judged, empty: judged.empty ?? refused })
})

/** An attempt whose sinks are open. */
interface Opened<R> {
  /** The pipeline as the user gave it, and with the names of the tables beside its own. */
  readonly of: Pipeline.Pipeline<R>
  readonly pipeline: Pipeline.Pipeline<R>
  readonly pipelineJournal: Journal.Journal
  readonly journal: Journal.RunJournal
  readonly options: Options
  readonly last: LastRun.LastRun | undefined
  readonly layout: OutputTables.OutputTables
  readonly sessions: SinkSessions.SinkSessions
  readonly reading: RowProcessor.RowProcessor
  /** Says in which phase the run is. */
  readonly tell: (phase: Progress["phase"]) => Effect.Effect<void>
}

const open = Effect.fnUntraced(function* <R>(
  of: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  journal: Journal.RunJournal,
  options: Options
) {
  const pipeline = yield* withSideNames(of)
  const { run_id: runId, started_at: startedAt } = journal.state
  const last = yield* LastRun.read(pipeline, { runId, before: options.mode === "journal" })
  const isStaged = options.mode === "staged"
  const fault = pipeline.commitEvery && CommitEvery.faultOf({ ...pipeline, tables: pipeline.source.tables })
  if (fault !== undefined) return yield* new PlanError({ message: fault.message })
  const folders = { folder: journal.folder, pipelineFolder: pipelineJournal.folder }
  const layout = yield* OutputTables.layOut(pipeline, { ...folders, reopen: isStaged })
  yield* refuseForeign(pipeline, layout)
  const sessions = yield* SinkSessions.open(pipeline, layout, journal.state, options)
  const reading = RowProcessor.create(pipeline, layout, sessions, { runId, isStaged })
  for (const element of [...healedBy(sessions), ...noticesOf(sessions)]) reading.remarks.take(element)
  const tell = (phase: Progress["phase"]) =>
    Effect.suspend(() =>
      options.watch({ runId, phase, startedAt, rows: { ...reading.rows }, facts: reading.remarks.facts })
    )
  const opened: Opened<R> = {
    of,
    pipeline,
    pipelineJournal,
    journal,
    options,
    last,
    layout,
    sessions,
    reading,
    tell
  }
  return opened
})

const noticesOf = (sessions: SinkSessions.SinkSessions): ReadonlyArray<SourceElement.Warning> =>
  sessions
    .open()
    .flatMap(({ name, writer: { notices = [] } }) =>
      notices.map((notice) => ({ _tag: "Warning", message: `sink ${name}: ${notice}`, about: [] }) as const)
    )

/** What was damaged in destinations and is as it was: a warning, and a count that their records of the run have. */
const healedBy = (
  sessions: SinkSessions.SinkSessions
): ReadonlyArray<SourceElement.Warning | SourceElement.Progress> => {
  const each = sessions.open().map(({ name, writer: { healed = [] } }) => ({ name, healed }))
  const all = each.reduce((sum, { healed }) => sum + healed.length, 0)
  if (all === 0) return []
  const inWords = each.flatMap(({ healed, name }) => {
    const more = healed.length > mostHealed ? ` and ${healed.length - mostHealed} more` : ""
    return healed.length === 0 ? [] : [`sink ${name} wrote again ${healed.slice(0, mostHealed).join(", ")}${more}`]
  })
  const message = `${inWords.join("; ")}: gone or damaged when the run began`
  return [
    { _tag: "Warning", message, about: [] },
    { _tag: "Progress", facts: { healed_files: all } }
  ]
}

const mostHealed = 3

interface ReadAll {
  /** The last checkpoint. */
  readonly checkpoint: unknown
  readonly parts: PartCommits.PartCommits
  /** Whether the source read only what is new since its last checkpoint. */
  readonly isContinued: boolean
}

/** Reads all answers, and commits parts where they are due. */
const read = Effect.fnUntraced(function* <R>(opened: Opened<R>) {
  const { journal, last, layout, of, options, pipeline, pipelineJournal, reading, sessions, tell } = opened
  const { run_id: runId } = journal.state
  const odd = options.mode === "live" ? yield* oddities(pipeline, pipelineJournal, runId, last?.runId) : []
  for (const message of odd) reading.remarks.take({ _tag: "Warning", message, about: [] })
  yield* tell("opening")
  const start = yield* RecordedResponses.start(pipeline, journal, sessions, options)
  const before = Revalidation.lastRun(of, layout, sessions, runId, options)
  const known = before === undefined ? undefined : yield* pipelineJournal.known(before, Revalidation.printOf(of))
  const unchanged = Revalidation.mayRevalidate(of, layout) ? { known } : undefined
  const isLive = options.mode === "live" && !options.again
  const parts = yield* PartCommits.begin({ pipeline, layout, journal, sessions, reading, start, isLive })
  let answers = 0
  yield* Stream.runForEach(
    RecordedResponses.all(pipeline, journal, start, options, unchanged),
    Effect.fnUntraced(function* (answer) {
      sessions.begin(++answers)
      yield* RowProcessor.take(reading, answer)
      yield* tell("reading")
      if (yield* parts.commitIfDue(answers)) yield* tell("reading")
    })
  )
  // Rows that were held until everything was read are in no destination yet.
  sessions.begin(Number.POSITIVE_INFINITY)
  const checkpoint = yield* RowProcessor.end(reading)
  const status = journal.state.status === "reading" ? { status: "read" as const } : {}
  yield* journal.save({ checkpoint: { state: checkpoint }, facts: reading.remarks.facts, ...status })
  // After a checkpoint, a source reads only what is new, unless it counts all of its rows in each run.
  const isContinued =
    pipeline.source.incremental && Option.isSome(start) && !Accounting.countsRows(reading.remarks.facts)
  const all: ReadAll = { checkpoint, parts, isContinued }
  return all
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

/** What is known of the rows before they are committed. */
interface Judged {
  /** The sinks that the attempt is for. */
  readonly served: ReadonlyArray<string>
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  readonly wholeness: Wholeness.Wholeness | undefined
  /** That a run is empty, or that its rows were rejected, which holds it. */
  readonly empty: Sink.CheckRecord | undefined
  readonly accounting: Option.Option<Accounting.Accounting>
  /** The counts of the source, and what was missing. */
  readonly facts: Readonly<Record<string, number>>
}

/** Takes the steps, runs the checks, and judges whether the run is whole. */
const judge = Effect.fnUntraced(function* <R>(opened: Opened<R>, { isContinued }: ReadAll) {
  const { journal, last, layout, pipeline, reading, sessions } = opened
  const { counts, reasons, remarks, rows } = reading
  const { causes, facts, unread } = remarks
  const tried = yield* RowProcessor.check(reading, {
    lastRows: last?.rows,
    failed: facts["failed"] ?? 0,
    revalidated: counts.revalidated,
    now: Column.timestampFromMillis(journal.state.started_at)
  })
  const { checks } = pipeline
  const isKeyless = sessions.open().some((session) => session.isReplacedWhole)
  const table = layout.main.name
  const wholeness = Wholeness.judge({ facts, counts, causes, unread, last, checks, table, isKeyless })
  const empty = EmptyRun.judge({ ...takenOf(opened), counts, facts, rows, reasons, last, isContinued })
  const judged: Judged = {
    served: [...sessions.have, ...sessions.open().map(({ name }) => name)],
    checks: [
      ...tried,
      ...(wholeness?.check === undefined ? [] : [wholeness.check]),
      ...requiredChecks(checks, facts, table),
      ...(empty ? [empty] : [])
    ],
    wholeness,
    empty,
    accounting: yield* accountOf(opened),
    facts: AttemptOutcome.factsOf(pipeline, facts, counts, wholeness)
  }
  return judged
})

/** Whether enough of the required values were found. */
const requiredChecks = (
  checks: ReadonlyArray<Check.Check>,
  { filled, missing = 0 }: Readonly<Record<string, number>>,
  table: string
): ReadonlyArray<Sink.CheckRecord> =>
  checks.flatMap(({ required }) => {
    if (required === undefined) return []
    const all = (filled ?? 0) + missing
    const share = all === 0 ? 1 : (filled ?? 0) / all
    const found =
      filled === undefined
        ? "the source does not say which values it must find"
        : `${filled.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} required values were found (${Math.floor(share * 1000) / 10}%)`
    const passed = filled !== undefined && share >= fractionOf(required)
    return [{ check: Check.inWords({ required }), table, passed, found }]
  })

const takenOf = <R>({ layout, pipeline, sessions }: Opened<R>) => ({
  checks: pipeline.checks,
  table: layout.main.name,
  rejects: layout.rejects.name,
  sessions: sessions.open()
})

const droppedBy = ({ counts, passed }: RowProcessor.RowProcessor): number => counts.seen + counts.gone - passed

const accountOf = <R>({ reading, sessions }: Opened<R>) =>
  Accounting.account(reading.remarks.facts, reading.counts, {
    dropped: droppedBy(reading),
    isHistory: sessions.open().some((session) => session.isHistory)
  })

/** Ends an attempt whose checks do not pass, without a commit. */
const hold = Effect.fnUntraced(function* <R>(opened: Opened<R>, judged: Judged) {
  const { journal, layout, reading, sessions } = opened
  const wrong = judged.checks.filter(({ passed }) => !passed)
  const message = wrong.map(({ check, found, table }) => `${table}: ${check}: ${found}`).join("; ")
  const ended_at = yield* Clock.currentTimeMillis
  // Without a stage, the sinks already have the rows, though readers do not see them.
  const rows = layout.stage === undefined ? AttemptOutcome.handedOf(reading, sessions) : { ...reading.rows }
  yield* journal.save({ status: "held", facts: judged.facts, rows, message, ended_at })
  const { failures } = sessions
  return AttemptOutcome.of("held", reading, judged, { rows, commitResults: {}, rejected: {}, failures })
})

/** Commits each sink, and ends the attempt. */
const commit = Effect.fn("Attempt.commit")(function* <R>(
  opened: Opened<R>,
  { checkpoint, isContinued, parts }: ReadAll,
  judged: Judged
) {
  const { journal, options, reading, sessions, tell } = opened
  const { counts } = reading
  yield* tell("committing")
  const committed = yield* committedAt(journal.state)
  const facts = { ...judged.facts, ...EmptyRun.factsOf(judged.empty, counts, reading.reasons) }
  const isComplete = isCompleteRun(reading, judged) && !isContinued
  const commitResults: Record<string, Sink.CommitResult> = {}
  const miscounts: Array<string> = [...parts.miscounts]
  const profiles = RowProcessor.profiles(reading)
  const isPast = options.mode !== "live" || options.again
  const once = journal.state.once === undefined ? {} : { once: journal.state.once }
  yield* sessions.commit(
    (session) => {
      const record = { counts, facts, dropped: droppedBy(reading), committedAt: committed }
      return {
        checkpoint: SinkSessions.checkpointFor(
          session.writer,
          { runId: journal.state.run_id, state: checkpoint },
          isPast
        ),
        run: { ...runRecord(journal.state, session, record), ...once },
        checks: judged.checks,
        profiles,
        // Rows without a key cannot be retained, so the table is replaced as a whole.
        complete: (isComplete && !session.isBlind) || session.isReplacedWhole
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
  if (!options.again) yield* keep(opened, status, facts)
  if (miscounts.length > 0) return yield* new Accounting.CountError({ message: miscounts.join("; ") })
  yield* tell("done")
  const rejected = Object.fromEntries(
    sessions.open().flatMap((session) => (session.rejected === 0 ? [] : [[session.name, session.rejected]]))
  )
  const rows = AttemptOutcome.handedOf(reading, sessions)
  const counted = { ...judged, accounting: yield* accountOf(opened) }
  return AttemptOutcome.of(status, reading, counted, { rows, commitResults, rejected, failures: sessions.failures })
})

/** Whether the run has read all that there is, so that stored rows that it lacks are gone. */
const isCompleteRun = (reading: RowProcessor.RowProcessor, { empty, wholeness }: Judged): boolean =>
  (reading.remarks.facts["left"] ?? 0) === 0 &&
  !RowProcessor.isBlind(reading) &&
  wholeness?.isPartial !== true &&
  wholeness?.isLacking !== true &&
  empty === undefined

/** Keeps in the journal how the run ended, and what the next run needs to know of it. */
const keep = Effect.fnUntraced(function* <R>(
  { journal, layout, of, reading, sessions }: Opened<R>,
  status: "done" | "behind",
  facts: Readonly<Record<string, number>>
) {
  if (layout.stage !== undefined) yield* layout.stage.saveFingerprints
  // A rejected row is in no destination. So the next run reads everything again, because the row may fit then.
  const isWhole = RowProcessor.rejected(reading) === 0 && sessions.open().every(({ rejected }) => rejected === 0)
  if (status === "done" && isWhole) yield* journal.keepKnown(Revalidation.printOf(of))
  yield* journal.save({
    status,
    facts,
    rows: AttemptOutcome.handedOf(reading, sessions),
    message: AttemptOutcome.messageOf(sessions),
    ended_at: yield* Clock.currentTimeMillis
  })
})
