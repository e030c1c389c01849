import type { ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as ChatModel from "#web/ChatModel"
import { breaksOff, calls, type Reply, refuses, says, scriptedModel } from "./scriptedModel.ts"

const key = Redacted.make("sk-secret")

const toolkit = Toolkit.make(
  Tool.dynamic("scrape", {
    description: "Read a page.",
    parameters: { type: "object", properties: { url: { type: "string" } }, required: ["url"] }
  })
)

const plain = LanguageModel.generateText({ prompt: "Lamps?" })
const withTools = LanguageModel.generateText({
  prompt: "Lamps?",
  toolkit,
  disableToolCallResolution: true,
  toolCallValidation: "deferred"
})

/** What is answered to a question by an endpoint that behaves so. */
const answered = <A>(reply: Reply, question: Effect.Effect<A, AiError.AiError, LanguageModel.LanguageModel>) =>
  Effect.gen(function* () {
    const model = yield* scriptedModel(reply)
    const layer = ChatModel.layer({ baseUrl: model.baseUrl, model: "small-1", key }).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
    const answer = yield* question.pipe(Effect.result, Effect.provide(layer))
    return { answer, model }
  })

const asked = (reply: Reply) => answered(reply, plain)
const called = (reply: Reply) => answered(reply, withTools)

/** The parts of a streamed answer, or what went wrong after them. */
const streamed = Effect.fnUntraced(function* (...chunks: ReadonlyArray<string>) {
  const reply: Reply = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
  const model = yield* scriptedModel(reply)
  const layer = ChatModel.layer({ baseUrl: model.baseUrl, model: "small-1" }).pipe(Layer.provide(FetchHttpClient.layer))
  const parts: Array<any> = []
  const end = yield* LanguageModel.streamText({ prompt: "Lamps?" }).pipe(
    Stream.runForEach((part) => Effect.sync(() => void parts.push(part))),
    Effect.result,
    Effect.provide(layer)
  )
  return { parts, end, model, text: parts.map(({ delta }) => delta ?? "").join("") }
})

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
const stop = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\n`
const used = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`

const json = (body: unknown) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))

