/**
 * An agent run as the answers of the service: started, ended with its data, then its trace and the contents of its
 * snapshots, if they are requested. It is cancelled when the reader stops.
 *
 * Specification, Trace reading rules: events can arrive shortly after the end, so the trace is requested again, for a
 * short time, until it contains `run.finished`.
 */
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type AgentRequest, AgentSnapshot, AgentStatus } from "./Agent.ts"
import { Api } from "./Api.ts"
import { IdempotencyKey } from "./client/jobHeaders.ts"
import { type JobCursor, type JobFrom, jobAnswers } from "./jobAnswers.ts"
import { startedJob, textOf } from "./jobRequests.ts"
import { Artifact, Trace, type TraceEvent } from "./Trace.ts"
import { WebData } from "./WebData.ts"

interface AgentParts {
  readonly trace: boolean
  /** Whether the contents of snapshots are read. */
  readonly snapshots: boolean
}

interface TraceRead {
  readonly text: string
  readonly artifacts: ReadonlyArray<Artifact>
  readonly outcome: string | undefined
  readonly unread: number
}

/** How often the trace of an ended run is requested, and the wait between. */
const traceReads = 6
const traceWait = "500 millis"

export const agentAnswers = (request: AgentRequest, parts: AgentParts, from: JobFrom = {}) =>
  Stream.unwrap(
    Effect.map(WebData, ({ agent }) => {
      const status = Effect.fnUntraced(function* (jobId: string) {
        const response = yield* agent.status({ params: { jobId }, responseMode: "response-only" })
        return yield* textOf(response, decodeStatus)
      })

      let known: TraceRead | undefined

      /** The trace: complete, unless that takes too long. It is kept after the first read. */
      const traceOf = Effect.fnUntraced(function* (jobId: string) {
        for (let reads = 1; known === undefined; reads++) {
          const response = yield* agent.trace({ params: { jobId }, query: {}, responseMode: "response-only" })
          const text = yield* textOf(response, decodeTrace)
          const trace = readTraceText(text)
          const events = Result.isSuccess(trace) ? trace.success.events : []
          const last = events.findLast(({ type }) => type === "run.finished")
          if (last !== undefined || reads === traceReads) {
            const unread = unreadOf(request.urls ?? [], events)
            known = { text, artifacts: artifactsOf(events), outcome: outcomeOf(last), unread }
          } else yield* Effect.sleep(traceWait)
        }
        return known
      })

      /** What to request after so many snapshots. */
      const snapshotPlace = ({ artifacts }: TraceRead, read: number) =>
        parts.snapshots && read < artifacts.length ? "snapshots" : "nothing"

      const snapshotOf = Effect.fnUntraced(function* (jobId: string, at: number) {
        const trace = yield* traceOf(jobId)
        const artifact = trace.artifacts[at]
        if (artifact === undefined) return Option.none()
        const params = { jobId, snapshotId: artifact.snapshotId }
        const response = yield* agent.snapshot({ params, responseMode: "response-only" })
        const text = yield* textOf(response, decodeSnapshot)
        const cursor: JobCursor = { jobId, next: snapshotPlace(trace, at + 1), read: at + 1, artifact }
        return Option.some({ kind: "snapshot" as const, text, cursor })
      })

      return jobAnswers(
        {
          start: agent.start({ payload: request, responseMode: "response-only" }).pipe(
            Effect.provideService(IdempotencyKey, from.key),
            Effect.flatMap((response) => startedJob(response, decodeStart))
          ),
          status,
          cancel: (jobId) => agent.cancel({ params: { jobId } }),
          ended: Effect.fnUntraced(function* (jobId) {
            const trace = yield* traceOf(jobId)
            const { outcome, unread } = trace
            const next = parts.trace ? "trace" : snapshotPlace(trace, 0)
            return { jobId, next, unread, ...(outcome === undefined ? {} : { outcome }) } as const
          }),
          behind: Effect.fnUntraced(function* ({ jobId, next, read = 0 }) {
            if (next === "snapshots") return yield* snapshotOf(jobId, read)
            const trace = yield* traceOf(jobId)
            const cursor: JobCursor = { jobId, next: snapshotPlace(trace, 0) }
            return Option.some({ kind: "trace" as const, text: trace.text, cursor })
          })
        },
        from
      )
    })
  )

/** The artifacts of a trace in the order in which they were written, one per snapshot. */
export const artifactsOf = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<Artifact> =>
  events.flatMap((event) =>
    event.type === "artifact.updated" ? Option.toArray(decodeArtifact(event["artifact"])) : []
  )

const outcomeOf = (event: TraceEvent | undefined): string | undefined =>
  typeof event?.["outcome"] === "string" ? event["outcome"] : undefined

/** How many of these URLs the run tried to scrape, but never with success. */
const unreadOf = (urls: ReadonlyArray<string>, events: ReadonlyArray<TraceEvent>): number => {
  const calls = new Map<unknown, string>()
  const tried = new Map<string, boolean>()
  for (const event of events) {
    const [parameters, result] = [event["parameters"], event["result"]]
    if (event.type === "tool_call.started" && isRecord(parameters) && typeof parameters["url"] === "string") {
      calls.set(event["toolCallId"], hrefOf(parameters["url"]))
    }
    const url = event.type === "tool_call.finished" ? calls.get(event["toolCallId"]) : undefined
    if (url === undefined || !isRecord(result)) continue
    tried.set(url, tried.get(url) === true || result["success"] !== false)
  }
  return urls.filter((url) => tried.get(hrefOf(url)) === false).length
}

const hrefOf = (url: string): string => URL.parse(url.trim())?.href ?? url

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  Predicate.isObject(json) && !Array.isArray(json)

/** Decode the texts of answers. */
export const readAgent = Schema.decodeUnknownEffect(Schema.fromJsonString(AgentStatus))
export const readTrace = Schema.decodeUnknownEffect(Schema.fromJsonString(Trace))
export const readSnapshot = Schema.decodeUnknownEffect(Schema.fromJsonString(AgentSnapshot))

const readTraceText = Schema.decodeUnknownResult(Schema.fromJsonString(Trace))
const decodeArtifact = Schema.decodeUnknownOption(Artifact)

const decodeStart = HttpApiClient.decodeResponse(Api, { group: "agent", endpoint: "start" })
const decodeStatus = HttpApiClient.decodeResponse(Api, { group: "agent", endpoint: "status" })
const decodeTrace = HttpApiClient.decodeResponse(Api, { group: "agent", endpoint: "trace" })
const decodeSnapshot = HttpApiClient.decodeResponse(Api, { group: "agent", endpoint: "snapshot" })
