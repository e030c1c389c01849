/**
 * One agent run: it looks for data in the most promising pages, or in those that a model requests, and records each step.
 *
 * The steps of a run: plan -> call the providers that it may call -> find pages if none are given -> read them host by
 * host, the best leads first -> write the data as it grows -> report. Specification, Agent run: a cancel is obeyed before
 * the next round of pages; a run whose `maxCredits` does not cover its next page fails and costs nothing; the trace ends
 * with `run.finished`, in the transaction that ends the run.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { escapeText } from "#base/HtmlPage"
import type { Unprocessable } from "#contract/Errors"
import { isSchema, type Json } from "#contract/JsonSchema"
import * as PageUrl from "#contract/PageUrl"
import { Extractor } from "#extract/Extractor"
import * as FilledPage from "#extract/FilledPage"
import { AgentModel, type Thinking } from "#web/AgentModel"
import { CrawlStore } from "#web/CrawlStore"
import type { Lead } from "#web/Gather"
import * as Gather from "#web/Gather"
import { interleave } from "#web/interleave"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import type { Scraped } from "#web/Scraper"
import { Search } from "#web/Search"
import type { StoreError } from "#web/StoreError"
import type { Turns } from "#web/Turns"
import { Catalog } from "../Catalog.ts"
import type { Provider } from "../Provider.ts"
import type { Records } from "../ProviderCalls.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import { AgentStore } from "./AgentStore.ts"
import { openSessions } from "./activeSessions.ts"
import * as CollectedData from "./CollectedData.ts"
import * as finishRun from "./finishRun.ts"
import type { ModelData, ModelFailure } from "./ModelRun.ts"
import * as Providers from "./Providers.ts"
import * as Reader from "./Reader.ts"
import * as Reading from "./Reading.ts"
import * as Recorder from "./Recorder.ts"
import * as StopReason from "./StopReason.ts"
import * as SubAgents from "./SubAgents.ts"
import { orchestrator } from "./SubAgents.ts"

export const run = Effect.fn("AgentRun.run")(function* (job: Job, plan: AgentPlan, turns: Turns) {
  const recorder = yield* Recorder.open(job.id)
  const team = SubAgents.start(recorder)
  const choice = yield* Providers.choose(job.teamId, plan)
  const harvest = CollectedData.start(plan.wanted.schema, yield* FilledPage.all(job.id))
  const startedAt = yield* Clock.currentTimeMillis
  const called = { calls: 0, credits: 0 }

  let model: ModelData | ModelFailure | undefined

  const work = Effect.gen(function* () {
    yield* begin(plan, recorder, choice)
    for (const provider of choice.usable) {
      yield* StopReason.checkStop(job.id)
      if (!wasAsked(recorder, provider)) {
        yield* StopReason.checkCredits(job.id, plan, provider.cost)
        yield* turns.reserve(provider.cost)
      }
      const page = yield* askProvider(provider, plan, recorder)
      if (page === undefined) continue
      called.calls += 1
      called.credits += provider.cost
      const version = harvest.add(page)
      if (version !== undefined) yield* recorder.write(SubAgents.orchestrator, version)
    }
    model = yield* readPages(job, plan, turns, { recorder, team, harvest })
    if ((model === undefined || "failure" in model) && harvest.pages().length === 0) return yield* nothingFound(job.id)
    // A page may have cost more than expected, such as a PDF.
    yield* StopReason.checkCredits(job.id, plan, 0)
  })

  const stop = yield* work.pipe(
    Effect.as(undefined),
    Effect.catchTag("Stopped", (stop) => Effect.succeed(stop)),
    Effect.catchTag("OutOfCredits", () => Effect.succeed(StopReason.outOfCredits)),
    Effect.catchTag("Unprocessable", ({ message }) => Effect.succeed(StopReason.failed(message))),
    Effect.catchTag("Refused", ({ message }) => Effect.succeed(StopReason.refused(message))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a run ended unexpectedly", defect), StopReason.broken))
  )
  yield* team.finish(yield* hostsThatWait(job.id), stop?.error)
  return yield* finishRun.endOf({ job, plan, recorder, harvest, model, choice, called, stop, startedAt })
})

/** Ends a run that cannot be continued, because its request cannot be read from the store. */
export const unreadable = Effect.fnUntraced(function* (job: Job, message: string) {
  const recorder = yield* Recorder.open(job.id)
  yield* SubAgents.start(recorder).finish(new Set(), StopReason.failed(message).error)
  return yield* finishRun.unreadable(job, recorder, StopReason.failed(message))
})

