/**
 * What an attempt reads: the answers of the journal, and after them new answers of the source.
 *
 * The law: every attempt of a run begins where the first did, and an answer is in the journal before it is processed.
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
   * live: asks the source behind what the journal has. journal: what the journal has is all. staged: the same, and the
   * stage of a held run is loaded as it is.
   */
  readonly mode: "live" | "journal" | "staged"
  /** Read from the beginning, whatever the destinations remember. */
  readonly fullRefresh: boolean
  /** Sinks that it is not for: a run of the same call was. */
  readonly except: ReadonlyArray<string>
}

/** Where reading begins: written down before the first answer, so that every attempt of a run begins there. */
export const start = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  journal: Journal.RunJournal,
  sessions: SinkSessions.SinkSessions,
  { except, fullRefresh, mode }: Options
) {
  if (mode !== "live" || journal.length > 0) return Option.fromNullOr(journal.state.start)
  if (fullRefresh) return Option.none<unknown>()
  const open = sessions.open()
  if (!pipeline.source.incremental) {
    // Who reads everything each time reads it for everybody.
    const last = pipeline.source.remembers === true ? SinkSessions.latest(open) : Option.none<unknown>()
    if (Option.isSome(last)) yield* journal.save({ start: last.value })
    return last
  }
  const { names, start: from } = SinkSessions.furthestBack(open, pipeline.source)
  const isPart = names.length < open.length || except.length > 0
  sessions.restrict(names)
  yield* journal.save({ start: Option.getOrNull(from), ...(isPart ? { sinks: names } : {}) })
  return from
})

/** What the journal has, and then what the source says. Each answer is in the journal before it goes on. */
export const all = <R>(
  pipeline: Pipeline.Pipeline<R>,
  journal: Journal.RunJournal,
  from: Option.Option<unknown>,
  { mode }: Options,
  revalidation?: Source.Revalidation
): Stream.Stream<SourceResponse, Journal.JournalError | Source.SourceError, R> => {
  let last: Option.Option<unknown> = Option.none()
  const kept = Stream.map(journal.answers, (answer) => {
    last = Option.some(answer.cursor)
    return answer
  })
  if (mode !== "live" || journal.state.status !== "reading") return kept
  const asked = Stream.suspend(() =>
    pipeline.source.fetch({ ...resumePoint(pipeline, journal, from, last), revalidation })
  )
  return Stream.concat(
    kept,
    Stream.mapEffect(asked, (answer) => Effect.as(journal.append(answer), answer))
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
  isTold: commitEvery !== undefined,
  segments: Effect.mapError(
    segments,
    ({ cause, message }) => new Source.SourceError({ source: source.type, message, retryable: false, cause })
  )
})
