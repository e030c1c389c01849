/**
 * The /v2 contract. The server's routes, the typed client and the OpenAPI document all derive from this value.
 *
 * An unknown body field or query parameter is answered with 400 and `details`. All failures have the shape of `Errors`.
 */
import * as HttpApi from "effect/http-api/HttpApi"
import type { AddMiddleware, AddPrefix } from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authorization } from "./Authorization.ts"
import { BadRequest } from "./Errors.ts"
import { AgentGroup } from "./groups/AgentGroup.ts"
import { BatchGroup } from "./groups/BatchGroup.ts"
import { CrawlGroup } from "./groups/CrawlGroup.ts"
import { ExtractGroup } from "./groups/ExtractGroup.ts"
import { GovSearchGroup } from "./groups/GovSearchGroup.ts"
import { InteractGroup } from "./groups/InteractGroup.ts"
import { MapGroup } from "./groups/MapGroup.ts"
import { MonitorGroup } from "./groups/MonitorGroup.ts"
import { ParseGroup } from "./groups/ParseGroup.ts"
import { ScrapeGroup } from "./groups/ScrapeGroup.ts"
import { SearchGroup } from "./groups/SearchGroup.ts"
import { SupportGroup } from "./groups/SupportGroup.ts"
import { TeamGroup } from "./groups/TeamGroup.ts"
import { idempotencyHeader, maxIdempotencyKey } from "./idempotencyHeader.ts"

/** Answers requests that do not fit the contract with 400 and `details`. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("millrace/api/Validation", {
  error: BadRequest.http
}) {}

const strict = { onExcessProperty: "error", errors: "all" } as const

type Groups =
  | typeof CrawlGroup
  | typeof ScrapeGroup
  | typeof InteractGroup
  | typeof MapGroup
  | typeof BatchGroup
  | typeof ParseGroup
  | typeof ExtractGroup
  | typeof AgentGroup
  | typeof SearchGroup
  | typeof GovSearchGroup
  | typeof MonitorGroup
  | typeof SupportGroup
  | typeof TeamGroup

/** The type, by its groups: spelled out, its declaration has a megabyte. */
type Contract = HttpApi.HttpApi<
  "web-data-service",
  AddPrefix<AddMiddleware<AddMiddleware<Groups, Authorization>, Validation>, "/v2">
>

type Part = Readonly<Record<string, unknown>>

/*
 * Adds to the OpenAPI document what the schemas of the contract do not have: the idempotency header, operations without a
 * key, 415, types of path and query parameters, and errors by their HTTP names.
 */

/** Completes the OpenAPI document. */
const described = (document: Part): Part => {
  const plain = partOf(withoutRepeats(renamed(document)))
  const components = partOf(plain["components"])
  const paths = Object.entries(partOf(plain["paths"])).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(partOf(methods)).map(([method, one]) => [method, operationOf(partOf(one))]))
  ])
  return {
    ...plain,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: schemasOf(partOf(components["schemas"])) }
  }
}

const operationOf = (operation: Part): Part => {
  const { operationId, parameters, requestBody, responses } = operation
  const all = { ...partOf(responses), ...(requestBody === undefined ? {} : { 415: wrongType }) }
  return {
    ...operation,
    ...(keyless.has(String(operationId)) ? { security: [...listOf(operation["security"]), {}] } : {}),
    parameters: [...listOf(parameters).map(parameter), ...(startsJob.has(String(operationId)) ? [startOnce] : [])],
    responses: Object.fromEntries(
      Object.entries(all).map(([status, response]) => {
        const own = partOf(response)
        return [status, { ...own, description: statusTexts[status] ?? own["description"] }]
      })
    )
  }
}

/** Clients send `k` as a number or as text. */
const schemasOf = (schemas: Part): Part => {
  const search = partOf(schemas["GovSearchRequest"])
  const properties = partOf(search["properties"])
  const anyOf = [whole(1, 100), { type: "string", pattern: "^(?:[1-9][0-9]?|100)$" }, { type: "null" }]
  const k = { ...partOf(properties["k"]), anyOf }
  return { ...schemas, GovSearchRequest: { ...search, properties: { ...properties, k } } }
}

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value)
const partOf = (value: unknown): Part => (isPart(value) ? value : {})
const listOf = (value: unknown): ReadonlyArray<Part> => (Array.isArray(value) ? value.filter(isPart) : [])

