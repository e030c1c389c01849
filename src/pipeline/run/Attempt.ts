/**
 * One attempt at one run: open, read, take the steps, check, load, commit.
 *
 * The way of an answer (`Answers`): journal -> parsed -> rows that fit -> stage, where there are steps or checks -> each
 * sink's own stage -> one commit per sink. The laws: nothing is visible before the commit; an attempt that fails, is
 * interrupted or killed leaves every destination as it was, and the next goes on behind the last answer of the journal.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Column from "../Column.ts"
import type * as Journal from "../Journal.ts"
import * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import * as Answers from "./Answers.ts"
import * as Layout from "./Layout.ts"
import * as Outlets from "./Outlets.ts"
import * as Reading from "./Reading.ts"

export interface Options extends Answers.Options {
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
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  readonly receipts: Readonly<Record<string, Sink.Receipt>>
  /** The sinks that could not commit, and why; the next run catches them up. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
}

export const attempt = Effect.fn("Attempt.attempt")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  options: Options
) {
  const { run_id: runId, started_at: startedAt } = journal.state
  const lastRows = yield* lastGoodRows(pipeline, runId)
  const at = { folder: journal.folder, home: home.folder, reopen: options.mode === "staged" }
  const layout = yield* Layout.make(pipeline, at)
  const outlets = yield* Outlets.open(pipeline, layout, journal.state, options)
  if (outlets.open().length === 0) return yield* nothingLeft(journal, outlets)
  const isNew = options.mode === "live" && !options.again && journal.length === 0
  const outrun = isNew ? Outlets.outrun(outlets.open(), journal.state) : undefined
  if (outrun !== undefined) return yield* outrun

  const reading = Reading.make(pipeline, layout, outlets, { runId, isStaged: options.mode === "staged" })
  const tell = (phase: Progress["phase"]) =>
    Effect.suspend(() => options.watch({ runId, phase, startedAt, rows: { ...reading.rows }, facts: reading.facts }))
  yield* tell("opening")

  const start = yield* Answers.start(pipeline, journal, outlets, options)
  yield* Stream.runForEach(Answers.all(pipeline, journal, start, options), (answer) =>
    Effect.andThen(reading.take(answer), tell("reading"))
  )
  const served = [...outlets.have, ...outlets.open().map(({ name }) => name)]
  const checkpoint = yield* reading.end
  const { facts } = reading
  const isFirst = journal.state.status === "reading"
  yield* journal.save({ checkpoint: { state: checkpoint }, facts, ...(isFirst ? { status: "read" as const } : {}) })

  yield* tell("checking")
  const { checks, dropped } = yield* reading.check({
    lastRows,
    failed: facts["failed"] ?? 0,
    now: Column.timestampFromMillis(startedAt)
  })
  const accounting = yield* Accounting.account(facts, { ...reading.counts, dropped })
  const wrong = checks.filter(({ passed }) => !passed)
  if (wrong.length > 0 && options.holds) {
    const message = wrong.map(({ check, found, table }) => `${table}: ${check}: ${found}`).join("; ")
    yield* journal.save({ status: "held", rows: reading.rows, message, ended_at: yield* Clock.currentTimeMillis })
    return outcome("held", reading, {
      served,
      accounting,
      checks,
      receipts: {},
      rejected: {},
      failures: outlets.failures
    })
  }

  yield* reading.load(tell("loading"))
  yield* tell("committing")
  // Also where the clock went back meanwhile, or before.
  const committedAt = Column.timestampFromMillis(Math.max(startedAt, yield* Clock.currentTimeMillis))
  const receipts: Record<string, Sink.Receipt> = {}
  yield* outlets.commit(
    (outlet) => ({
      checkpoint: Outlets.checkpointFor(outlet.writer, { runId, state: checkpoint }),
      run: {
        runId,
        pipeline: pipeline.name,
        startedAt: Column.timestampFromMillis(startedAt),
        committedAt,
        facts: {
          ...facts,
          loaded: reading.counts.loaded - outlet.rejected,
          rejected: reading.counts.rejected + outlet.rejected,
          dropped
        },
        rows: { ...outlet.rows },
        ...(journal.state.once === undefined ? {} : { once: journal.state.once })
      },
      checks,
      complete: (facts["left"] ?? 0) === 0 && !reading.isBlind()
    }),
    (name, receipt) => {
      receipts[name] = receipt
      return journal.save({ committed: [...new Set([...journal.state.committed, name])] })
    }
  )
  const [first] = Object.values(outlets.failures)
  if (first !== undefined && Object.keys(receipts).length + outlets.have.length === 0) return yield* first
  const status = first === undefined ? "done" : "behind"
  if (!options.again) {
    if (layout.stage !== undefined) yield* layout.stage.saveFingerprints
    yield* journal.save({
      status,
      rows: reading.rows,
      message: saidOf(outlets),
      ended_at: yield* Clock.currentTimeMillis
    })
  }
  yield* tell("done")
  const rejected = Object.fromEntries(
    outlets.open().flatMap((outlet) => (outlet.rejected === 0 ? [] : [[outlet.name, outlet.rejected]]))
  )
  return outcome(status, reading, { served, accounting, checks, receipts, rejected, failures: outlets.failures })
})

/** An attempt before this one got as far as the last commit. */
const nothingLeft = Effect.fnUntraced(function* (journal: Journal.RunJournal, { failures, have }: Outlets.Outlets) {
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
    checks: [],
    receipts: {},
    failures
  }
  return done
})

const outcome = (
  status: Outcome["status"],
  { facts, rejects, rows }: Reading.Reading,
  rest: Pick<Outcome, "served" | "accounting" | "checks" | "receipts" | "rejected" | "failures">
): Outcome => ({ status, rows: { ...rows }, facts, rejects: rejects(), ...rest })

const saidOf = ({ failures }: Outlets.Outlets): string | null =>
  Object.entries(failures)
    .map(([name, { message }]) => `sink ${name}: ${message}`)
    .join("; ") || null

/** The rows of the last run that a destination has, where one can tell. */
const lastGoodRows = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, runId: string) {
  if (!pipeline.checks.some(({ rows }) => rows?.drop !== undefined)) return undefined
  for (const sink of Object.values(pipeline.sinks)) {
    const runs = yield* Effect.orElseSucceed(sink.runs(pipeline.directory), (): ReadonlyArray<Sink.RunRecord> => [])
    const last = runs.findLast((run) => run.pipeline === pipeline.name && run.runId !== runId)
    if (last === undefined) continue
    const { dropped = 0, loaded } = last.facts
    // A history does not get every row, and is as good a run: what came through the steps is what counts.
    return loaded === undefined ? last.rows : { ...last.rows, [Pipeline.named(pipeline)[0].name]: loaded - dropped }
  }
  return undefined
})
