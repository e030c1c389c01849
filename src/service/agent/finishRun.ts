/**
 * Makes the end of a run: its result, its last events, its cost and the event for its webhook.
 *
 * Guarantee (specification, Agent run): a run that did not succeed has no data and costs nothing, and the cost of its
 * tools is refunded; the status of a cancelled run is `failed`, and its webhook gets `agent.cancelled`.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { capital } from "#base/Words"
import type { Json } from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"
import type { Happening, TraceError } from "#contract/Trace"
import { CrawlStore } from "#web/CrawlStore"
import type { End, Job } from "#web/Job"
import { unsupportedWarning } from "#web/SchemaFiller"
import type { AgentPlan } from "./AgentPlan.ts"
import type { AgentResult, Outcome } from "./AgentResult.ts"
import { AgentStore } from "./AgentStore.ts"
import * as CollectedData from "./CollectedData.ts"
import type { ModelData, ModelFailure } from "./ModelRun.ts"
import * as Providers from "./Providers.ts"
import type { Recorder } from "./Recorder.ts"
import * as SubAgents from "./SubAgents.ts"

interface Parts {
  readonly job: Job
  readonly plan: AgentPlan
  readonly recorder: Recorder
  readonly harvest: CollectedData.CollectedData
  /** The data of the model, if one has driven the run, or why it gave none. */
  readonly model: ModelData | ModelFailure | undefined
  readonly choice: Providers.Choice
  readonly called: { readonly calls: number; readonly credits: number }
  /** Why the run stopped early; undefined: it did not. */
  readonly stop: Stop | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

export const endOf = Effect.fnUntraced(function* (parts: Parts) {
  const store = yield* CrawlStore
  const { credits: spent } = yield* store.ledger(parts.job.id)
  if (parts.stop !== undefined) return yield* stopped(parts, parts.stop, spent)
  // If a request to cancel arrives before the end is stored, the run ends as cancelled.
  return { ...(yield* succeeded(parts, spent)), ifAskedToStop: yield* stopped(parts, cancelled, spent) }
})

/** Why a run stopped early. */
interface Stop {
  readonly outcome: Exclude<Outcome, "succeeded">
  readonly error: TraceError
}

export const cancelled: Stop = {
  outcome: "cancelled",
  error: { code: "cancelled", source: "system", retryable: true, message: "the run was cancelled" }
}

const stopped = Effect.fnUntraced(function* (parts: Parts, { error, outcome }: Stop, spent: number) {
  const { choice, called, job, plan } = parts
  const agents = yield* AgentStore
  const { exchange } = Providers.summarize(plan, choice, called)
  const result: AgentResult = { outcome, exchange: { ...exchange, paidCalls: 0, creditsUsed: null } }
  const isCancelled = outcome === "cancelled"
  const happenings: ReadonlyArray<Happening> = [
    { type: "error.occurred", error },
    {
      type: "agent.finished",
      outcome: outcome === "credit_limit_reached" ? "failed" : outcome,
      durationMs: yield* durationOf(parts),
      error
    },
    { type: "run.finished", outcome, error }
  ]
  const end: End = {
    status: isCancelled ? "cancelled" : "failed",
    error: error.message,
    result: JSON.stringify(result),
    credits: -spent,
    event: { name: isCancelled ? "cancelled" : "failed", success: false, data: JSON.stringify([{ creditsUsed: 0 }]) },
    also: agents.append(job.id, yield* parts.recorder.events(SubAgents.orchestrator, happenings), [])
  }
  return end
})

/** The end of a run whose request cannot be read from the store. */
export const unreadable = Effect.fnUntraced(function* (job: Job, recorder: Recorder, { error, outcome }: Stop) {
  const agents = yield* AgentStore
  const { credits: spent } = yield* (yield* CrawlStore).ledger(job.id)
  const exchange = {
    enabled: true,
    onTermsRequired: "skip",
    paidCalls: 0,
    creditsUsed: null,
    skippedProviders: []
  } as const
  const result: AgentResult = { outcome, exchange }
  const events = yield* recorder.events(SubAgents.orchestrator, [
    { type: "error.occurred", error },
    { type: "run.finished", outcome, error }
  ])
  const end: End = {
    status: "failed",
    error: error.message,
    result: JSON.stringify(result),
    credits: -spent,
    event: { name: "failed", success: false, data: JSON.stringify([{ creditsUsed: 0 }]) },
    also: agents.append(job.id, events, [])
  }
  return end
})

