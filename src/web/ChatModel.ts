/**
 * A language model behind any endpoint that speaks OpenAI's chat completions: POST {baseUrl}/chat/completions.
 *
 * The operator chooses the endpoint, which may be on this machine; its answers are data. Every call is limited in time
 * and in bytes. A failure is an `AiError` that says whether a retry may help; the key, the address of the endpoint and its
 * own words are never part of it, because callers see it. What an endpoint says of an error is in the log.
 */
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Tool from "effect/ai/Tool"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { JsonSchema } from "#contract/JsonSchema"
import * as ChatWire from "./model/ChatWire.ts"

export interface ModelConfig {
  /** "https://api.example.com/v1": what `/chat/completions` is added to. */
  readonly baseUrl: URL
  /** The name that the endpoint knows it by. */
  readonly model: string
  readonly key?: Redacted.Redacted
  /** Whether facts that no page says stay in the data, marked, where a request does not say. Default: they are left out. */
  readonly keepsUnsupported?: boolean
}

/** The JSON Schema that the answer is to fit, where it is a user's own and no schema of ours. */
export const AnswerSchema = Context.Reference<JsonSchema | undefined>("millrace/service/model/AnswerSchema", {
  defaultValue: () => undefined
})

/** How long an answer may take to begin, and then to end. */
const answerTimeout = "2 minutes"

/** Bytes of an answer, as it is on the wire. */
const maxBytes = 8 * 1024 * 1024

export const layer = (config: ModelConfig): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(config))

const make = Effect.fnUntraced(function* (config: ModelConfig) {
  const http = yield* HttpClient.HttpClient

  const send = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions, isStream: boolean) {
    const answerSchema = yield* AnswerSchema
    const url = new URL(config.baseUrl)
    url.pathname = `${url.pathname.replace(/\/$/, "")}/chat/completions`
    const base = HttpClientRequest.post(url).pipe(
      HttpClientRequest.bodyJsonUnsafe(payloadOf(config, options, answerSchema, isStream))
    )
    const request = config.key === undefined ? base : HttpClientRequest.bearerToken(base, Redacted.value(config.key))
    const response = yield* http.execute(request).pipe(
      Effect.mapError((error) => unreachable(`the endpoint cannot be reached${codeOf(error)}`)),
      Effect.timeoutOrElse({
        duration: answerTimeout,
        orElse: () => Effect.fail(silent(`no answer within ${answerTimeout}`))
      })
    )
    if (response.status < 300) return response
    const text = yield* Effect.orElseSucceed(wholeText(response), () => "")
    yield* Effect.logWarning(
      `the model ${config.model} failed: the endpoint answers ${response.status}`,
      withoutKey(config, text)
    )
    return yield* Effect.fail(refused(response.status, response.headers["retry-after"]))
  })

  const generateText = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions) {
    const response = yield* send(options, false)
    const text = yield* wholeText(response)
    const body = yield* Effect.mapError(ChatWire.decodeBody(text), () => unreadable(noCompletion))
    return yield* wholeParts(body, options.tools.length > 0)
  })

  const streamText = (options: LanguageModel.ProviderOptions) =>
    Stream.unwrap(
      Effect.map(send(options, true), (response) => {
        const end: End = { reason: undefined, usage: ChatWire.usageOf(undefined), isOpen: false, isWhole: false }
        const deltas = bounded(response).pipe(
          Stream.decodeText(),
          Stream.pipeThroughChannel(Sse.decode()),
          Stream.mapError((error) => (AiError.isAiError(error) ? error : unreachable("the answer is incomplete"))),
          Stream.tap(({ data }) => Effect.sync(() => void (end.isWhole ||= data === "[DONE]"))),
          Stream.filter(({ data }) => data !== "[DONE]"),
          Stream.mapEffect(({ data }) => Effect.mapError(ChatWire.decodeChunk(data), () => unreadable(noCompletion))),
          Stream.flatMap((chunk) => Stream.fromIterable(partsOf(chunk, end)))
        )
        return Stream.concat(
          deltas,
          Stream.suspend(() =>
            end.isWhole || end.reason !== undefined
              ? Stream.fromIterable(lastParts(end))
              : Stream.fail(unreachable("the answer is incomplete"))
          )
        )
      })
    )

  return yield* LanguageModel.make({ generateText, streamText })
})

/** What an endpoint says of an error, without the key that some of them repeat. */
const withoutKey = ({ key }: ModelConfig, text: string): string => {
  const secret = key === undefined ? "" : Redacted.value(key)
  return (secret === "" ? text : text.replaceAll(secret, "<key>")).slice(0, 300)
}