/** Records the start of a run, or that it continues after a restart. */
const begin = Effect.fnUntraced(function* (plan: AgentPlan, recorder: Recorder.Recorder, choice: Providers.Choice) {
  const { orchestrator } = SubAgents
  if (!recorder.isNew) {
    // The browser sessions of a dead process have ended with it.
    const now = yield* Clock.currentTimeMillis
    for (const { agent, id: sessionId, startedAt } of openSessions(recorder.before)) {
      yield* recorder.tell(agent, { type: "browser.session.finished", sessionId, durationMs: now - startedAt })
    }
    const message = "the service was restarted; the run continues with the remaining pages"
    return yield* recorder.tell(orchestrator, { type: "progress.reported", phase: "working", message })
  }
  const where = plan.urls.length > 0 ? `${plan.urls.length} given pages` : "pages that a search finds"
  const gated = choice.gated.map(({ name }) => name)
  const text = [
    `Begin with ${where}${plan.isStrict ? " and read no other" : `, and follow links that promise more, ${plan.depth} hops at most`}.`,
    `Read ${plan.pages} pages at most and spend no more than ${plan.maxCredits} credits.`,
    ...choice.usable.map(({ name }) => `Ask ${name} first.`),
    ...(gated.length === 0 ? [] : [`${gated.join(", ")} would help, but its terms are not accepted.`])
  ].join(" ")
  yield* recorder.tell(
    orchestrator,
    { type: "run.started" },
    { type: "agent.started" },
    { type: "progress.reported", phase: "planning", message: "the run is planned" },
    { type: "reasoning.summary", text }
  )
})

interface Parts {
  readonly recorder: Recorder.Recorder
  readonly team: SubAgents.SubAgents
  readonly harvest: CollectedData.CollectedData
}

/** Lets the model choose the pages, if there is one. Without one, or if it fails, reads the best leads first. */
const readPages = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, turns: Turns, parts: Parts) {
  const agents = yield* AgentStore
  const extractor = yield* Extractor
  const thinking = Option.getOrUndefined((yield* AgentModel).thinking)
  const reader = Reader.start(plan, parts.harvest.pages())
  const reading = Reading.start({
    ...parts,
    plan,
    reader,
    // A model that drives the run reads the pages itself: rules fill the schema only to help it.
    fill: thinking === undefined ? extractor.fill : extractor.fillByRules,
    append: (events, snapshots, action) => agents.append(job.id, events, snapshots, action)
  })
  const gathering: Gathering = {
    scrape: plan.scrape,
    concurrency: Gather.pagesAtOnce,
    limit: plan.pages,
    first: findPages(job, plan, parts.recorder),
    keep: reading.keep,
    leadsOf: reading.leadsOf,
    begun: reading.begun,
    ended: reading.ended,
    goesOn: goesOn(job, plan, reading)
  }
  const search: PageSearch = { job, plan, turns, recorder: parts.recorder, reader, reading, gathering }
  if (thinking === undefined) {
    yield* readBest(search, undefined)
    return undefined
  }
  const { given, leads } = yield* letModelRead(search, thinking)
  if ("failure" in given) yield* readBest(search, leads)
  return given
})

type Gathering = Gather.Plan<
  StopReason.Stopped | Unprocessable | StoreError,
  AgentStore | CrawlStore | JobStore | Search
>

/** What the ways to read pages share. */
interface PageSearch {
  readonly job: Job
  readonly plan: AgentPlan
  readonly turns: Turns
  readonly recorder: Recorder.Recorder
  readonly reader: Reader.Reader
  readonly reading: ReturnType<typeof Reading.start>
  readonly gathering: Gathering
}

const goesOn = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, reading: PageSearch["reading"]) {
  const jobs = yield* JobStore
  if (yield* jobs.isAskedToStop(job.id)) return yield* StopReason.cancelled
  if (reading.hasEnough()) return false
  yield* StopReason.checkCredits(job.id, plan, Reading.pageCredits)
  return true
})

