/**
 * Jobs as tools: starts a job, waits for it as long as the agent wants, and cancels it if the client cancels the call.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { type Arguments, answerText, type Outcome, type Progress } from "./McpTool.ts"
import { isGood, problem, type ServiceAnswer, type ServiceCall } from "./ServiceCall.ts"

interface JobKind {
  /** Its name in `millrace_read`. */
  readonly of: string
  readonly path: string
  /** The tool that reads its status. */
  readonly statusTool: string
  /** Whether its result is a list of pages, which is read in parts. */
  readonly isPaged: boolean
}

export const kinds = {
  crawl: { of: "crawl", path: "/v2/crawl", statusTool: "firecrawl_check_crawl_status", isPaged: true },
  batch: { of: "batch", path: "/v2/batch/scrape", statusTool: "firecrawl_check_batch_status", isPaged: true },
  extract: { of: "extract", path: "/v2/extract", statusTool: "firecrawl_extract_status", isPaged: false },
  agent: { of: "agent", path: "/v2/agent", statusTool: "firecrawl_agent_status", isPaged: false }
} as const satisfies Readonly<Record<string, JobKind>>

/** The number of pages in one answer, if the agent names none. */
const pagesAtOnce = 10

interface Part {
  readonly skip: number
  readonly limit: number
  readonly offset: number
}

export const partOf = (given: Arguments): Part => ({
  skip: wholeNumber(given["skip"], 0),
  limit: wholeNumber(given["limit"], pagesAtOnce),
  offset: wholeNumber(given["offset"], 0)
})

/** A whole number, or a text with one, as some models send it. */
export const wholeNumber = (value: unknown, otherwise: number): number => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? Math.floor(number) : otherwise
}

/** Starts a job, and waits up to `wait` seconds for its end. If the call is cancelled, even during the start, so is the job. */
export const startJob = (service: ServiceCall, kind: JobKind, body: Arguments, wait: number, progress: Progress) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const started = yield* apart(service({ method: "POST", path: kind.path, body }))
      const { id } = started.body
      if (!isGood(started) || typeof id !== "string") return problem(started)
      const path = `${kind.path}/${encodeURIComponent(id)}`
      return yield* restore(followed(service, kind, id, started, wait, progress)).pipe(
        Effect.onInterrupt(() => apart(service({ method: "DELETE", path })))
      )
    })
  )

/** Runs a request in its own fiber, because an interrupt of this one could otherwise stop it halfway in the service. */
const apart = <A>(effect: Effect.Effect<A>): Effect.Effect<A> => Effect.flatMap(Effect.forkDetach(effect), Fiber.join)

const followed = Effect.fnUntraced(function* (
  service: ServiceCall,
  kind: JobKind,
  id: string,
  started: ServiceAnswer,
  wait: number,
  progress: Progress
) {
  if (wait <= 0) return stillRunning(kind, id, started)
  const ended = yield* Effect.timeoutOption(follow(service, kind, id, progress), Duration.seconds(wait))
  if (Option.isSome(ended) && ended.value.status !== 200) return problem(ended.value)
  return yield* readJob(service, kind, id, { skip: 0, limit: pagesAtOnce, offset: 0 })
})

/** Waits for the answer of an ended job, or of a failed request. */
const follow = Effect.fnUntraced(function* (service: ServiceCall, kind: JobKind, id: string, progress: Progress) {
  while (true) {
    const answer = yield* service({ method: "GET", path: pathOf(kind, id, { skip: 0, limit: 1, offset: 0 }) })
    const { completed, status, total } = answer.body
    if (!isGood(answer) || !isRunning(status)) return answer
    if (typeof completed === "number") {
      const pages = typeof total === "number" && total > 0 ? total : undefined
      yield* progress(completed, pages, `${completed} of ${pages ?? "?"} pages`)
    }
    yield* Effect.sleep("500 millis")
  }
})

const isRunning = (status: unknown): boolean => status === "scraping" || status === "processing"

const pathOf = (kind: JobKind, id: string, { limit, skip }: Part): string => {
  const path = `${kind.path}/${encodeURIComponent(id)}`
  return kind.isPaged ? `${path}?skip=${skip}&limit=${Math.min(Math.max(1, limit), 1000)}` : path
}

/** The status of a job, with the requested part of its result. */
export const readJob = Effect.fnUntraced(function* (service: ServiceCall, kind: JobKind, id: string, part: Part) {
  const answer = yield* service({ method: "GET", path: pathOf(kind, id, part) })
  if (answer.status !== 200) return problem(answer)
  const { data, next: _next, ...rest } = answer.body
  const body = data === undefined ? { id, ...rest } : { id, ...rest, data }
  const { offset, ...pages } = part
  const restArguments = { of: kind.of, id, ...(kind.isPaged ? pages : {}) }
  const narrower = kind.isPaged ? "A smaller limit gives whole pages." : ""
  const outcome = answerText(JSON.stringify(body), offset, restArguments, narrower)
  const notes = notesOf(kind, id, answer, part, Array.isArray(data) ? data.length : 0)
  const failed = answer.body["success"] === false || answer.body["status"] === "failed"
  const outcomeWithNotes: Outcome = { texts: [...outcome.texts, ...notes], ...(failed ? { isError: true } : {}) }
  return outcomeWithNotes
})

const notesOf = (
  kind: JobKind,
  id: string,
  { body }: ServiceAnswer,
  part: Part,
  shown: number
): ReadonlyArray<string> => {
  const notes: Array<string> = []
  if (isRunning(body["status"])) notes.push(runningNote(kind, id))
  const { completed } = body
  const read = part.skip + shown
  if (kind.isPaged && typeof completed === "number" && completed > read) {
    const more = JSON.stringify({ of: kind.of, id, skip: read, limit: part.limit })
    notes.push(`Pages ${part.skip + 1} to ${read} of ${completed}. For the next pages call millrace_read with ${more}.`)
  }
  return notes
}

const runningNote = (kind: JobKind, id: string): string =>
  `The job is still running. Call ${kind.statusTool} with ${JSON.stringify({ id })} in 10 seconds or more.`

const stillRunning = (kind: JobKind, id: string, { body }: ServiceAnswer): Outcome => ({
  texts: [JSON.stringify(body), runningNote(kind, id)]
})
