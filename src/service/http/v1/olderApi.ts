/**
 * The older API, `/v1`, for clients that speak it: scrape, crawl, map, batch, search and extract.
 *
 * A request is translated to one of the contract and handled like any other; in its answer, only fields that have another
 * name in `/v1` change. So keys, limits and errors are those of the contract.
 */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as answers from "./answers.ts"
import * as requests from "./requests.ts"

export const olderApi = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const found = operationOf(request)
    if (found === undefined) return yield* app
    const { operation, rest } = found
    const text = request.method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : undefined
    const parsed: unknown = text === undefined || text === "" ? undefined : JSON.parse(text)
    const isAsked = requests.isBody(parsed)
    const { body, notes } = isAsked ? operation.request(parsed) : { body: parsed, notes: [] }
    const ask = (path: string) =>
      Effect.provideService(app, HttpServerRequest.HttpServerRequest, asked(request, operation.method, path, body))
    const first = yield* ask(operation.path + rest)
    // The older clients use the paths of crawls for batches too.
    const other = first.status === 404 && operation.other !== undefined ? yield* ask(operation.other + rest) : first
    const response = other.status === 404 ? first : other
    return response.status === 200
      ? changed(response, (text) => operation.answer(text, isAsked ? parsed : {}, notes))
      : response
  })

/** Whether the request is one of the older API. */
export const isOlderApi = (request: HttpServerRequest.HttpServerRequest): boolean => operationOf(request) !== undefined

interface Operation {
  readonly method: string
  readonly path: string
  readonly other?: string
  readonly request: (body: requests.Body) => requests.Translated
  readonly answer: (text: string, asked: requests.Body, notes: ReadonlyArray<string>) => string
}

const asIs = (body: requests.Body): requests.Translated => ({ body, notes: [] })

const operations: ReadonlyArray<readonly [method: RegExp, path: RegExp, operation: Operation]> = [
  [/^POST$/, /^\/scrape$/, { method: "POST", path: "/scrape", request: requests.scrape, answer: answers.scrape }],
  [/^POST$/, /^\/crawl$/, { method: "POST", path: "/crawl", request: requests.crawl, answer: answers.started }],
  [/^POST$/, /^\/map$/, { method: "POST", path: "/map", request: requests.map, answer: answers.map }],
  [/^POST$/, /^\/search$/, { method: "POST", path: "/search", request: requests.search, answer: answers.search }],
  [/^POST$/, /^\/batch\/scrape$/, batch("POST", requests.scrape, answers.started)],
  [/^POST$/, /^\/extract$/, { method: "POST", path: "/extract", request: requests.extract, answer: answers.same }],
  [/^GET$/, /^\/extract\/[^/]+$/, { method: "GET", path: "/extract", request: asIs, answer: answers.same }],
  // One of the older clients requests errors with DELETE.
  [/^(?:GET|DELETE)$/, /^\/crawl\/[^/]+\/errors$/, crawl("GET", answers.same)],
  [/^(?:GET|DELETE)$/, /^\/batch\/scrape\/[^/]+\/errors$/, batch("GET", asIs, answers.same)],
  [/^GET$/, /^\/crawl\/(?:active|ongoing)$/, { method: "GET", path: "/crawl", request: asIs, answer: answers.same }],
  [/^GET$/, /^\/crawl\/[^/]+$/, crawl("GET", answers.status)],
  [/^DELETE$/, /^\/crawl\/[^/]+$/, crawl("DELETE", answers.cancelled)],
  [/^GET$/, /^\/batch\/scrape\/[^/]+$/, batch("GET", asIs, answers.status)],
  [/^DELETE$/, /^\/batch\/scrape\/[^/]+$/, batch("DELETE", asIs, answers.cancelled)]
]

function crawl(method: string, answer: Operation["answer"]): Operation {
  return { method, path: "/crawl", other: "/batch/scrape", request: asIs, answer }
}

function batch(method: string, request: Operation["request"], answer: Operation["answer"]): Operation {
  return { method, path: "/batch/scrape", request, answer }
}

/** The operation of a request, and the rest of its path: id, query. */
const operationOf = ({ headers, method, url }: HttpServerRequest.HttpServerRequest) => {
  // `watcher.ts` handles both versions.
  if (headers["upgrade"] !== undefined) return undefined
  const [, path, query = ""] = /^(?:https?:\/\/[^/]+)?\/v1(\/[^?#]*?)\/?(\?[^#]*)?$/.exec(url) ?? []
  if (path === undefined) return undefined
  const operation = operations.find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2]
  return operation === undefined ? undefined : { operation, rest: path.slice(operation.path.length) + query }
}

/** Translates the request to one of the contract. */
const asked = (
  request: HttpServerRequest.HttpServerRequest,
  method: string,
  path: string,
  body: unknown
): HttpServerRequest.HttpServerRequest => {
  const { "content-length": _, "transfer-encoding": __, ...headers } = request.headers
  const host = URL.parse(`http://${request.headers["host"] ?? ""}`)?.origin ?? "http://localhost"
  const sent = new Request(`${host}/v2${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return HttpServerRequest.fromWeb(sent).modify({
    headers: Headers.fromInput({ ...headers, "content-type": "application/json" })
  })
}

/** Changes the text of the answer. */
const changed = (
  response: HttpServerResponse.HttpServerResponse,
  change: (text: string) => string
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  const { "content-length": _, ...headers } = response.headers
  return HttpServerResponse.text(change(body.text ?? new TextDecoder().decode(body.body)), {
    headers,
    contentType: "application/json"
  })
}
