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
import { described } from "./api/described.ts"
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
