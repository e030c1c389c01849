/**
 * One run of a pipeline: open, read and write, commit.
 *
 * The way of a row: the source's stream -> the batch gets its run id -> every sink's stage -> one commit per sink with
 * the last checkpoint. The law: nothing is visible before the commit; a run that fails, is interrupted or killed leaves
 * every destination as it was; what the source discovered is accounted for, or the run fails before it commits.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import * as Column from "./Column.ts"
import * as Pipeline from "./Pipeline.ts"
import { runId } from "./runId.ts"
import type * as Sink from "./Sink.ts"
import { type Element, SourceError } from "./Source.ts"
import type * as Table from "./Table.ts"

export interface Options {
  /** Told after every batch and every piece of news; it must be quick. */
  readonly watch?: (progress: Progress) => Effect.Effect<void>
  /** Read from the beginning, whatever the destinations remember. */
  readonly fullRefresh?: boolean
}

export interface Progress {
  readonly runId: string
  readonly phase: "opening" | "reading" | "committing" | "done"
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Rows written so far, by table, in the order of the tables. */
  readonly rows: Readonly<Record<string, number>>
  /** What the source counted last. */
  readonly facts: Readonly<Record<string, number>>
}

export interface Report extends Progress {
  readonly pipeline: string
  readonly durationMillis: number
  readonly accounting: Option.Option<Accounting>
  readonly receipts: Readonly<Record<string, Sink.Receipt>>
}

/** Where everything that the source discovered went: discovered = loaded + failed + blocked + left. */
export interface Accounting {
  readonly discovered: number
  readonly loaded: number
  readonly failed: number
  readonly blocked: number
  /** Known and not taken, because a limit came first. */
  readonly left: number
}

/** A pipeline that cannot run as it is written. */
export class PlanError extends Schema.TaggedError<PlanError>()("PlanError", { message: Schema.String }) {}

/** A run that read something else than it was told exists. Nothing was committed. */
export class AccountingError extends Schema.TaggedError<AccountingError>()("AccountingError", {
  message: Schema.String
}) {}

export const run = Effect.fn("Run.run")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  options: Options = {}
): Effect.fn.Return<Report, PlanError | SourceError | Sink.SinkError | AccountingError, Exclude<R, Scope.Scope>> {
  const startedAt = yield* Clock.currentTimeMillis
  const id = runId(startedAt, yield* Random.next)
  const tables = Pipeline.tables(pipeline)
  const plans = yield* Effect.forEach(Object.entries(pipeline.sinks), ([name, sink]) =>
    planOf(pipeline, tables, id, name, sink)
  )

  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let facts: Readonly<Record<string, number>> = {}
  let checkpoint: Checkpoint.Stored | undefined
  const progress = (phase: Progress["phase"]): Progress => ({ runId: id, phase, startedAt, rows: { ...rows }, facts })
  const tell = (phase: Progress["phase"]) => Effect.suspend(() => options.watch?.(progress(phase)) ?? Effect.void)

  const work = Effect.gen(function* () {
    yield* tell("opening")
    const writers = yield* Effect.forEach(plans, ({ name, sink, plan }) =>
      Effect.map(sink.open(plan), (writer) => ({ name, writer }))
    )
    const start = options.fullRefresh === true ? Option.none() : resumeFrom(writers.map(({ writer }) => writer))
    const targets = new Map(pipeline.source.tables.map((table, index) => [table.name, tables[index]]))

    const take = Effect.fnUntraced(function* (element: Element<unknown>) {
      if (element._tag === "Checkpoint") {
        checkpoint = { runId: id, state: element.state }
        return
      }
      if (element._tag === "Progress") {
        facts = { ...facts, ...element.facts }
      } else {
        const table = targets.get(element.table.name)
        if (table === undefined) return yield* undeclared(pipeline.source.type, element.table.name)
        const batch: Table.Batch = { ...element, table, rows: element.rows.map((row) => ({ ...row, _run_id: id })) }
        rows[table.name] = (rows[table.name] ?? 0) + batch.rows.length
        yield* Effect.forEach(writers, ({ writer }) => writer.write(batch), { concurrency: "unbounded", discard: true })
      }
      yield* tell("reading")
    })
    yield* Stream.runForEach(pipeline.source.read(start, pipeline.limits), take)

    if (checkpoint === undefined) return yield* withoutCheckpoint(pipeline.source.type)
    const accounting = yield* account(facts, rows[tables[0]?.name ?? ""] ?? 0)
    yield* tell("committing")
    const record: Sink.RunRecord = {
      runId: id,
      pipeline: pipeline.name,
      startedAt: Column.timestampFromMillis(startedAt),
      committedAt: Column.timestampFromMillis(yield* Clock.currentTimeMillis),
      facts,
      rows: { ...rows }
    }
    const commit = { checkpoint, run: record }
    const receipts = yield* Effect.forEach(writers, ({ name, writer }) =>
      Effect.map(writer.commit(commit), (receipt) => [name, receipt] as const)
    )
    return { accounting, receipts: Object.fromEntries(receipts) }
  })

  const { accounting, receipts } = yield* Effect.scoped(work)
  const durationMillis = (yield* Clock.currentTimeMillis) - startedAt
  yield* tell("done")
  return { ...progress("done"), pipeline: pipeline.name, durationMillis, accounting, receipts }
})

const planOf = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  tables: ReadonlyArray<Table.Table>,
  id: string,
  name: string,
  sink: Sink.Destination<R>
) {
  const plans = tables.map((table) => ({ table, write: sink.writeOf(table) }))
  const refused = plans.find(({ write }) => !sink.writes.includes(write))
  if (refused !== undefined) {
    const has = sink.writes.join(", ")
    return yield* new PlanError({ message: `sink ${name}: ${sink.type} cannot write: ${refused.write}; it has ${has}` })
  }
  const plan: Sink.Plan = { pipeline: pipeline.name, runId: id, tables: plans, directory: pipeline.directory }
  return { name, sink, plan }
})

/** Where to go on from: the place that all destinations agree on, else the beginning. */
const resumeFrom = (writers: ReadonlyArray<Sink.Writer>): Option.Option<unknown> => {
  const states = writers.map(({ resume }) => Option.map(resume, ({ state }) => state))
  const [first = Option.none()] = states
  return states.every((state) => JSON.stringify(state) === JSON.stringify(first)) ? first : Option.none()
}

const account = Effect.fnUntraced(function* (facts: Readonly<Record<string, number>>, loaded: number) {
  const { discovered, failed = 0, blocked = 0, left = 0 } = facts
  if (discovered === undefined) return Option.none<Accounting>()
  if (discovered !== loaded + failed + blocked + left) {
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${loaded} were loaded, ${failed} failed, ${blocked} are blocked and ` +
        `${left} are left: some are lost, so nothing is committed; run it again`
    })
  }
  return Option.some<Accounting>({ discovered, loaded, failed, blocked, left })
})

const undeclared = (source: string, table: string) =>
  new SourceError({
    source,
    message: `it emits rows of "${table}", which is not one of its tables: a fault of the source`,
    retryable: false
  })

const withoutCheckpoint = (source: string) =>
  new SourceError({
    source,
    message: "it ended without a checkpoint, so there is nothing to commit: a fault of the source",
    retryable: false
  })
