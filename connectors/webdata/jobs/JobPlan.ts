/**
 * Splits a large job into small ones, and records how far a run has come with them: the cursor of sources that run
 * jobs.
 *
 * Guarantee: the same options give the same jobs in the same order. The name of a job is its idempotency key, so a job
 * whose start was lost is found again. A cursor holds all jobs that were running when its answer arrived: reading
 * continues from it, and no job is started twice.
 */
import * as Schema from "effect/Schema"
import { JobCursor } from "#contract/jobAnswers"
import * as ColumnName from "#engine/ColumnName"

/** A row without values that it must have. */
export const Lacking = Schema.Struct({
  /** Its number in its job. */
  row: Schema.Int,
  /** Its key, if rows have one. */
  name: Schema.NullOr(Schema.String),
  /** The page that it comes from. */
  url: Schema.NullOr(Schema.String),
  /** The properties that were not found. */
  missing: Schema.Array(Schema.String)
})
export type Lacking = typeof Lacking.Type

export const Task = Schema.Struct({
  /** "3": the fourth job; "3.1.0": the first of the jobs that ask again for what it lacks. */
  name: Schema.String,
  urls: Schema.Array(Schema.String),
  /** Starts in vain, because somebody cancelled the job or its results are gone. */
  tries: Schema.Int,
  /** When it was started, in milliseconds since the epoch, and how far its answers were read. */
  startedAt: Schema.optionalKey(Schema.Finite),
  job: Schema.optionalKey(JobCursor),
  /** URLs that the service reports as invalid. */
  invalid: Schema.optionalKey(Schema.Array(Schema.String)),
  /** For a job that asks again: the round, the job that first gave the rows, and what they lack. */
  again: Schema.optionalKey(Schema.Struct({ round: Schema.Int, jobId: Schema.String, rows: Schema.Array(Lacking) }))
})
export type Task = typeof Task.Type

const Coverage = Schema.Struct({
  /** How many URLs, or jobs without URLs. */
  read: Schema.Int,
  /** How many more pages than URLs: a wildcard is one URL. */
  more: Schema.optionalKey(Schema.Int),
  /** How many of the read pages gave no row. */
  empty: Schema.optionalKey(Schema.Int),
  failed: Schema.Int,
  /** Links that answer 404 or 410. */
  gone: Schema.optionalKey(Schema.Int),
  credits: Schema.Finite,
  /** How many required values. */
  filled: Schema.Int,
  missing: Schema.Int,
  /** How many rows lack a property that they must have. */
  lacking: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  /** Jobs that succeeded, without those that asked again. */
  succeeded: Schema.Int
})
type Coverage = typeof Coverage.Type

export const State = Schema.Struct({
  /** How many jobs of the plan have begun. */
  next: Schema.Int,
  /** If pages are looked for first: those whose job has not begun, and how many there were. */
  pages: Schema.optionalKey(Schema.Struct({ left: Schema.Array(Schema.String), found: Schema.Int })),
  /** Running jobs, and those that will ask again. */
  open: Schema.Array(Task),
  /** The ids of the jobs that were started. */
  jobs: Schema.Array(Schema.String),
  coverage: Coverage,
  /** The error of the job that failed last. */
  error: Schema.optionalKey(Schema.String)
})
export type State = typeof State.Type

export const Cursor = Schema.Struct({
  /** The job of the answer, in its state after it. */
  task: Task,
  state: State,
  /** Whether this is the last answer. */
  isLast: Schema.Boolean,
  /** If the answer holds only one row: the number of that row in its job. */
  alone: Schema.optionalKey(Schema.Int)
})
export type Cursor = typeof Cursor.Type

export const begin: State = {
  next: 0,
  open: [],
  jobs: [],
  coverage: { read: 0, failed: 0, credits: 0, filled: 0, missing: 0, succeeded: 0 }
}

/** The URLs of the next job to begin; undefined: there is none. */
export const nextOf = (
  { next, pages }: State,
  chunks: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> | undefined => {
  if (pages === undefined) return chunks[next]
  const [url] = pages.left
  return url === undefined ? undefined : [url]
}

/** The state after a job of these URLs has begun. */
export const begunWith = (state: State, task: Task): State => ({
  ...state,
  ...(state.pages === undefined ? {} : { pages: { ...state.pages, left: state.pages.left.slice(1) } }),
  next: state.next + 1,
  open: [...state.open, task]
})

/** The URLs of each job: a wildcard is a job, other URLs are spread evenly over as few jobs as `size` allows. */
export const split = (
  urls: ReadonlyArray<string> | null | undefined,
  size: number
): ReadonlyArray<ReadonlyArray<string>> => {
  const all = urls ?? []
  if (all.length === 0) return [[]]
  const plain = all.filter((url) => !isWildcard(url))
  return [...spread(plain, size), ...all.filter(isWildcard).map((url) => [url])]
}

/** Parts of about equal length, none longer than `size`. */
export const spread = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> => {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, at) =>
    all.slice(Math.ceil((at * all.length) / count), Math.ceil(((at + 1) * all.length) / count))
  )
}

export const isWildcard = (url: string): boolean => url.trim().endsWith("/*")

/** How many targets a job has: its URLs, or the one question without URLs. */
export const targetsOf = (urls: ReadonlyArray<string>): number => Math.max(1, urls.length)

/** What a run shows and keeps: the fate of every target, and how many required values were found. */
export const factsOf = (
  chunks: ReadonlyArray<ReadonlyArray<string>>,
  { isLast, state: { coverage, next, pages } }: Cursor
): Readonly<Record<string, number>> => {
  const { credits, empty = 0, failed, filled, gone = 0, lacking = {}, missing, more = 0, read } = coverage
  const targets = (some: typeof chunks) => some.reduce((sum, urls) => sum + targetsOf(urls), 0)
  const discovered = (pages?.found ?? targets(chunks)) + more
  const left = isLast ? (pages?.left.length ?? targets(chunks.slice(next))) : 0
  return {
    total: discovered,
    completed: read + failed + gone,
    credits,
    discovered,
    read,
    failed,
    ...(gone === 0 ? {} : { gone }),
    filled,
    missing,
    ...lackingFacts(lacking),
    ...(empty === 0 ? {} : { without_rows: empty }),
    ...(left === 0 ? {} : { left })
  }
}

/** The properties that most rows lack, each as a fact. A fact keeps its name once it has come: 0 is a count too. */
const lackingFacts = (lacking: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(lacking)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostLacking)
      .map(([name, count]) => [`lacking_${ColumnName.snake(name)}`, count])
  )

const mostLacking = 20
