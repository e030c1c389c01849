/**
 * The answers that an attempt reads: those of the journal, and then new answers of the source.
 *
 * Guarantee: every attempt of a run begins where the first did, and an answer is in the journal before it is processed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Source from "../Source.ts"
import type { SourceResponse } from "../SourceElement.ts"
import * as SinkSessions from "./SinkSessions.ts"

export interface Options {
  /**
   * live: after the answers of the journal, the source is read. journal: only the answers of the journal. staged: as
   * journal, and the rows are those in the stage of a held run.
   */
  readonly mode: "live" | "journal" | "staged"
  /** Whether the source is read from the beginning, whatever checkpoints the destinations have. */
  readonly fullRefresh: boolean
  /** Sinks that this run is not for, because an earlier run of the same call was. */
  readonly except: ReadonlyArray<string>
}

/** Where reading begins. It is saved before the first answer, so that every attempt of a run begins there. */
export const start = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  journal: Journal.RunJournal,
  sessions: SinkSessions.SinkSessions,
  { except, fullRefresh, mode }: Options
) {
  if (mode !== "live" || journal.length > 0) return Option.fromNullOr(journal.state.start)
  const open = sessions.open()
  if (!pipeline.source.incremental) {
    // A source that reads everything in each run serves all sinks at once. What it remembers outlives a full refresh.
    const { remembers } = pipeline.source
    const isKnown = (state: unknown) => remembers !== undefined && (!fullRefresh || remembers(state))
    const last = Option.filter(SinkSessions.latest(open), isKnown)
    if (Option.isSome(last)) yield* journal.save({ start: last.value })
    return last
  }
  if (fullRefresh) return Option.none<unknown>()
  const { names, start: from } = SinkSessions.furthestBack(open, pipeline.source)
  const isPart = names.length < open.length || except.length > 0
  sessions.restrict(names)
  yield* journal.save({ start: Option.getOrNull(from), ...(isPart ? { sinks: names } : {}) })
  return from
})

/** The answers of the journal, and then those of the source. Each new answer is in the journal before it is emitted. */
export const all = <R>(
  pipeline: Pipeline.Pipeline<R>,
  journal: Journal.RunJournal,
  from: Option.Option<unknown>,
  { mode }: Options,
  revalidation?: Source.Revalidation
): Stream.Stream<SourceResponse, Journal.JournalError | Source.SourceError, R> => {
  let last: Option.Option<unknown> = Option.none()
  const recorded = Stream.map(journal.answers, (answer) => {
    last = Option.some(answer.cursor)
    return answer
  })
  if (mode !== "live" || journal.state.status !== "reading") return recorded
  const fetched = Stream.suspend(() =>
    pipeline.source.fetch({ ...resumePoint(pipeline, journal, from, last), revalidation })
  )
  return Stream.concat(
    recorded,
    Stream.mapEffect(fetched, (answer) => Effect.as(journal.append(answer), answer))
  )
}

/** Where the source of a run continues, and the options that it gets. */
export const resumePoint = <R>(
  { commitEvery, directory, limits, source }: Pipeline.Pipeline<R>,
  { segments, state }: Journal.RunJournal,
  start: Option.Option<unknown>,
  after: Option.Option<unknown>
): Source.ResumePoint<unknown, unknown> => ({
  start,
  after,
  key: state.key,
  limits,
  directory,
  commitsWhileReading: commitEvery !== undefined,
  segments: Effect.mapError(
    segments,
    ({ cause, message }) => new Source.SourceError({ source: source.type, message, retryable: false, cause })
  )
})
