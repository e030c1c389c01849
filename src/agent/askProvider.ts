/**
 * Asks a data provider, and takes its records as a page like any other. One that was asked before a restart is not asked
 * again.
 */
import * as Effect from "effect/Effect"
import { Extractor } from "../extract/Extractor.ts"
import type { FilledPage } from "../extract/FilledPage.ts"
import { isSchema } from "../jsonSchema/JsonSchema.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import type { Provider } from "./Catalog.ts"
import type { Recorder } from "./Recorder.ts"
import { orchestrator } from "./SubAgents.ts"

export const askProvider = Effect.fnUntraced(function* (
  { call, capability, cost, id, name }: Provider,
  plan: AgentPlan,
  recorder: Recorder
) {
  const { fill } = yield* Extractor
  const records =
    recordsBefore(recorder, id) ??
    (yield* recorder.tool(
      orchestrator,
      "provider",
      { provider: id, capability, query: plan.words },
      Effect.sync(() => {
        const { records } = call({ query: plan.words })
        return { value: records, result: { records: records.map((record) => ({ ...record })) }, credits: cost }
      })
    ))
  const url = `https://providers.invalid/${id}`
  const page: FilledPage = {
    url,
    filled: yield* fill({ url, html: tableOf(name, records), metadata: {} }, plan.wanted)
  }
  return page
})

/** Whether it was asked, and paid for, before a restart. */
export const wasAsked = (recorder: Recorder, { id }: Provider): boolean => recordsBefore(recorder, id) !== undefined

const recordsBefore = ({ gave }: Recorder, id: string) => {
  const result = gave("provider", (parameters) => isSchema(parameters) && parameters["provider"] === id)
  const records = isSchema(result) ? result["records"] : undefined
  return Array.isArray(records) ? records.filter(isSchema) : undefined
}

const tableOf = (name: string, records: ReadonlyArray<{ readonly [name: string]: unknown }>): string => {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const head = columns.map((column) => `<th>${escape(column.replaceAll("_", " "))}</th>`).join("")
  const rows = records.map(
    (record) => `<tr>${columns.map((column) => `<td>${escape(textOf(record[column] ?? ""))}</td>`).join("")}</tr>`
  )
  return `<h1>${escape(name)}</h1><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

const textOf = (cell: unknown): string => (typeof cell === "string" ? cell : JSON.stringify(cell))

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
