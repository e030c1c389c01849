/**
 * The last step of every answer: a failure is always the JSON of the error catalogue (specification, Errors), whatever
 * part of the server produced it, and a body that is not JSON is refused before anything else is checked.
 */
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isDeeperThan } from "#base/jsonDepth"
import * as Limits from "#contract/Limits"
import { awaySeconds, KeepsNothing, logFailure } from "./failures.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * `keepsNothing`: whether nothing of the request may be kept, by its team or its job.
 * `isOperation`: whether the requested operation exists; if not, the answer is 404, whatever the body.
 */
export const httpErrors = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  keepsNothing: (request: Request) => boolean = () => false,
  isOperation: (request: Request) => boolean = () => true
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* readBody(request)
    if (body.refused !== undefined) return isOperation(request) ? body.refused : failure(404, messages[404])
    return yield* logged(app).pipe(Effect.provideService(KeepsNothing, body.keepsNothing || keepsNothing(request)))
  }).pipe(
    logged,
    Effect.map((response) =>
      response.status >= 400 && !isJson("contentType" in response.body ? response.body.contentType : undefined)
        ? failure(response.status, messages[response.status] ?? "Bad Request")
        : response
    ),
    Effect.map((response) =>
      response.status === 503 ? HttpServerResponse.setHeader(response, "retry-after", String(awaySeconds)) : response
    )
  )

/** Logs an unexpected error, and answers it. */
const logged = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catchCause(app, (cause) =>
    Effect.gen(function* () {
      const [response, rest] = yield* HttpServerError.causeResponse(cause)
      if (response.status >= 500 && response.status !== 503) yield* logFailure("a request failed", rest)
      return response
    })
  )

interface Body {
  readonly refused?: HttpServerResponse.HttpServerResponse
  /** Whether it asks for zero data retention, or that is not known. */
  readonly keepsNothing: boolean
}

/** Refuses a body that is too large (413, before reading it if its length is known), of another type (415), or no JSON (400). */
const readBody = Effect.fnUntraced(function* (request: Request) {
  if (!hasBody.has(request.method)) return { keepsNothing: false }
  const type = request.headers["content-type"] ?? ""
  if (takesFile(request)) {
    if (!/^multipart\/form-data\b/i.test(type)) return refusal(415, noForm)
    const length = Number(request.headers["content-length"] ?? 0)
    // Its options are part of a form that only its handler reads.
    return length > Limits.maxUploadBytes + maxFormBytes ? refusal(413, uploadTooLarge) : { keepsNothing: true }
  }
  if (Number(request.headers["content-length"] ?? 0) > Limits.maxBodyBytes) return refusal(413, tooLarge)
  if (type !== "" && !isJson(type)) {
    return refusal(415, `Unsupported Media Type: the body must be application/json, not ${type.slice(0, 100)}`)
  }
  const encoding = request.headers["content-encoding"] ?? "identity"
  if (encoding.toLowerCase() !== "identity") {
    return refusal(
      415,
      `Unsupported Media Type: the body must not be compressed, and says it is ${encoding.slice(0, 100)}`
    )
  }
  const text = yield* Effect.option(request.text)
  if (text._tag === "None") return refusal(413, tooLarge)
  if (text.value === "" && saysNothing(request)) return { keepsNothing: false }
  return bodyOf(text.value)
})

const refusal = (status: number, error: string): Body => ({ refused: failure(status, error), keepsNothing: true })
const notJson = (problem: string): Body => refusal(400, `Bad Request: the body is not valid JSON: ${problem}`)

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(contentType ?? "")
/** Whether it is the one operation whose body is a form: its handler reads it as a stream. */
const takesFile = (request: Request): boolean => /\/v2\/parse\/?(?:\?|$)/i.test(request.url)
const noForm = "Unsupported Media Type: a file is sent as the part `file` of multipart/form-data"

/** Whether it is the one operation without options: clients send an empty object, or no body at all. */
const saysNothing = (request: Request): boolean => /\/v2\/monitor\/[^/?]+\/run\/?(?:\?|$)/i.test(request.url)

/** The maximum size of a form, besides its file. */
const maxFormBytes = 2 * 1024 * 1024
const uploadTooLarge = `Payload Too Large: a file takes at most ${Limits.maxUploadBytes / 1024 / 1024} MB`

/** No operation uses PUT: it is 404 whatever its body. */
const hasBody = new Set(["POST", "PATCH"])

const bodyOf = (text: string): Body => {
  if (text === "") return notJson("it is empty")
  if (isDeeperThan(text, maxNesting)) return notJson(`it is nested deeper than ${maxNesting} levels`)
  try {
    const body: unknown = JSON.parse(text)
    const asks = typeof body === "object" && body !== null && "zeroDataRetention" in body && body.zeroDataRetention
    return { keepsNothing: asks === true }
  } catch (cause) {
    return notJson(cause instanceof Error ? cause.message : String(cause))
  }
}

const maxNesting = 100

const tooLarge = `Payload Too Large: a request body takes at most ${Limits.maxBodyBytes / 1024 / 1024} MB`

const messages: { readonly 404: string; readonly [status: number]: string } = {
  404: "Not Found: no such path, or not with this method",
  405: "Method Not Allowed",
  413: tooLarge,
  500: "Internal Server Error",
  503: "Service Unavailable"
}

const failure = (status: number, error: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ success: false, error }, { status })