/** The parts of an answer that came at once. */
const wholeParts = Effect.fnUntraced(function* (
  body: Effect.Success<ReturnType<typeof ChatWire.decodeBody>>,
  hasTools: boolean
) {
  const [choice] = body.choices
  const fault = ChatWire.faultOf(choice, hasTools)
  if (fault !== undefined) return yield* Effect.fail(unreadable(fault))
  const parts: Array<Response.PartEncoded> = []
  if (choice?.message.content != null && choice.message.content !== "") {
    parts.push({ type: "text", text: choice.message.content })
  }
  for (const { function: called, id } of hasTools ? (choice?.message.tool_calls ?? []) : []) {
    // Arguments that are not JSON are not what the tool takes: the tool reports that.
    const params = yield* Effect.orElseSucceed(decodeJson(called.arguments || "{}"), () => called.arguments)
    parts.push({ type: "tool-call", id, name: called.name, params })
  }
  parts.push({
    type: "finish",
    reason: ChatWire.reasonOf(choice?.finish_reason),
    usage: ChatWire.usageOf(body.usage),
    response: undefined
  })
  return parts
})

/** The bytes of an answer, which has an end. */
const bounded = (response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.mapError(() => unreachable("the answer is incomplete")),
    Stream.mapAccumEffect(
      () => 0,
      (bytes, chunk: Uint8Array) =>
        bytes + chunk.length > maxBytes
          ? Effect.fail(unreadable(`its answer is longer than ${maxBytes / 1024 / 1024} MB`))
          : Effect.succeed([bytes + chunk.length, [chunk]] as const)
    ),
    Stream.interruptWhen(Effect.andThen(Effect.sleep(answerTimeout), Effect.fail(silent("the answer does not end"))))
  )

const wholeText = (response: HttpClientResponse.HttpClientResponse) =>
  Stream.mkString(Stream.decodeText(bounded(response)))

const payloadOf = (
  { model }: ModelConfig,
  { prompt, responseFormat, toolChoice, tools }: LanguageModel.ProviderOptions,
  answerSchema: JsonSchema | undefined,
  isStream: boolean
) => {
  const format =
    responseFormat.type === "json"
      ? { name: responseFormat.objectName, schema: Tool.getJsonSchemaFromSchema(responseFormat.schema) }
      : answerSchema === undefined
        ? undefined
        : { name: "answer", schema: answerSchema }
  return {
    model,
    temperature: 0,
    stream: isStream,
    ...(isStream ? { stream_options: { include_usage: true } } : {}),
    messages: ChatWire.messagesOf(prompt),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: "function",
            function: {
              name: String(tool.name),
              description: Tool.getDescription(tool),
              parameters: Tool.getJsonSchema(tool)
            }
          })),
          tool_choice: typeof toolChoice === "string" ? toolChoice : "auto"
        }),
    ...(format === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { ...format, strict: false } } })
  }
}

interface End {
  reason: Response.FinishReason | undefined
  usage: ReturnType<typeof ChatWire.usageOf>
  isOpen: boolean
  /** Whether the endpoint has said that this was all. */
  isWhole: boolean
}

const partsOf = (chunk: ChatWire.Chunk, end: End): Array<Response.StreamPartEncoded> => {
  const [choice] = chunk.choices
  const parts: Array<Response.StreamPartEncoded> = []
  if (chunk.usage != null) end.usage = ChatWire.usageOf(chunk.usage)
  if (choice?.finish_reason != null) end.reason = ChatWire.reasonOf(choice.finish_reason)
  const delta = choice?.delta.content
  if (delta == null || delta === "") return parts
  if (!end.isOpen) parts.push({ type: "text-start", id: "0" })
  end.isOpen = true
  parts.push({ type: "text-delta", id: "0", delta })
  return parts
}

const lastParts = ({ isOpen, reason, usage }: End): Array<Response.StreamPartEncoded> => [
  ...(isOpen ? [{ type: "text-end", id: "0" } as const] : []),
  { type: "finish", reason: reason ?? "unknown", usage, response: undefined }
]

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "ChatModel", method: "chat", reason })

const unreachable = (description: string): AiError.AiError =>
  failure(new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "chat/completions", description }))

/** It is not asked again: several times two minutes would hold a run for too long. */
const silent = (description: string): AiError.AiError => failure(new AiError.UnknownError({ description }))

/** Why a connection failed, as the system names it: "ECONNREFUSED". */
const codeOf = (error: unknown, depth = 0): string => {
  if (typeof error !== "object" || error === null || depth > 5) return ""
  if ("code" in error && typeof error.code === "string" && /^[A-Z_]{3,40}$/.test(error.code)) return ` (${error.code})`
  if ("reason" in error && typeof error.reason === "object") return codeOf(error.reason, depth + 1)
  return "cause" in error ? codeOf(error.cause, depth + 1) : ""
}

/** Why a model gave no answer, as a clause that a caller may read: "the endpoint answers 500". */
export const causeOf = ({ reason }: AiError.AiError): string => {
  if (reason._tag === "RateLimitError") return "the endpoint answers 429"
  return "description" in reason && typeof reason.description === "string" ? reason.description : reason.message
}

const refused = (status: number, retryAfter: string | undefined): AiError.AiError => {
  const seconds = Number(retryAfter)
  return failure(
    status === 429
      ? new AiError.RateLimitError({ retryAfter: Number.isFinite(seconds) ? Duration.seconds(seconds) : undefined })
      : AiError.reasonFromHttpStatus({ status, description: `the endpoint answers ${status}` })
  )
}

const unreadable = (description: string): AiError.AiError => failure(new AiError.InvalidOutputError({ description }))

const noCompletion = "its answer is not in the form of chat completions"
