/**
 * The last step of every answer: a failure is always the JSON of the error catalogue (specification, Errors), whatever
 * part of the server produced it, and a body that is not JSON is refused before anything else is checked.
 */
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Limits from "../../api/Limits.ts"

export const httpErrors = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const refused = yield* refuseBody(request)
    return refused ?? (yield* app)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.gen(function* () {
        const [response, rest] = yield* HttpServerError.causeResponse(cause)
        if (response.status >= 500 && response.status !== 503) yield* Effect.logError("a request failed", rest)
        return response
      })
    ),
    Effect.map((response) =>
      response.status >= 400 && !isJson("contentType" in response.body ? response.body.contentType : undefined)
        ? failure(response.status, messages[response.status] ?? "Bad Request")
        : response
    )
  )

/** 413 before it is read where the length says so, 413 where it turns out so, 400 where it is not JSON. */
const refuseBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!hasBody.has(request.method)) return undefined
  if (isUpload(request)) {
    const length = Number(request.headers["content-length"] ?? 0)
    return length > Limits.maxUploadBytes + maxFormBytes ? failure(413, uploadTooLarge) : undefined
  }
  if (Number(request.headers["content-length"] ?? 0) > Limits.maxBodyBytes) return failure(413, tooLarge)
  const type = request.headers["content-type"] ?? ""
  if (type !== "" && !isJson(type)) {
    return failure(415, `Unsupported Media Type: the body must be application/json, not ${type.slice(0, 100)}`)
  }
  const text = yield* Effect.option(request.text)
  if (text._tag === "None") return failure(413, tooLarge)
  if (text.value === "" && saysNothing(request)) return undefined
  const problem = jsonProblem(text.value)
  return problem === undefined ? undefined : failure(400, `Bad Request: the body is not valid JSON: ${problem}`)
})

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/i.test(contentType ?? "")
/** The one operation whose body is a form, which its handler reads as it comes. */
const isUpload = (request: HttpServerRequest.HttpServerRequest): boolean =>
  /\/v2\/parse(?:\?|$)/.test(request.url) && /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")

/** The one operation that is told nothing: clients send an empty object, or no body at all. */
const saysNothing = (request: HttpServerRequest.HttpServerRequest): boolean =>
  /\/v2\/monitor\/[^/?]+\/run(?:\?|$)/.test(request.url)

/** What a form may hold beside its file. */
const maxFormBytes = 2 * 1024 * 1024
const uploadTooLarge = `Payload Too Large: a file takes at most ${Limits.maxUploadBytes / 1024 / 1024} MB`

const hasBody = new Set(["POST", "PUT", "PATCH"])

const jsonProblem = (text: string): string | undefined => {
  if (text === "") return "it is empty"
  if (isTooDeep(text)) return `it is nested deeper than ${maxNesting} levels`
  try {
    JSON.parse(text)
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Whoever walks a value recursively, as `JSON.stringify` does, overflows on one that is nested without bound. */
const maxNesting = 100

const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (isInText && char === backslash) at += 1
    else if (char === quote) isInText = !isInText
    else if (isInText) continue
    else if (char === bracket || char === brace) depth += 1
    else if (char === bracket + 2 || char === brace + 2) depth -= 1
    if (depth > maxNesting) return true
  }
  return false
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b]

const tooLarge = `Payload Too Large: a request body takes at most ${Limits.maxBodyBytes / 1024 / 1024} MB`

const messages: Record<number, string> = {
  404: "Not Found: no such path, or not with this method",
  405: "Method Not Allowed",
  413: tooLarge,
  500: "Internal Server Error",
  503: "Service Unavailable"
}

const failure = (status: number, error: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ success: false, error }, { status })