const startsJob = new Set(["crawl.start", "batch.start", "extract.start", "agent.start"])

/** The operations that work without a key, to get started (specification, Authentication). */
const keyless = new Set([
  "crawl.start",
  "crawl.params",
  "crawl.status",
  "crawl.cancel",
  "crawl.errors",
  "govSearch.ask",
  "govSearch.search"
])

const startOnce = {
  name: idempotencyHeader,
  in: "header",
  required: false,
  description:
    "a key of your own choice: the same key never starts a second job; the second request is 409 and names the first job",
  schema: { type: "string", minLength: 1, maxLength: maxIdempotencyKey }
}

const wrongType = {
  description: "",
  content: { "application/json": { schema: { $ref: "#/components/schemas/BadRequest" } } }
}

const whole = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum })
const flag = { type: "string", enum: ["true", "false"] }
/** The schemas of path and query parameters, by name. */
const parameters: Readonly<Record<string, Part>> = {
  skip: whole(0, 2 ** 31 - 1),
  offset: whole(0, 2 ** 31 - 1),
  limit: whole(1, 1000),
  k: whole(1, 100),
  before: whole(0, 4_102_444_800_000),
  jobId: { type: "string", format: "uuid" },
  snapshotId: { type: "string", format: "uuid" },
  includeData: flag,
  liveView: flag,
  byApiKey: flag
}

const parameter = (one: Part): Part => {
  const known = parameters[String(one["name"])]
  return known === undefined ? one : { ...one, schema: known }
}

const statusTexts: Readonly<Record<string, string>> = {
  200: "Success",
  400: "Bad Request: the request does not fit the contract",
  401: "Unauthorized: the key is missing, malformed or revoked",
  402: "Payment Required: the remaining credits do not cover the request",
  403: "Forbidden: the key or its plan does not allow it, or the address may not be reached",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict: the state of the resource prevents it",
  413: "Payload Too Large",
  415: "Unsupported Media Type: the body must be application/json, and of a file multipart/form-data",
  422: "Unprocessable: a JSON Schema is not valid, or no data fits it",
  429: "Too Many Requests: wait as long as Retry-After says",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

/** Removes `Encoded` from the names of schemas. */
const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value === "string" && value.startsWith("#/components/schemas/")) return value.replace(/Encoded$/, "")
  if (!isPart(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      /^[A-Z]\w*Encoded$/.test(name) ? name.slice(0, -7) : name,
      renamed(part)
    ])
  )
}

/** Removes duplicates from `anyOf`. */
const withoutRepeats = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutRepeats)
  if (!isPart(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const plain = withoutRepeats(part)
      if (name !== "anyOf" || !Array.isArray(plain)) return [name, plain]
      const choices: ReadonlyArray<unknown> = plain
      return [name, [...new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values()]]
    })
  )
}

const contract: Contract = HttpApi.make("web-data-service")
  .add(CrawlGroup)
  .add(ScrapeGroup)
  .add(InteractGroup)
  .add(MapGroup)
  .add(BatchGroup)
  .add(ParseGroup)
  .add(ExtractGroup)
  .add(AgentGroup)
  .add(SearchGroup)
  .add(GovSearchGroup)
  .add(MonitorGroup)
  .add(SupportGroup)
  .add(TeamGroup)
  .middleware(Authorization)
  .middleware(Validation)
  .prefix("/v2")
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotateMerge(
    OpenApi.annotations({
      title: "Web Data Service API",
      version: "v2",
      description:
        "Crawl, scrape, map and search websites, and take data out of them. Served by Millrace; any client of this API may use it.",
      transform: described
    })
  )

/** The whole /v2 contract, for a server or a client of Effect's HttpApi. */
export class Api extends contract {}
