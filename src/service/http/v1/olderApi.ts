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
import * as requests from "./requests.ts"
import { type Body, isBody } from "./requests.ts"

/**
 * Answers of this API in the shapes of the older one: other URLs, links as strings, `extract` beside `json`.
 *
 * The documents of a job may be a long text: it is parsed only if a document has a field that the older API names otherwise.
 */
const same = (text: string): string => text

const scrape = (text: string, { formats }: Body, notes: ReadonlyArray<string>): string => {
  const answer = read(text)
  const page = isBody(answer["data"]) ? answer["data"] : undefined
  const warning = [page?.["warning"], ...notes].filter((part) => typeof part === "string").join("; ")
  return JSON.stringify({
    ...answer,
    ...(warning === "" ? {} : { warning }),
    ...(page === undefined ? {} : { data: withExtract(page, formats) })
  })
}

const started = (text: string, _: Body, notes: ReadonlyArray<string>): string => {
  const { url, warning, ...answer } = read(text)
  const warnings = [warning, ...notes].filter((part) => typeof part === "string").join("; ")
  return JSON.stringify({ ...answer, url: older(url), ...(warnings === "" ? {} : { warning: warnings }) })
}

const status = (text: string): string => {
  const at = text.indexOf(data)
  if (at === -1) return text
  const { next, ...head } = read(`${text.slice(0, at)}}`)
  const start = JSON.stringify({ ...head, ...(next === undefined ? {} : { next: older(next) }) }).slice(0, -1)
  const documents = text.slice(at + data.length - 1, -1)
  if (!documents.includes(`"json":`)) return `${start}${data.slice(0, -1)}${documents}}`
  const parsed: unknown = JSON.parse(documents)
  const pages = (Array.isArray(parsed) ? parsed : []).map((page: unknown) => (isBody(page) ? withExtract(page) : page))
  return `${start}${data.slice(0, -1)}${JSON.stringify(pages)}}`
}

/** The start of the documents in a status answer: no text of a page comes before it. */
const data = `,"data":[`

const cancelled = (text: string): string => JSON.stringify({ success: true, ...read(text) })

const map = (text: string): string => {
  const { id: _, links, ...answer } = read(text)
  const urls = (Array.isArray(links) ? links : []).flatMap((link: unknown) => (isBody(link) ? [link["url"]] : []))
  return JSON.stringify({ ...answer, links: urls })
}

const search = (text: string, { scrapeOptions }: Body): string => {
  const { data: searchData, ...answer } = read(text)
  const web = isBody(searchData) && Array.isArray(searchData["web"]) ? searchData["web"] : []
  const formats = isBody(scrapeOptions) ? scrapeOptions["formats"] : undefined
  const pages = web.map((page: unknown) => (isBody(page) ? withExtract(page, formats) : page))
  return JSON.stringify({ ...answer, data: pages })
}

/** The format `extract` is `json` here. If it is not known which of the two was requested, the page gets both. */
const withExtract = ({ json, ...page }: Body, formats?: unknown): Body => {
  if (json === undefined) return page
  if (!Array.isArray(formats)) return { ...page, json, extract: json }
  return {
    ...page,
    ...(formats.includes("extract") ? { extract: json } : {}),
    ...(formats.includes("json") ? { json } : {})
  }
}

const older = (url: unknown): unknown => (typeof url === "string" ? url.replace("/v2/", "/v1/") : url)

const read = (text: string): Body => {
  const parsed: unknown = JSON.parse(text)
  return isBody(parsed) ? parsed : {}
}

export const olderApi = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const olderOperation = operationOf(request)
    if (olderOperation === undefined) return yield* app
    const { operation, rest } = olderOperation
    const text = request.method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : undefined
    const parsed: unknown = text === undefined || text === "" ? undefined : JSON.parse(text)
    const isAsked = requests.isBody(parsed)
    const { body, notes } = isAsked ? operation.request(parsed) : { body: parsed, notes: [] }
    const ask = (path: string) =>
      Effect.provideService(
        app,
        HttpServerRequest.HttpServerRequest,
        olderRequest(request, operation.method, path, body)
      )
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
  readonly answer: (text: string, body: requests.Body, notes: ReadonlyArray<string>) => string
}

const asIs = (body: requests.Body): requests.Translated => ({ body, notes: [] })

const operations: ReadonlyArray<readonly [method: RegExp, path: RegExp, operation: Operation]> = [
  [/^POST$/, /^\/scrape$/, { method: "POST", path: "/scrape", request: requests.scrape, answer: scrape }],
  [/^POST$/, /^\/crawl$/, { method: "POST", path: "/crawl", request: requests.crawl, answer: started }],
  [/^POST$/, /^\/map$/, { method: "POST", path: "/map", request: requests.map, answer: map }],
  [/^POST$/, /^\/search$/, { method: "POST", path: "/search", request: requests.search, answer: search }],
  [/^POST$/, /^\/batch\/scrape$/, batch("POST", requests.scrape, started)],
  [/^POST$/, /^\/extract$/, { method: "POST", path: "/extract", request: requests.extract, answer: same }],
  [/^GET$/, /^\/extract\/[^/]+$/, { method: "GET", path: "/extract", request: asIs, answer: same }],
  // One of the older clients requests errors with DELETE.
  [/^(?:GET|DELETE)$/, /^\/crawl\/[^/]+\/errors$/, crawl("GET", same)],
  [/^(?:GET|DELETE)$/, /^\/batch\/scrape\/[^/]+\/errors$/, batch("GET", asIs, same)],
  [/^GET$/, /^\/crawl\/(?:active|ongoing)$/, { method: "GET", path: "/crawl", request: asIs, answer: same }],
  [/^GET$/, /^\/crawl\/[^/]+$/, crawl("GET", status)],
  [/^DELETE$/, /^\/crawl\/[^/]+$/, crawl("DELETE", cancelled)],
  [/^GET$/, /^\/batch\/scrape\/[^/]+$/, batch("GET", asIs, status)],
  [/^DELETE$/, /^\/batch\/scrape\/[^/]+$/, batch("DELETE", asIs, cancelled)]
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
const olderRequest = (
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
