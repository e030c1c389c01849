/**
 * Describes a job for its caller: its end, its failures with reasons, and a better request.
 *
 * A job of another team counts as unknown. Every proposed request fits the contract.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Correction } from "#contract/Support"
import { isUuid } from "#contract/uuid7"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { ScrapeStore } from "#web/ScrapeStore"
import { type Name, requests } from "./requests.ts"

export interface Diagnosis {
  readonly text: string
  /** Words to look up in the documentation too. */
  readonly asks: string
  readonly corrections: ReadonlyArray<Correction>
}

/** Returns undefined if the team has no such job. */
export const diagnose = Effect.fnUntraced(function* (teamId: string, id: string) {
  const jobs = yield* JobStore
  const ledger = yield* CrawlStore
  const scrapes = yield* ScrapeStore
  const job = Option.getOrUndefined(isUuid(id) ? yield* jobs.get(id) : Option.none())
  if (job === undefined || job.teamId !== teamId) {
    const scraped = isUuid(id) && Option.isSome(yield* scrapes.result(teamId, id))
    if (!scraped) return undefined
    const diagnosis: Diagnosis = {
      text: `The scrape ${id} gave a document; GET /v2/scrape/${id} has it.`,
      asks: "",
      corrections: []
    }
    return diagnosis
  }
  const counts = yield* ledger.ledger(id)
  const failures = yield* ledger.failures(id)
  const codes = Map.groupBy(failures, ({ code }) => code ?? "without a code")
  const state = job.status === "scraping" ? "is under way" : `is ${job.status}`
  const lines = [
    `The ${job.kind} ${id} ${state}${job.error === null ? "" : `: ${job.error}`}.`,
    `Of ${counts.discovered} URLs it has ${counts.scraped} pages, ${counts.failed} failures, ${counts.blocked} blocked by robots.txt and ${counts.left} not reached.`,
    ...(job.warning === null ? [] : [`It warns: ${job.warning}.`]),
    ...Array.from(
      codes,
      ([code, some]) => `${code}, ${some.length} times, as ${some[0]?.url ?? ""}: ${some[0]?.error ?? ""}.`
    ).slice(0, 5)
  ]
  const parameters = Option.getOrElse(decode(job.request), () => ({}))
  const corrections = codes.has("SCRAPE_TIMEOUT") ? withMoreTime(job.kind, parameters) : []
  const few = counts.scraped <= 1 && job.status === "completed" ? "crawl only returns one page" : ""
  const diagnosis: Diagnosis = { text: lines.join("\n"), asks: [...codes.keys(), few].join(" ").trim(), corrections }
  return diagnosis
})

const Values = Schema.Record(Schema.String, Schema.Json)
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Values))
const asValues = Schema.decodeUnknownOption(Values)

/** The same request, with twice the time for a page. */
const withMoreTime = (kind: Name, parameters: typeof Values.Type): ReadonlyArray<Correction> => {
  const request = requests[kind]
  const options = request.nests ? Option.getOrElse(asValues(parameters["scrapeOptions"]), () => ({})) : parameters
  const before = "timeout" in options && typeof options["timeout"] === "number" ? options["timeout"] : 30_000
  const timeout = Math.min(300_000, before * 2)
  const more = request.nests ? { ...parameters, scrapeOptions: { ...options, timeout } } : { ...parameters, timeout }
  if (timeout === before || request.faults(more).length > 0) return []
  const changes = [`timeout is ${timeout}, not ${before}: pages took longer`]
  return [{ method: request.method, path: request.path, parameters: more, changes }]
}
