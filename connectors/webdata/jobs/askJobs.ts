/**
 * Runs the jobs of a plan, several at a time, and emits their answers as they arrive.
 *
 * Guarantee: what was paid for is not paid for again. A killed run continues the jobs that were running. A run that must
 * stop lets its other jobs end first. When the credits are spent, no further job begins. A failed job costs only its
 * own data; if every job failed, the run fails. Interrupting the stream cancels the jobs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { JobAnswer, JobFrom } from "#contract/jobAnswers"
import * as Source from "#engine/Source"
import { toSourceError } from "../toSourceError.ts"
import * as JobPlan from "./JobPlan.ts"

/** How a kind of job is run, and what its end means. */
interface JobKind<E, R> {
  readonly source: string
  readonly chunks: ReadonlyArray<ReadonlyArray<string>>
  readonly answers: (task: JobPlan.Task, from: JobFrom) => Stream.Stream<JobAnswer, E, R>
  /** What the start of a job reveals. */
  readonly started: (text: string) => Pick<JobPlan.Task, "invalid">
  readonly settle: (task: JobPlan.Task, answer: JobAnswer) => Effect.Effect<Settled, Source.SourceError>
}

/** The result of a job. */
export interface Settled {
  /** How many of its targets it could not read. */
  readonly failed: number
  /** How many of its links answer 404 or 410. */
  readonly gone: number
  /** How many pages it has read, if its target is a wildcard and the service says it. */
  readonly pages?: number
  /** How many of its pages gave no row, if each page is a job. */
  readonly empty: number
  readonly credits: number
  /** The required values; those of a job that asks again were counted as missing in the job before. */
  readonly filled: number
  readonly missing: number
  /** By property: how many more rows lack it, or fewer. */
  readonly lacking: Readonly<Record<string, number>>
  /** Why it failed; undefined: it did not. */
  readonly error: string | undefined
  readonly isCancelled: boolean
  /** The jobs that ask again. */
  readonly again: ReadonlyArray<JobPlan.Task>
}

/** Jobs at a time; default of `limits.concurrency`. */
const jobsAtOnce = 3

interface Failure {
  readonly _tag: string
  readonly message: string
}

export const askJobs = <E extends Failure, R>(
  kind: JobKind<E, R>,
  { after, key, limits }: Source.ResumePoint<unknown, JobPlan.Cursor>
): Stream.Stream<Source.Fetched<JobPlan.Cursor>, Source.SourceError, R> =>
  Stream.callback<Source.Fetched<JobPlan.Cursor>, Source.SourceError, R>(
    (queue) =>
      Effect.gen(function* () {
        const run = make(kind, after, limits, (answer) => Queue.offerUnsafe(queue, answer))
        const count = Option.exists(after, ({ isLast }) => isLast) ? 0 : (limits.concurrency ?? jobsAtOnce)
        yield* Effect.forEach(Array.from({ length: count }), () => run.work(key), {
          concurrency: "unbounded",
          discard: true
        })
        const error = run.error()
        yield* error === undefined ? Queue.end(queue) : Queue.fail(queue, error)
      }),
    { bufferSize: Number.MAX_SAFE_INTEGER }
  )

const make = <E extends Failure, R>(
  kind: JobKind<E, R>,
  after: Option.Option<JobPlan.Cursor>,
  { credits = Number.POSITIVE_INFINITY }: Source.Limits,
  offer: (answer: Source.Fetched<JobPlan.Cursor>) => void
) => {
  const begin = Option.match(after, { onNone: () => JobPlan.begin, onSome: (cursor) => cursor.state })
  const board = new Board(begin, kind.chunks, credits)
  let stop: Source.SourceError | undefined

  /** Records an answer and emits it with the current state, as one step. */
  const tell = (before: JobPlan.Task, answer: JobAnswer, settled: Settled | undefined): JobPlan.Task => {
    const begun = answer.kind === "started" ? { startedAt: answer.at, ...kind.started(answer.text) } : {}
    const task: JobPlan.Task = { ...before, job: answer.cursor, ...begun }
    board.note(task, answer, settled)
    offer({ ...answer, cursor: { task, state: board.state, isLast: board.isLast() } })
    return task
  }

  /** Runs a job to its last answer. True: the job is lost and has to be started again. */
  const run = Effect.fnUntraced(function* (task: JobPlan.Task, key: string) {
    let isResumed = task.job !== undefined
    const from = { after: task.job, key: `${key}-${task.name}${task.tries === 0 ? "" : `-${task.tries}`}` }
    let now = task
    let isLost = false
    yield* kind.answers(task, from).pipe(
      Stream.mapError((error) => ({ lost: isResumed && error._tag === "NotFound", error: failed(kind, error) })),
      Stream.takeWhile(() => !isLost),
      Stream.runForEach((answer) =>
        Effect.mapError(
          Effect.gen(function* () {
            isResumed ||= answer.cursor.isNew === false
            const settled = answer.kind === "ended" ? yield* kind.settle(now, answer) : undefined
            // It was cancelled because its process ended, not because somebody wanted that.
            if (isResumed && settled?.isCancelled === true) isLost = true
            else now = tell(now, answer, settled)
          }),
          (error) => ({ lost: false, error })
        )
      ),
      Effect.catchIf(
        ({ lost }) => lost,
        () =>
          Effect.sync(() => {
            isLost = true
          })
      ),
      Effect.mapError(({ error }) => error)
    )
    return isLost
  })

  const work = Effect.fnUntraced(function* (key: string) {
    while (stop === undefined) {
      const task = board.take()
      if (task === undefined) return
      const result = yield* Effect.result(run(task, key))
      if (result._tag === "Failure") stop = stop ?? result.failure
      else if (result.success) board.putBack(task)
    }
  })

  return { work, error: () => stop ?? everyJobFailed(kind, board.state) }
}