/** Reads the pages that the model requests. `leads` are links that it has seen. */
const letModelRead = Effect.fnUntraced(function* (
  { gathering, job, plan, reader, reading, recorder, turns }: PageSearch,
  thinking: Thinking
) {
  const agents = yield* AgentStore
  const leads: Array<Gather.Lead> = []
  const leadsOf = (page: Scraped, lead: Gather.Lead) => {
    leads.push(...reading.leadsOf(page, lead))
    return []
  }
  const driven = yield* Gather.start(job, { ...gathering, first: Effect.succeed([]), leadsOf }, turns)
  const { drive } = yield* Effect.promise(() => import("./ModelRun.ts"))
  const given = yield* drive({
    job,
    plan,
    thinking,
    recorder,
    reader,
    read: Effect.fnUntraced(function* (url, depth) {
      yield* StopReason.checkStop(job.id)
      yield* StopReason.checkCredits(job.id, plan, Reading.pageCredits)
      return yield* driven.read({ url, depth, kind: reader.isGiven(url) ? "start" : "link", score: 0 })
    }),
    check: Effect.gen(function* () {
      yield* StopReason.checkStop(job.id)
      yield* StopReason.checkCredits(job.id, plan, turnCredits)
      yield* turns.reserve(turnCredits)
      yield* agents.record(job.id, { events: [], credits: turnCredits })
    })
  })
  return { given, leads }
})

/**
 * Reads the best leads first. `leads` are those of a model that has failed: if it has read pages, the ledger is not empty, so
 * the first pages and these links are added.
 */
const readBest = Effect.fnUntraced(function* (
  { gathering, job, plan, reading, turns }: PageSearch,
  leads: ReadonlyArray<Gather.Lead> | undefined
) {
  const store = yield* CrawlStore
  const { credits } = yield* store.ledger(job.id)
  /** How many pages the remaining credits cover. */
  const room = Math.max(1, Math.floor((plan.maxCredits - credits) / Reading.pageCredits))
  const limit = Math.min(plan.pages, (yield* store.count(job.id)) + room)
  const first = leads === undefined ? gathering.first : Effect.succeed([])
  const byRule = yield* Gather.start(job, { ...gathering, first, limit }, turns)
  if (leads !== undefined) yield* byRule.offer([...(yield* gathering.first), ...leads])
  yield* byRule.readAll
  // If pages are left because of their cost, and more are needed, the run has reached its credit limit.
  const [waitingPage] = yield* store.waiting(job.id, -1, 1)
  const isShort = room < plan.pages && (yield* store.count(job.id)) < plan.pages
  if (waitingPage !== undefined && isShort && !reading.hasEnough())
    yield* StopReason.checkCredits(job.id, plan, Reading.pageCredits)
})

/** The credits of each turn of a model. */
const turnCredits = 1

const nothingFound = Effect.fnUntraced(function* (id: string) {
  const store = yield* CrawlStore
  const [failure] = yield* store.failures(id)
  const [blocked] = yield* store.blocked(id)
  const message =
    failure !== undefined
      ? `no page could be read: ${failure.url}: ${failure.error}`
      : blocked !== undefined
        ? `no page could be read: robots.txt of ${blocked} does not allow it`
        : "no page was found for the prompt; name urls, or crawl a site first"
  return yield* StopReason.failed(message)
})

const hostsThatWait = Effect.fnUntraced(function* (id: string) {
  const store = yield* CrawlStore
  const waiting = yield* store.waiting(id, -1, 1000)
  return new Set(waiting.map(({ url }) => PageUrl.bareHost(new URL(url))))
})

/**
 * The first pages of a run: the given pages, or else those that the prompt names and a search finds.
 *
 * A run that is constrained to its URLs does not search.
 */
const findPages = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, recorder: Recorder.Recorder) {
  const given = plan.urls.map((url): Lead => ({ url, depth: 0, kind: "start", score: 100 }))
  if (plan.isStrict || given.length > 0) return given
  return [...given, ...(yield* searched(job, plan, recorder))]
})

