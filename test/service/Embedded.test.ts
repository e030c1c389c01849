import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Stream from "effect/Stream"
import * as Embedded from "#service/Embedded"
import * as ServiceConfig from "#service/ServiceConfig"

describe("an embedded service", () => {
  it.effect("answers the same as text, as JSON, as bytes and as a stream", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const ask = client.execute(HttpClientRequest.get(`${Embedded.baseUrl}/v2/crawl/Z%C3%BCrich`))
      const text = yield* Effect.flatMap(ask, (answer) => answer.text)
      const json = yield* Effect.flatMap(ask, (answer) => answer.json)
      const bytes = yield* Effect.flatMap(ask, (answer) => answer.arrayBuffer)
      const parts = yield* Effect.flatMap(ask, (answer) => Stream.runCollect(answer.stream))

      expect(text).toMatch(/^\{"success":false,/)
      expect(json).toEqual(JSON.parse(text))
      expect(new TextDecoder().decode(bytes)).toBe(text)
      expect(Buffer.concat(parts).toString("utf8")).toBe(text)
    }).pipe(Effect.provide(Embedded.layer(ServiceConfig.defaults)))
  )

  it.effect("takes a file in a form", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const form = new FormData()
      form.set("file", new File(["<h1>Tides</h1><p>High water at noon.</p>"], "tides.html", { type: "text/html" }))
      const request = HttpClientRequest.post(`${Embedded.baseUrl}/v2/parse`)

      const answer = yield* client.execute(HttpClientRequest.bodyFormData(request, form))

      expect(answer.status).toBe(200)
      expect(yield* answer.json).toMatchObject({ success: true, data: { markdown: "# Tides\n\nHigh water at noon." } })
    }).pipe(Effect.provide(Embedded.layer(ServiceConfig.defaults)))
  )
})
