/**
 * Commits of a run that still reads (`CommitEvery`).
 *
 * Guarantee: a part consists of whole answers of the journal, so that a continued run knows which answers a destination has.
 * A part also says where a new run begins: after an incremental source, parts are committed only at a checkpoint, and a new
 * run begins there; after any other source, a new run begins where this run began.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Journal from "../Journal.ts"
import type * as OutputTables from "../OutputTables.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import * as CommittedPart from "./CommittedPart.ts"
import * as RowProcessor from "./RowProcessor.ts"
import { committedAt, runRecord } from "./runRecord.ts"
import type * as SinkSession from "./SinkSession.ts"
import type * as SinkSessions from "./SinkSessions.ts"

export interface PartCommits {
  /** Commits the rows of all `answers` so far, if a commit is due. Returns whether it committed. */
  readonly commitIfDue: (answers: number) => Effect.Effect<boolean, Journal.JournalError>
  /** The sum of the results of all commits of this run in a sink, with the last one. */
  readonly sum: (session: SinkSession.SinkSession, last: Sink.CommitResult) => Sink.CommitResult
  /** What is wrong with the counts of sinks. */
  readonly miscounts: ReadonlyArray<string>
}

export const begin = Effect.fnUntraced(function* <R>(of: {
  readonly pipeline: Pipeline.Pipeline<R>
  readonly layout: OutputTables.OutputTables
  readonly journal: Journal.RunJournal
  readonly sessions: SinkSessions.SinkSessions
  readonly reading: RowProcessor.RowProcessor
  /** Where this run began. */
  readonly start: Option.Option<unknown>
  readonly isLive: boolean
}) {
  const { journal, layout, pipeline, reading, sessions } = of
  const every = of.isLive ? pipeline.commitEvery : undefined
  let last = yield* Clock.currentTimeMillis
  const miscounts: Array<string> = []
  const parts = new Map<string, CommittedPart.CommittedPart>()
  const partOf = (session: SinkSession.SinkSession) => parts.get(session.name) ?? session.part
  const waiting = (session: SinkSession.SinkSession) => session.uncommitted[layout.main.name] ?? 0

  const isDue = (now: number): boolean => {
    const rows = Math.max(0, ...sessions.open().map(waiting))
    const { millis = Number.POSITIVE_INFINITY, rows: enough = Number.POSITIVE_INFINITY } = every ?? {}
    return rows > 0 && (rows >= enough || now - last >= millis)
  }

  const commit = Effect.fnUntraced(function* (answers: number, start: Option.Option<unknown>) {
    const at = yield* committedAt(journal.state)
    const facts = { ...reading.remarks.facts, unfinished: 1 }
    const committed = (session: SinkSession.SinkSession, made?: Sink.CommitResult): CommittedPart.CommittedPart => {
      const { before, bytes, tables } = partOf(session) ?? { before: lastRun(session), tables: {}, bytes: 0 }
      return {
        answers,
        before,
        tables: CommittedPart.add(tables, made?.tables ?? {}),
        bytes: bytes + (made?.bytes ?? 0)
      }
    }
    yield* sessions.commit(
      (session) =>
        waiting(session) === 0
          ? undefined
          : {
              checkpoint: CommittedPart.stored(journal.state.run_id, start, committed(session)),
              run: runRecord(journal.state, session, { counts: reading.counts, facts, dropped: 0, committedAt: at }),
              checks: [],
              complete: false
            },
      (session, result, rows) =>
        Effect.sync(() => {
          parts.set(session.name, committed(session, result))
          const wrong = Accounting.miscount(session.name, rows, result)
          if (wrong !== undefined) miscounts.push(wrong)
        })
    )
    yield* journal.save({
      facts: reading.remarks.facts,
      rows: { ...reading.rows },
      parts: (journal.state.parts ?? 0) + 1
    })
  })

  const made: PartCommits = {
    miscounts,
    commitIfDue: Effect.fnUntraced(function* (answers) {
      if (every === undefined || sessions.open().some(({ part }) => (part?.answers ?? 0) > answers)) return false
      const now = yield* Clock.currentTimeMillis
      if (!isDue(now)) return false
      const position = RowProcessor.position(reading)
      // A source that is not incremental emits its checkpoint at its end, and then the whole run is committed.
      if (Option.isSome(position) !== pipeline.source.incremental) return false
      yield* commit(answers, pipeline.source.incremental ? position : of.start)
      last = now
      return true
    }),
    sum: (session, result) => sumOf(partOf(session), result)
  }
  return made
})

const sumOf = (before: CommittedPart.CommittedPart | undefined, last: Sink.CommitResult): Sink.CommitResult => {
  if (before === undefined) return last
  const tables = CommittedPart.add(before.tables, last.tables)
  const rows = Object.entries(tables).map(([table, { written }]) => [table, written] as const)
  const bytes = last.bytes === undefined ? {} : { bytes: before.bytes + last.bytes }
  return { ...last, ...bytes, rows: Object.fromEntries(rows), tables }
}

const lastRun = ({ writer }: SinkSession.SinkSession): string | null =>
  Option.match(writer.resume, { onNone: () => null, onSome: ({ runId }) => runId })
