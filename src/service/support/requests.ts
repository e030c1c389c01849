/**
 * The requests that the support can correct: each with its path, and its schema from the contract.
 */
import * as Schema from "effect/Schema"
import { AgentRequest } from "#contract/Agent"
import { BatchRequest } from "#contract/Batch"
import { CrawlRequest } from "#contract/Crawl"
import type { Detail } from "#contract/Errors"
import { ExtractRequest } from "#contract/Extract"
import { GovSearchRequest } from "#contract/GovSearch"
import { MapRequest } from "#contract/Map"
import { ScrapeRequest } from "#contract/Scrape"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import { SearchRequest } from "#contract/Search"
import { refusal } from "../http/validation.ts"

export type Name = "scrape" | "crawl" | "map" | "search" | "govSearch" | "batch" | "extract" | "agent"

export interface Request {
  readonly method: "POST"
  readonly path: string
  /** The names of its own fields. */
  readonly fields: ReadonlySet<string>
  /** Whether scrape options are in `scrapeOptions`, not at the top. */
  readonly nests: boolean
  /** The parameters that do not fit the contract; empty: all fit. */
  readonly faults: (parameters: unknown) => ReadonlyArray<Detail>
}

const strict = { onExcessProperty: "error", errors: "all" } as const

const request = <S extends Schema.Codec<unknown, unknown> & { readonly fields: object }>(
  path: string,
  schema: S
): Request => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  const fields = new Set(Object.keys(schema.fields))
  return {
    method: "POST",
    path,
    fields,
    nests: fields.has("scrapeOptions"),
    faults: (parameters) => {
      const decoded = decode(parameters)
      return decoded._tag === "Success" ? [] : (refusal(decoded.failure.issue).details ?? [])
    }
  }
}

export const scrapeFields: ReadonlySet<string> = new Set(Object.keys(ScrapeOptions.fields))

export const requests: Readonly<Record<Name, Request>> = {
  scrape: request("/v2/scrape", ScrapeRequest),
  crawl: request("/v2/crawl", CrawlRequest),
  map: request("/v2/map", MapRequest),
  search: request("/v2/search", SearchRequest),
  govSearch: request("/v2/search/gov", GovSearchRequest),
  batch: request("/v2/batch/scrape", BatchRequest),
  extract: request("/v2/extract", ExtractRequest),
  agent: request("/v2/agent", AgentRequest)
}
