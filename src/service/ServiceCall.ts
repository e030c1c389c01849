/**
 * A request to the web data service, and its failures as messages for an agent.
 */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Predicate from "effect/Predicate"
import type { Arguments, Outcome } from "./McpTool.ts"

export interface ServiceAnswer {
  readonly status: number
  readonly body: Arguments
}

interface ServiceRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path below the base URL, with the version: "/v2/scrape". */
  readonly path: string
  readonly body?: Arguments
}

/** Never fails: if the service does not answer, the answer has status 0. */
export type ServiceCall = (request: ServiceRequest) => Effect.Effect<ServiceAnswer>

/** `headers`: the headers of each request, such as the key of the caller. */
export const overHttp =
  (
    client: HttpClient.HttpClient,
    baseUrl: string,
    headers: Effect.Effect<Readonly<Record<string, string>>> = Effect.succeed({})
  ): ServiceCall =>
  ({ body, method, path }) =>
    Effect.gen(function* () {
      const plain = HttpClientRequest.make(method)(`${baseUrl}${path}`).pipe(
        HttpClientRequest.setHeaders(yield* headers)
      )
      const request = body === undefined ? plain : HttpClientRequest.bodyJsonUnsafe(plain, body)
      const response = yield* client.execute(request)
      const json: unknown = yield* response.json
      return { status: response.status, body: Predicate.isObject(json) ? { ...json } : {} }
    }).pipe(
      Effect.catch((error) =>
        Effect.succeed({ status: 0, body: { error: `the service does not answer: ${error.message}` } })
      )
    )

export const isGood = ({ body, status }: ServiceAnswer): boolean => status === 200 && body["success"] !== false

/** The message of a failed request, with advice for the agent. */
export const problem = ({ body, status }: ServiceAnswer): Outcome => {
  const { code, details, error } = body
  const lines = [
    `${status >= 400 ? `${status} ` : ""}${typeof error === "string" ? error : "the request failed"}`,
    ...(typeof code === "string" ? [`code: ${code}`] : []),
    ...(details === undefined ? [] : [`details: ${JSON.stringify(details).slice(0, 4000)}`]),
    `What to do: ${advice[status] ?? (status >= 500 || status === 0 ? later : "read the message, change the arguments and call again")}`
  ]
  return { texts: [lines.join("\n")], isError: true }
}

const later = "this may pass: call again in some seconds"

const advice: Readonly<Record<number, string>> = {
  400: "change the arguments that the message names and call again",
  401: "the service wants a key: the person who set up this server adds it to the headers, as Authorization: Bearer KEY",
  402: "the credits of the team do not cover this: ask for fewer pages (limit), or tell the user",
  403: "this key or this service does not allow it: tell the user; do not try again",
  404: "check the id; results are kept for 24 hours, then the work must be started again",
  408: "the page took too long: call again with a larger timeout, in milliseconds",
  409: "do what the message says, or look at the status of the job",
  413: "send less",
  429: "wait as many seconds as the message says, then call again"
}
