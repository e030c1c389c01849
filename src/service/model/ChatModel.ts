/**
 * A language model behind any endpoint that speaks OpenAI's chat completions: POST {baseUrl}/chat/completions.
 *
 * The law: the endpoint is the operator's own choice and may stand on this machine; what it answers is data. Every call
 * has an end. What went wrong is an `AiError` that says whether asking again may help.
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
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { JsonSchema } from "../extract/JsonSchema.ts"
import * as ChatWire from "./ChatWire.ts"

export interface ModelConfig {
  /** "https://api.example.com/v1": what `/chat/completions` is added to. */
  readonly baseUrl: URL
  /** The name that the endpoint knows it by. */
  readonly model: string
  readonly key?: Redacted.Redacted
}

/** The JSON Schema that the answer is to fit, where it is a user's own and no schema of ours. */
export const AnswerSchema = Context.Reference<JsonSchema | undefined>("millrace/service/model/AnswerSchema", {
  defaultValue: () => undefined
})

/** How long one answer may take. */
const answerTimeout = "2 minutes"

export const layer = (config: ModelConfig): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(config))

const make = Effect.fnUntraced(function* (config: ModelConfig) {
  const http = yield* HttpClient.HttpClient

  const send = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions, isStream: boolean) {
    const answerSchema = yield* AnswerSchema
    const url = `${config.baseUrl.href.replace(/\/$/, "")}/chat/completions`
    const base = HttpClientRequest.post(url).pipe(
      HttpClientRequest.bodyJsonUnsafe(payloadOf(config, options, answerSchema, isStream))
    )
    const request = config.key === undefined ? base : HttpClientRequest.bearerToken(base, Redacted.value(config.key))
    const response = yield* http.execute(request).pipe(
      Effect.mapError((error) => unreachable(url, error.message)),
      Effect.timeoutOrElse({
        duration: answerTimeout,
        orElse: () => Effect.fail(unreachable(url, `no answer within ${answerTimeout}`))
      })
    )
    if (response.status < 300) return response
    const text = yield* Effect.orElseSucceed(response.text, () => "")
    return yield* Effect.fail(refused(response.status, response.headers["retry-after"], text))
  })

  const generateText = Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions) {
    const response = yield* send(options, false)
    const text = yield* response.text.pipe(
      Effect.mapError((error) => unreachable(response.request.url, error.message)),
      Effect.timeoutOrElse({
        duration: answerTimeout,
        orElse: () => Effect.fail(unreachable(response.request.url, "the answer does not end"))
      })
    )
    const body = yield* Effect.mapError(ChatWire.decodeBody(text), unreadable)
    const [choice] = body.choices
    const parts: Array<Response.PartEncoded> = []
    if (choice?.message.content != null && choice.message.content !== "") {
      parts.push({ type: "text", text: choice.message.content })
    }
    for (const { function: called, id } of choice?.message.tool_calls ?? []) {
      const params = yield* Effect.mapError(decodeJson(called.arguments === "" ? "{}" : called.arguments), unreadable)
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

  const streamText = (options: LanguageModel.ProviderOptions) =>
    Stream.unwrap(
      Effect.map(send(options, true), (response) => {
        const end = { reason: "unknown" as Response.FinishReason, usage: ChatWire.usageOf(undefined), isOpen: false }
        const deltas = response.stream.pipe(
          Stream.decodeText(),
          Stream.pipeThroughChannel(Sse.decode()),
          Stream.mapError((error) => unreachable(response.request.url, String(error))),
          Stream.filter(({ data }) => data !== "[DONE]"),
          Stream.mapEffect(({ data }) => Effect.mapError(ChatWire.decodeChunk(data), unreadable)),
          Stream.flatMap((chunk) => Stream.fromIterable(partsOf(chunk, end)))
        )
        return Stream.concat(
          deltas,
          Stream.suspend(() => Stream.fromIterable(lastParts(end)))
        )
      })
    )

  return yield* LanguageModel.make({ generateText, streamText })
})

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
            function: { name: tool.name, description: Tool.getDescription(tool), parameters: Tool.getJsonSchema(tool) }
          })),
          tool_choice: typeof toolChoice === "string" ? toolChoice : "auto"
        }),
    ...(format === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { ...format, strict: false } } })
  }
}

interface End {
  reason: Response.FinishReason
  usage: ReturnType<typeof ChatWire.usageOf>
  isOpen: boolean
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
  { type: "finish", reason, usage, response: undefined }
]

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "ChatModel", method: "chat", reason })

const unreachable = (url: string, description: string): AiError.AiError =>
  failure(new AiError.NetworkError({ reason: "TransportError", method: "POST", url, description }))

const refused = (status: number, retryAfter: string | undefined, text: string): AiError.AiError => {
  const seconds = Number(retryAfter)
  return failure(
    status === 429
      ? new AiError.RateLimitError({ retryAfter: Number.isFinite(seconds) ? Duration.seconds(seconds) : undefined })
      : AiError.reasonFromHttpStatus({ status, description: `${status} ${text.slice(0, 300)}` })
  )
}

const unreadable = (cause: unknown): AiError.AiError =>
  failure(new AiError.InvalidOutputError({ description: cause instanceof Error ? cause.message : String(cause) }))
