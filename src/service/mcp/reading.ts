/**
 * Reads one page, and the rest of an answer that was cut.
 */
import * as Effect from "effect/Effect"
import type { Arguments, Outcome } from "../McpTool.ts"
import { answerText } from "../mcpAnswerText.ts"
import { kinds, partOf, readJob } from "../mcpJobs.ts"
import { isGood, problem, type ServiceCall } from "../ServiceCall.ts"
import * as Of from "../toolArguments.ts"

export const scrape = Effect.fnUntraced(function* (service: ServiceCall, given: Arguments) {
  if (given["catalog"] !== undefined || given["alexandria"] !== undefined) return termsNeedAPerson
  const answer = yield* service({ method: "POST", path: "/v2/scrape", body: Of.scrapeRequest(given) })
  return isGood(answer) ? pageText(answer.body, 0) : problem(answer)
})

/** A model may call tools by itself, so no tool accepts terms or pays a provider. */
const termsNeedAPerson: Outcome = {
  texts: [
    "Calls of data providers cost money and need terms that a person has accepted, so this tool does not make them. What to do: use firecrawl_agent, which asks for approval before it calls one."
  ],
  isError: true
}

const pageText = (body: Arguments, offset: number): Outcome => {
  const { data } = body
  const metadata = Of.isFields(data) ? data["metadata"] : undefined
  const id = Of.isFields(metadata) ? metadata["scrapeId"] : undefined
  const place = typeof id === "string" ? { of: "scrape", id } : undefined
  return answerText(JSON.stringify(data ?? body), offset, place, "includeTags, or the format json, gives less.")
}

export const read = Effect.fnUntraced(function* (service: ServiceCall, given: Arguments) {
  const { id, of } = given
  const kind = Object.values(kinds).find((one) => one.of === of)
  if (kind !== undefined) return yield* readJob(service, kind, String(id ?? ""), partOf(given))
  if (of !== "scrape") {
    return { texts: [`of must be scrape, ${Object.keys(kinds).join(", ")}, not ${JSON.stringify(of)}`], isError: true }
  }
  const answer = yield* service({ method: "GET", path: `/v2/scrape/${encodeURIComponent(String(id ?? ""))}` })
  return isGood(answer) ? pageText(answer.body, partOf(given).offset) : problem(answer)
})