const searched = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, recorder: Recorder.Recorder) {
  const search = yield* Search
  const named = [...plan.words.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/g)].flatMap(([href]) => PageUrl.normalize(href) ?? [])
  const hits = yield* recorder.tool(
    orchestrator,
    "search",
    { query: plan.words },
    Effect.gen(function* () {
      const local = yield* search.local(job.teamId, plan.words, maxHits)
      const web = yield* Effect.result(search.web(plan.words, maxHits))
      const merged = interleave(local, web._tag === "Success" ? web.success : [], maxHits)
      const result: { readonly [name: string]: Json } = {
        hits: merged.map(({ title, url }) => ({ url, title })),
        ...(web._tag === "Failure" ? { error: web.failure.message } : {})
      }
      return { value: merged, result }
    })
  )
  const urls = [...named, ...hits.flatMap(({ url }) => PageUrl.normalize(url) ?? [])]
  return urls.map(
    (url, at): Lead => ({ url, depth: 0, kind: at < named.length ? "start" : "external", score: 60 - at })
  )
})

/** The maximum number of pages from a search. */
const maxHits = 10

/**
 * Calls a data provider, and reads its records like a page. A call that succeeded before a restart is not repeated. A call
 * without records is free: the trace has the reason, and the run continues without the provider.
 */
const askProvider = Effect.fnUntraced(function* (provider: Provider, plan: AgentPlan, recorder: Recorder.Recorder) {
  const { id, name } = provider
  const { fill } = yield* Extractor
  const records = recordsBefore(recorder, id) ?? (yield* callProvider(provider, plan, recorder))
  if (records === undefined) return undefined
  const url = `https://providers.invalid/${id}`
  const page = { url, html: tableOf(name, records), metadata: {} }
  return yield* fill(page, plan.wanted).pipe(
    Effect.map((filled): FilledPage.FilledPage => ({ url, filled })),
    Effect.catchTag("FetchError", ({ message }) => Effect.as(tellError(recorder, message), undefined))
  )
})

interface ProviderRecords {
  readonly records?: Records
  readonly error?: string
}

const callProvider = Effect.fnUntraced(function* (
  provider: Provider,
  { words }: AgentPlan,
  recorder: Recorder.Recorder
) {
  const { call } = yield* Catalog
  const { capability, cost, id } = provider
  const called = call(provider, { query: words, options: {} }).pipe(
    Effect.map(
      (records): Recorder.Called<ProviderRecords> => ({
        value: { records },
        result: { records: [...records] },
        credits: cost
      })
    ),
    Effect.catchTag("ProviderFailed", ({ message }) => {
      const result: Json = { error: message }
      return Effect.succeed<Recorder.Called<ProviderRecords>>({ value: { error: message }, result })
    })
  )
  const parameters = { provider: id, capability, query: words }
  const { error, records } = yield* recorder.tool(orchestrator, "provider", parameters, called)
  if (error !== undefined) yield* tellError(recorder, error)
  return records
})

const tellError = (recorder: Recorder.Recorder, message: string) =>
  recorder.tell(orchestrator, {
    type: "error.occurred",
    error: { code: "internal", source: "tool", retryable: true, message }
  })

/** Whether the provider was called, and paid for, before a restart. */
const wasAsked = (recorder: Recorder.Recorder, { id }: Provider): boolean => recordsBefore(recorder, id) !== undefined

const recordsBefore = ({ gave }: Recorder.Recorder, id: string) => {
  const result = gave("provider", (parameters) => isSchema(parameters) && parameters["provider"] === id)
  const records = isSchema(result) ? result["records"] : undefined
  return Array.isArray(records) ? records.filter(isSchema) : undefined
}

const tableOf = (name: string, records: ReadonlyArray<{ readonly [name: string]: unknown }>): string => {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const head = columns.map((column) => `<th>${escapeText(column.replaceAll("_", " "))}</th>`).join("")
  const rows = records.map(
    (record) => `<tr>${columns.map((column) => `<td>${escapeText(textOf(record[column] ?? ""))}</td>`).join("")}</tr>`
  )
  return `<h1>${escapeText(name)}</h1><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

const textOf = (cell: unknown): string => (typeof cell === "string" ? cell : JSON.stringify(cell))
