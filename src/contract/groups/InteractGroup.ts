/** The endpoints of /v2 for pages that stay open in a browser. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Errors from "../Errors.ts"
import { BrowserRequest, InteractAnswer, InteractRequest, Listed, Stopped } from "../Interact.ts"

const params = { id: Schema.String }
const acting = {
  params,
  payload: InteractRequest,
  success: InteractAnswer,
  error: [
    ...Errors.common,
    Errors.NotFound.http,
    Errors.Conflict.http,
    Errors.RequestTimeout.http,
    Errors.Unprocessable.http
  ]
} as const
const stopping = { params, success: Stopped, error: [...Errors.common, Errors.NotFound.http] } as const

export class InteractGroup extends HttpApiGroup.make("interact").add(
  HttpApiEndpoint.post("interact", "/scrape/:id/interact", acting),
  HttpApiEndpoint.delete("stopInteraction", "/scrape/:id/interact", stopping),
  HttpApiEndpoint.post("open", "/browser", {
    payload: BrowserRequest,
    success: InteractAnswer,
    error: acting.error
  }),
  HttpApiEndpoint.get("sessions", "/browser", {
    query: { status: Schema.optional(Schema.Literals(["active", "destroyed"])) },
    success: Listed,
    error: Errors.common
  }),
  HttpApiEndpoint.post("execute", "/browser/:id/execute", acting),
  HttpApiEndpoint.delete("stop", "/browser/:id", stopping)
) {}