describe("a language model behind chat completions", () => {
  it.live("is asked with its key, under its name, and answers with its text and what it has used", () =>
    Effect.gen(function* () {
      const { answer, model } = yield* asked(says("Two."))

      expect(answer._tag === "Success" ? answer.success.text : answer.failure.message).toBe("Two.")
      expect(answer._tag === "Success" ? answer.success.usage : undefined).toMatchObject({
        inputTokens: { total: 100 },
        outputTokens: { total: 20 }
      })
      expect(model.asked).toEqual([
        { model: "small-1", temperature: 0, stream: false, messages: [{ role: "user", content: "Lamps?" }] }
      ])
      expect(model.keys).toEqual(["Bearer sk-secret"])
    })
  )

  it.live("is told of tools, and its calls come back with what they carry, be it no JSON", () =>
    Effect.gen(function* () {
      const { answer, model } = yield* called(calls(["scrape", { url: "http://site.test/" }]))
      const odd = {
        choices: [{ message: { tool_calls: [{ id: "1", function: { name: "scrape", arguments: "{url" } }] } }]
      }
      const broken = yield* called(json(odd))

      expect(model.asked[0].tools).toEqual([
        {
          type: "function",
          function: {
            name: "scrape",
            description: "Read a page.",
            parameters: { type: "object", properties: { url: { type: "string" } }, required: ["url"] }
          }
        }
      ])
      expect(answer._tag === "Success" ? answer.success.toolCalls : []).toMatchObject([
        { id: "call_0", name: "scrape", params: { url: "http://site.test/" } }
      ])
      expect(broken.answer._tag === "Success" ? broken.answer.success.toolCalls : []).toMatchObject([
        { name: "scrape", params: "{url" }
      ])
    })
  )

  it.live("says what went wrong, and whether asking again may help, without key or address", () =>
    Effect.gen(function* () {
      const echoing: Reply = (_, response) =>
        void response.writeHead(401).end('{"error":"no such key: sk-secret, sent as Bearer sk-secret"}')
      const failures = yield* Effect.forEach(
        [
          refuses(429, { "retry-after": "7" }),
          refuses(429, { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
          refuses(500),
          refuses(400),
          echoing,
          breaksOff,
          json("hello"),
          json({ error: "sk-secret" })
        ],
        (reply) => Effect.map(asked(reply), ({ answer }) => (answer._tag === "Failure" ? answer.failure : undefined))
      )

      expect(failures.map((error) => [error?.reason._tag, error?.isRetryable])).toEqual([
        ["RateLimitError", true],
        ["RateLimitError", true],
        ["InternalProviderError", true],
        ["InvalidRequestError", false],
        ["AuthenticationError", false],
        ["NetworkError", true],
        ["InvalidOutputError", true],
        ["InvalidOutputError", true]
      ])
      expect(failures.slice(0, 2).map((error) => error?.retryAfter)).toEqual([Duration.seconds(7), undefined])
      for (const error of failures) {
        // What an endpoint says of an error is for its operator.
        expect(JSON.stringify([error?.message, error?.reason.message, error])).not.toMatch(
          /sk-secret|127\.0\.0\.1|no such key|"error"/
        )
      }
    })
  )

  it.live("that cannot be reached says how the connection failed, and not where", () =>
    Effect.gen(function* () {
      const baseUrl = new URL("http://127.0.0.1:1/v1")
      const layer = ChatModel.layer({ baseUrl, model: "small-1" }).pipe(Layer.provide(FetchHttpClient.layer))
      const error = yield* Effect.flip(LanguageModel.generateText({ prompt: "x" }).pipe(Effect.provide(layer)))

      expect(error.reason.message).toContain("the endpoint cannot be reached")
      expect(error.reason.message).not.toContain("127.0.0.1")
      expect(error.isRetryable).toBe(true)
    })
  )

  it.live("that answers megabytes is not read to their end", () =>
    Effect.gen(function* () {
      let sent = 0
      const endless: Reply = (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const more = (): void => {
          while (!response.destroyed && response.write(" ".repeat(64 * 1024))) sent += 1
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      }
      const { answer } = yield* asked(endless)

      expect(answer._tag === "Failure" ? answer.failure.message : "").toContain("longer than 8 MB")
      expect(sent).toBeLessThan(1000)
    })
  )

  it.live("may bill no tokens that it cannot have used", () =>
    Effect.gen(function* () {
      const usages = [{ prompt_tokens: -5, completion_tokens: 1e300 }, { prompt_tokens: 2.5 }, null]
      const totals = yield* Effect.forEach(usages, (usage) =>
        Effect.map(asked(json({ choices: [{ message: { content: "x" } }], usage })), ({ answer }) =>
          answer._tag === "Success"
            ? [answer.success.usage.inputTokens.total, answer.success.usage.outputTokens.total]
            : answer.failure.message
        )
      )

      expect(totals).toEqual([
        [0, 10_000_000],
        [2, undefined],
        [undefined, undefined]
      ])
    })
  )

  it.effect("is waited for two minutes, until it begins to answer", () =>
    Effect.gen(function* () {
      const silent = HttpClient.make(() => Effect.never)
      const layer = ChatModel.layer({ baseUrl: new URL("http://site.test/v1"), model: "small-1" }).pipe(
        Layer.provide(Layer.succeed(HttpClient.HttpClient, silent))
      )
      const asking = yield* Effect.forkChild(
        Effect.flip(LanguageModel.generateText({ prompt: "x" }).pipe(Effect.provide(layer)))
      )
      yield* TestClock.adjust("119 seconds")
      const early = asking.pollUnsafe()
      yield* TestClock.adjust("1 second")

      expect(early).toBeUndefined()
      const error = yield* Fiber.join(asking)
      expect(error.reason.message).toContain("no answer within 2 minutes")
      expect(error.isRetryable).toBe(false)
    })
  )

  it.live("keeps the query of its address", () =>
    Effect.gen(function* () {
      const url = yield* Deferred.make<string>()
      const seen = HttpClient.make((_request, address) =>
        Effect.andThen(Deferred.succeed(url, address.href), Effect.never)
      )
      const baseUrl = new URL("https://site.test/openai/v1/?api-version=2")
      const layer = ChatModel.layer({ baseUrl, model: "m" }).pipe(
        Layer.provide(Layer.succeed(HttpClient.HttpClient, seen))
      )
      const asking = yield* Effect.forkChild(LanguageModel.generateText({ prompt: "x" }).pipe(Effect.provide(layer)))
      const asked = yield* Deferred.await(url)
      yield* Fiber.interrupt(asking)

      expect(asked).toBe("https://site.test/openai/v1/chat/completions?api-version=2")
    })
  )
})

describe("a streamed answer of a language model", () => {
  it.live("comes piece by piece, with its end and what it has used", () =>
    Effect.gen(function* () {
      const { end, model, parts, text } = yield* streamed(
        delta("Two "),
        delta("lamps."),
        stop,
        used,
        "data: [DONE]\n\n"
      )

      expect(end._tag).toBe("Success")
      expect(text).toBe("Two lamps.")
      expect(parts.map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-delta", "text-end", "finish"])
      expect(parts.at(-1)).toMatchObject({ reason: "stop", usage: { inputTokens: { total: 7 } } })
      expect(model.asked[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    })
  )

  it.live("may be cut anywhere between its bytes", () =>
    Effect.gen(function* () {
      const whole = Buffer.from(`${delta("Grüße ")}${delta("🌾")}${stop}`)
      const reply: Reply = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        for (const byte of whole) response.write(Buffer.of(byte))
        response.end()
      }
      const model = yield* scriptedModel(reply)
      const layer = ChatModel.layer({ baseUrl: model.baseUrl, model: "m" }).pipe(Layer.provide(FetchHttpClient.layer))
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "x" })).pipe(Effect.provide(layer))
      const text = Array.from(parts, (part) => (part.type === "text-delta" ? part.delta : "")).join("")

      expect(text).toBe("Grüße 🌾")
    })
  )

  it.live("that ends before its end has failed, be it cut politely or not", () =>
    Effect.gen(function* () {
      const polite = yield* streamed(delta("Two "))
      const nonsense = yield* streamed(delta("Two "), "data: {\n\n", stop)

      expect(polite.text).toBe("Two ")
      expect(polite.end._tag === "Failure" ? polite.end.failure.message : "").toContain("the answer is incomplete")
      expect(nonsense.end._tag === "Failure" ? nonsense.end.failure.reason._tag : "").toBe("InvalidOutputError")
    })
  )
})