/** The jobs of a run: those that are open, and those that are taken. */
class Board {
  state: JobPlan.State
  private readonly taken = new Set<string>()
  private readonly chunks: ReadonlyArray<ReadonlyArray<string>>
  /** The credits that the run may spend. */
  private readonly credits: number

  constructor(state: JobPlan.State, chunks: ReadonlyArray<ReadonlyArray<string>>, credits: number) {
    this.state = state
    this.chunks = chunks
    this.credits = credits
  }

  /** The next job to run: one that was running, one that asks again, or a new one. */
  take(): JobPlan.Task | undefined {
    const { state } = this
    const free = state.open.find((task) => !this.taken.has(task.name) && (this.isUnderWay(task) || this.mayBegin()))
    const urls = JobPlan.nextOf(state, this.chunks)
    const fresh = urls === undefined || !this.mayBegin() ? undefined : { name: String(state.next), urls, tries: 0 }
    const task: JobPlan.Task | undefined = free ?? fresh
    if (task === undefined) return undefined
    if (task === fresh) this.state = JobPlan.begunWith(state, task)
    this.taken.add(task.name)
    return task
  }

  /** Records the state of a job. After its last answer it is no longer open. */
  note(task: JobPlan.Task, { cursor, kind }: JobAnswer, settled: Settled | undefined): void {
    const jobs = kind === "started" ? [...this.state.jobs, cursor.jobId] : this.state.jobs
    const others = this.state.open.filter(({ name }) => name !== task.name)
    this.state = { ...this.state, jobs, open: cursor.next === "nothing" ? others : [...others, task] }
    if (settled !== undefined) this.state = settledState(this.state, task, settled)
  }

  /** A job that is lost is started again. */
  putBack(task: JobPlan.Task): void {
    const { job: _, startedAt: __, ...rest } = task
    const others = this.state.open.filter(({ name }) => name !== task.name)
    this.state = { ...this.state, open: [...others, { ...rest, tries: task.tries + 1 }] }
    this.taken.delete(task.name)
  }

  isLast(): boolean {
    const { open } = this.state
    if (open.some((task) => this.isUnderWay(task) || this.mayBegin())) return false
    return JobPlan.nextOf(this.state, this.chunks) === undefined || !this.mayBegin()
  }

  private mayBegin(): boolean {
    return this.state.coverage.credits < this.credits
  }

  private isUnderWay({ again, job, name }: JobPlan.Task): boolean {
    return this.taken.has(name) || job !== undefined || again === undefined
  }
}

const settledState = (
  state: JobPlan.State,
  task: JobPlan.Task,
  { again, credits, empty, error, failed, filled, gone, lacking, missing, pages }: Settled
): JobPlan.State => {
  const { coverage, open } = state
  const isFirst = task.again === undefined
  const targets = JobPlan.targetsOf(task.urls)
  const read = pages ?? targets - failed - gone
  return {
    ...state,
    open: [...open, ...again],
    coverage: {
      read: coverage.read + (isFirst ? read : 0),
      more: (coverage.more ?? 0) + (isFirst ? read + failed + gone - targets : 0),
      empty: (coverage.empty ?? 0) + (isFirst ? empty : 0),
      failed: coverage.failed + (isFirst ? failed : 0),
      gone: (coverage.gone ?? 0) + (isFirst ? gone : 0),
      credits: coverage.credits + credits,
      filled: coverage.filled + filled,
      missing: Math.max(0, coverage.missing + (isFirst ? missing : -filled)),
      lacking: summed(coverage.lacking ?? {}, lacking),
      succeeded: coverage.succeeded + (isFirst && error === undefined ? 1 : 0)
    },
    ...(isFirst && error !== undefined ? { error } : {})
  }
}

const summed = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([name, n]) => [name, Math.max(0, (one[name] ?? 0) + n)]))
})

const failed = <E extends Failure, R>({ source }: JobKind<E, R>, error: E): Source.SourceError =>
  toSourceError(source)(error)

const everyJobFailed = <E extends Failure, R>(
  { source }: JobKind<E, R>,
  { coverage, error }: JobPlan.State
): Source.SourceError | undefined =>
  coverage.succeeded > 0
    ? undefined
    : new Source.SourceError({
        source,
        message: `every job failed; the last error: ${error ?? "no reason given"}`,
        retryable: false,
        over: true
      })
