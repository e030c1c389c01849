/**
 * A job with one result, as the answers of the service: started, ended, and answers after its end, such as a trace. It is
 * cancelled if the reader stops before the end.
 *
 * An answer is passed on before it is interpreted. A running job is polled with growing waits, and only its end is an
 * answer: polls without news are not worth keeping. Reading can continue after any answer, in another process too, and
 * starts no second job.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { cameNow, giveUp } from "./jobRequests.ts"
import { Artifact } from "./Trace.ts"

export const JobCursor = Schema.Struct({
  jobId: Schema.String,
  /** False: an earlier request had started the job. Absent: this one did, or the answer is not a start. */
  isNew: Schema.optionalKey(Schema.Boolean),
  /** What to request next. */
  next: Schema.Literals(["end", "trace", "snapshots", "nothing"]),
  /** The number of snapshots read, including that of this answer. */
  read: Schema.optionalKey(Schema.Int),
  /** How an agent run ended, by its trace. */
  outcome: Schema.optionalKey(Schema.String),
  /** How many of the URLs that an agent run was given it could not read, by its trace. */
  unread: Schema.optionalKey(Schema.Int),
  /** The artifact of the snapshot in this answer. */
  artifact: Schema.optionalKey(Artifact)
})
export type JobCursor = typeof JobCursor.Type

export interface JobAnswer {
  readonly kind: "started" | "ended" | "trace" | "snapshot"
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  readonly cursor: JobCursor
}

export interface JobFrom {
  /** The answer to continue after; no job is started then. */
  readonly after?: JobCursor | undefined
  /** The same key never starts a second job. */
  readonly key?: string | undefined
}

/** The requests for one kind of job. */
interface JobRequests<E, R> {
  readonly start: Effect.Effect<{ readonly id: string; readonly text: string; readonly isNew: boolean }, E, R>
  readonly status: (id: string) => Effect.Effect<string, E, R>
  readonly cancel: (id: string) => Effect.Effect<unknown, unknown, R>
  /** Where reading continues after the job's end. */
  readonly ended: (id: string) => Effect.Effect<JobCursor, E, R>
  /** One answer after the end. None: there are no more. */
  readonly behind: (cursor: JobCursor) => Effect.Effect<Option.Option<Omit<JobAnswer, "at">>, E, R>
}

export const jobAnswers = <E, R>(job: JobRequests<E, R>, { after }: JobFrom) =>
  Stream.unwrap(
    Effect.gen(function* () {
      let isOver = after !== undefined && after.next !== "end"
      const started = yield* Effect.acquireRelease(
        after === undefined ? Effect.asSome(job.start) : Effect.succeedNone,
        (answer) => {
          const id = Option.match(answer, { onNone: () => after?.jobId, onSome: ({ id }) => id })
          return isOver || id === undefined ? Effect.void : giveUp(job.cancel(id))
        }
      )

      const ask = Effect.fnUntraced(
        function* (cursor: JobCursor): Effect.fn.Return<Step, E, R> {
          if (cursor.next === "end") {
            const text = yield* endOf(job, cursor.jobId)
            isOver = true
            return step(Option.some({ kind: "ended", text, cursor: yield* job.ended(cursor.jobId) }))
          }
          return step(yield* job.behind(cursor))
        },
        // If the service cannot be reached, its job continues, and reading may continue after the last answer.
        (asking) =>
          Effect.tapError(asking, () =>
            Effect.sync(() => {
              isOver = true
            })
          )
      )

      const first = Option.map(started, ({ id, isNew, text }): Omit<JobAnswer, "at"> => {
        return { kind: "started", text, cursor: { jobId: id, next: "end", ...(isNew ? {} : { isNew }) } }
      })
      const cursor = Option.match(first, { onNone: () => after, onSome: (answer) => answer.cursor })
      const rest = cursor === undefined || cursor.next === "nothing" ? Stream.empty : Stream.paginate(cursor, ask)
      return Stream.mapEffect(Stream.concat(Stream.fromIterable(Option.toArray(first)), rest), cameNow)
    })
  )

type Step = readonly [ReadonlyArray<Omit<JobAnswer, "at">>, Option.Option<JobCursor>]

const step = (answer: Option.Option<Omit<JobAnswer, "at">>): Step => [
  Option.toArray(answer),
  Option.filter(
    Option.map(answer, ({ cursor }) => cursor),
    ({ next }) => next !== "nothing"
  )
]

/** The last status answer of a job. One that cannot be decoded ends the wait too: its decoder reports the problem. */
const endOf = Effect.fnUntraced(function* <E, R>(job: JobRequests<E, R>, id: string) {
  for (let wait = firstWait; ; wait = Math.min(wait * 2, longestWait)) {
    const text = yield* job.status(id)
    const state = readState(text)
    if (Option.isNone(state) || state.value.status !== "processing") return text
    yield* Effect.sleep(wait)
  }
})

/** The milliseconds between two polls of a job, first and maximum. */
const firstWait = 100
const longestWait = 1600

const readState = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ status: Schema.String })))
