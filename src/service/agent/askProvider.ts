/**
 * Calls a data provider, and reads its records like a page. A call that succeeded before a restart is not repeated. A call
 * without records is free: the trace has the reason, and the run continues without the provider.
 */
import * as Effect from "effect/Effect"
import { escapeText } from "#base/HtmlPage"
import { isSchema, type Json } from "#contract/JsonSchema"
import { Extractor } from "#extract/Extractor"
import type * as FilledPage from "#extract/FilledPage"
import { Catalog } from "../Catalog.ts"
import type { Provider } from "../Provider.ts"
import type { Records } from "../ProviderCalls.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import type * as Recorder from "./Recorder.ts"
import { orchestrator } from "./SubAgents.ts"

export const askProvider = Effect.fnUntraced(function* (
  provider: Provider,
  plan: AgentPlan,
  recorder: Recorder.Recorder
) {
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
export const wasAsked = (recorder: Recorder.Recorder, { id }: Provider): boolean =>
  recordsBefore(recorder, id) !== undefined

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