const succeeded = Effect.fnUntraced(function* (parts: Parts, spent: number) {
  const { choice, called, job, plan, recorder } = parts
  const agents = yield* AgentStore
  const { failure, given } = partsOf(parts.model)
  const { data, missing, sources, unclear } = given ?? parts.harvest.result()
  const unsupported = given?.unsupported ?? []
  const notes = [
    ...(unsupported.length === 0 ? [] : [unsupportedWarning(unsupported)]),
    ...(failure === undefined ? [] : [failure]),
    ...(yield* unreadOf(job.id))
  ]
  const warning = notes.length === 0 ? undefined : notes.join("; ")
  // The words of a model may say what was left out of its data.
  const ownMessage = unsupported.length === 0 ? given?.message : undefined
  const message =
    ownMessage ??
    reportOf(
      { data, missing, sources, unclear },
      parts.harvest.pages().map(({ url }) => url),
      notes
    )
  if (given !== undefined) {
    const content = JSON.stringify(data)
    const version = {
      path: "result.json",
      kind: "json",
      content,
      change: "update",
      itemCount: CollectedData.countOf(data)
    } as const
    yield* recorder.write(SubAgents.orchestrator, version)
  }
  const isChat = plan.mode === "chat"
  if (isChat)
    yield* recorder.write(SubAgents.orchestrator, {
      path: "answer.txt",
      kind: "text",
      content: message,
      change: "init"
    })
  const result: AgentResult = {
    outcome: "succeeded",
    ...(isChat ? {} : { data, sources, ...consideredIn(parts, data) }),
    missing,
    ...(unclear.length === 0 ? {} : { unclear }),
    ...(unsupported.length === 0 ? {} : { unsupported }),
    ...(warning === undefined ? {} : { warning }),
    engine: given?.engine ?? parts.harvest.engine(),
    message,
    ...(missing.length === 0 ? {} : { suggestions: suggestionsOf(missing) }),
    ...Providers.summarize(plan, choice, called)
  }
  const happenings: ReadonlyArray<Happening> = [
    { type: "progress.reported", phase: "finalizing", message: "the data is written down" },
    { type: "agent.finished", outcome: "succeeded", durationMs: yield* durationOf(parts), error: null },
    { type: "run.finished", outcome: "succeeded", error: null }
  ]
  const end: End = {
    status: "completed",
    result: JSON.stringify(result),
    event: {
      name: "completed",
      success: true,
      data: JSON.stringify([{ creditsUsed: spent, data: isChat ? null : data }])
    },
    also: agents.append(job.id, yield* recorder.events(SubAgents.orchestrator, happenings), [])
  }
  return end
})

/** What the pages offered to the fields, if that is wanted. */
const consideredIn = ({ harvest }: Parts, data: Json) => {
  const considered = harvest.considered(data)
  return considered.length === 0 ? {} : { considered }
}

const durationOf = ({ startedAt }: Parts) => Effect.map(Clock.currentTimeMillis, (now) => now - startedAt)

const partsOf = (model: Parts["model"]): { readonly given?: ModelData; readonly failure?: string } =>
  model === undefined ? {} : "failure" in model ? model : { given: model }

/** The pages that could not be read: what they say is not known. */
const unreadOf = Effect.fnUntraced(function* (id: string) {
  const store = yield* CrawlStore
  const failures = (yield* store.failures(id)).map(({ error, url }) => `${url}: ${error}`)
  const blocked = (yield* store.blocked(id)).map((url) => `${url}: robots.txt does not allow it`)
  const [first, ...others] = [...failures, ...blocked]
  if (first === undefined) return []
  return [
    others.length === 0 ? `a page was not read: ${first}` : `${others.length + 1} pages were not read, first ${first}`
  ]
})

/**
 * The data as a text for people: verbatim passages, values by name, rows of lists; then every page that was read. What the
 * pages do not say is kept apart from what was not read, or not understood.
 */
const reportOf = (
  { data, missing, sources, unclear }: CollectedData.Collected,
  pages: ReadonlyArray<string>,
  notes: ReadonlyArray<string>
): string => {
  const lines = CollectedData.linesOf(data).slice(0, maxLines)
  const read = `${pages.length} ${pages.length === 1 ? "page was" : "pages were"} read.`
  const note = notes.map((text) => `${capital(text)}.`)
  // What a model should have read, or a page that failed, may well say it.
  const namesOf = (pointers: ReadonlyArray<string>) =>
    [...new Set(pointers.map(nameOf))].filter((name) => name !== "answer").slice(0, 10)
  const open = namesOf(unclear)
  const notUnderstood =
    open.length === 0 ? [] : [`Named on a page, and not understood: ${open.join(", ")}. The page may say it.`]
  if (lines.length === 0)
    return [
      ...note,
      ...notUnderstood,
      notes.length === 0 && open.length === 0 ? "The pages that were read do not say it." : "Nothing else was found.",
      read
    ].join(" ")
  const names = namesOf(missing.filter((pointer) => !unclear.includes(pointer)))
  const gaps = names.length === 0 ? [] : [`Read, and not said by every page: ${names.join(", ")}.`]
  const full =
    CollectedData.countOf(data) < CollectedData.maxRows
      ? []
      : [`One run gives about ${CollectedData.maxRows} rows: split the job for more.`]
  const urls = new Set(Object.values(sources).flatMap((some) => some.map(({ url }) => url)))
  const others = [...new Set(pages)].filter((url) => !urls.has(url))
  const listed = (title: string, some: ReadonlyArray<string>) =>
    some.length === 0 ? [] : [`${title}:\n${some.map((url) => `- ${url}`).join("\n")}`]
  return [
    lines.join("\n"),
    ...note,
    ...gaps,
    ...notUnderstood,
    ...full,
    ...(urls.size === 0 ? [read] : []),
    ...listed("Sources", [...urls]),
    ...listed("Also read", others)
  ].join("\n\n")
}

const maxLines = 50

const suggestionsOf = (missing: ReadonlyArray<string>) =>
  [...new Set(missing.map(nameOf))].slice(0, 3).map((name) => ({
    label: `Look for ${name}`,
    prompt: `Look further for ${name}.`
  }))

/** The name in a JSON pointer: "/offers/0/price" becomes "price". */
const nameOf = (pointer: string): string =>
  (pointer.split("/").findLast((step) => !/^\d*$/.test(step)) ?? "the data").replaceAll("_", " ")

/**
 * Whether a run that starts now is free (specification, Limits: free runs): the first five runs of a team on each day (UTC)
 * are; but a run with a larger `maxCredits` than the default is never free.
 */
export const isFree = Effect.fnUntraced(function* (teamId: string, { maxCredits }: AgentPlan, now: number) {
  if (maxCredits > Limits.defaultAgentCredits) return false
  const agents = yield* AgentStore
  const day = 24 * 60 * 60 * 1000
  const before = yield* agents.startedBetween(teamId, Math.floor(now / day) * day, now + 1)
  return before < Limits.freeAgentRuns
})
