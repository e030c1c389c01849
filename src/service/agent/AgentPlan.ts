/**
 * The plan of a run: its request with defaults, and with options of earlier turns.
 *
 * The same request and the same thread give the same plan, whether the request has just arrived or is read from the store
 * after a restart. A turn without schema, urls, strictConstrainToURLs or providers takes those of the turn before.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type AgentMode, AgentRequest, type Effort } from "#contract/Agent"
import { type BadRequest, Unprocessable } from "#contract/Errors"
import type { OnTermsRequired } from "#contract/Exchange"
import { keepsUnsupported } from "#contract/Formats"
import * as JsonSchema from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"
import * as PageUrl from "#contract/PageUrl"
import type { Wanted } from "#extract/Extractor"
import type { Job } from "#web/Job"
import * as ScrapePlan from "#web/ScrapePlan"
import * as AgentResult from "./AgentResult.ts"
import { AgentStore, type Run } from "./AgentStore.ts"

export interface AgentPlan {
  readonly wanted: Wanted
  /** The prompts of all turns, the last one at the end. */
  readonly words: string
  readonly urls: ReadonlyArray<URL>
  readonly isStrict: boolean
  readonly maxCredits: number
  readonly mode: AgentMode
  /** The maximum number of pages, and of link hops from the first pages. */
  readonly pages: number
  readonly depth: number
  /** Whether links that do not look relevant are followed too, after all others. */
  readonly followsAll: boolean
  /** The maximum number of turns of a model. */
  readonly turns: number
  readonly scrape: ScrapePlan.ScrapePlan
  readonly exchange: ExchangePlan
}

interface ExchangePlan {
  readonly enabled: boolean
  readonly toolkits: ReadonlyArray<string> | undefined
  readonly maxCalls: number
  readonly requireApproval: boolean
  readonly onTermsRequired: OnTermsRequired
  /** The providers that the user has declined in this thread. */
  readonly declined: ReadonlySet<string>
  /** The providers whose calls the user has approved in this thread. */
  readonly approved: ReadonlySet<string>
}

/** The limits of a run, by its effort. */
const reach: Readonly<Record<Effort, Pick<AgentPlan, "depth" | "followsAll" | "pages" | "turns">>> = {
  low: { pages: 10, depth: 1, followsAll: false, turns: 10 },
  medium: { pages: 40, depth: 2, followsAll: false, turns: 30 },
  high: { pages: 150, depth: 4, followsAll: true, turns: 100 }
}

export const ofRequest = Effect.fnUntraced(function* (
  request: AgentRequest,
  before: ReadonlyArray<Run>
): Effect.fn.Return<AgentPlan, BadRequest | Unprocessable> {
  const problem = request.schema == null ? undefined : JsonSchema.problem(request.schema)
  if (problem !== undefined) return yield* new Unprocessable({ message: `the JSON Schema is not valid: ${problem}` })
  const turns = before.flatMap(({ job }) => Option.toArray(decode(job.request)))
  const requests = [...turns, request]
  const lastSaid = <A>(of: (turn: AgentRequest) => A | null | undefined): A | undefined =>
    requests.map(of).findLast((value) => value != null) ?? undefined
  const words = requests
    .map(({ prompt }) => prompt)
    .join("\n")
    .slice(-maxWords)
  const plan: AgentPlan = {
    wanted: {
      schema: lastSaid(({ schema }) => schema),
      prompt: words,
      showsConsidered: lastSaid(({ showSources }) => showSources) ?? false,
      keepsUnsupported: keepsUnsupported(lastSaid(({ unsupported }) => unsupported))
    },
    words,
    urls: (lastSaid(({ urls }) => (urls?.length === 0 ? null : urls)) ?? []).flatMap(
      (url) => PageUrl.normalize(url.trim()) ?? []
    ),
    isStrict: lastSaid(({ strictConstrainToURLs }) => strictConstrainToURLs) ?? false,
    maxCredits: request.maxCredits ?? Limits.defaultAgentCredits,
    mode: request.mode ?? "extract",
    ...reach[request.effort ?? "medium"],
    scrape: yield* scrapeOf(request.prompt),
    exchange: exchangeOf(request, requests, before)
  }
  return plan
})

/** The maximum number of characters of the prompts of all turns: the end counts. */
const maxWords = 2 * Limits.maxPromptLength

/** A run whose request cannot be read from the store. */
class UnreadableRun extends Schema.TaggedError<UnreadableRun>()("UnreadableRun", { message: Schema.String }) {}

/** The plan of a run in the store. */
export const ofJob = Effect.fnUntraced(function* ({ id, request }: Job) {
  const store = yield* AgentStore
  const run = Option.getOrUndefined(yield* store.run(id))
  const decoded = Option.getOrUndefined(decode(request))
  if (run === undefined || decoded === undefined) {
    return yield* new UnreadableRun({
      message: "the service was restarted and can no longer read the request of the run: start it again"
    })
  }
  const turns = yield* store.turns(run.threadId)
  const before = turns.filter(({ turn }) => turn < run.turn)
  return yield* Effect.mapError(ofRequest(decoded, before), ({ message }) => new UnreadableRun({ message }))
})

/** Adds a screenshot or the HTML of pages, if the prompt asks for it. */
const scrapeOf = (prompt: string) =>
  ScrapePlan.ofOptions({
    formats: [
      "rawHtml",
      "markdown",
      ...(/\bscreenshots?\b/i.test(prompt) ? (["screenshot"] as const) : []),
      ...(/\bhtml\b/i.test(prompt) ? (["html"] as const) : [])
    ]
  })

const exchangeOf = (
  { exchange }: AgentRequest,
  requests: ReadonlyArray<AgentRequest>,
  before: ReadonlyArray<Run>
): ExchangePlan => {
  const inherited = <A>(of: (turn: NonNullable<AgentRequest["exchange"]>) => A | null | undefined): A | undefined =>
    requests
      .map((turn) => (turn.exchange == null ? undefined : of(turn.exchange)))
      .findLast((value) => value != null) ?? undefined
  const answered = before.flatMap(({ resolution, result }) => {
    const approval = AgentResult.read(result)?.pendingApproval
    return resolution === null || approval === undefined ? [] : [{ resolution, approval }]
  })
  return {
    enabled: inherited(({ enabled }) => enabled) ?? true,
    toolkits: inherited(({ toolkits }) => toolkits),
    maxCalls: exchange?.maxCalls ?? 5,
    requireApproval: inherited(({ requireApproval }) => requireApproval) ?? false,
    onTermsRequired: inherited(({ onTermsRequired }) => onTermsRequired) ?? "skip",
    declined: new Set(
      answered.flatMap(({ approval, resolution }) =>
        resolution.approved ? [] : [...approval.terms, ...approval.calls].map(({ provider }) => provider)
      )
    ),
    approved: new Set(
      // An approval counts for the turn that gives it, or with `always` for all later turns.
      answered.flatMap(({ approval, resolution: { always, approved, callIds } }) =>
        approval.kind !== "calls" || !approved || !(always || exchange?.approve?.approvalId === approval.id)
          ? []
          : approval.calls.filter(({ id }) => callIds.includes(id)).map(({ provider }) => provider)
      )
    )
  }
}

export const decode = Schema.decodeUnknownOption(Schema.fromJsonString(AgentRequest))
