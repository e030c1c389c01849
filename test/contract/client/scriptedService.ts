/** A service in memory: says what it is told to each request, and remembers when it was asked for what. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { WebData } from "#contract/WebData"

export interface Asked {
  readonly at: number
  /** "GET /v2/crawl/1?skip=0" */
  readonly what: string
}

export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "broken"
  | "never"

/** What a request carries. */
export interface Sent {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** The client of a service that answers by this function; `turn` counts the requests. */
export const scriptedService = (reply: (what: string, turn: number, sent: Sent) => Reply) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const what = `${request.method} ${url.pathname}${url.search}`
      asked.push({ at: yield* Clock.currentTimeMillis, what })
      const { body: raw, headers: sent } = request
      const json = raw._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(raw.body)) : undefined
      const said = reply(what, asked.length, { headers: sent, body: json })
      if (said === "never") return yield* Effect.never
      if (said === "broken") {
        return yield* new HttpClientError({ reason: new TransportError({ request, description: "broken" }) })
      }
      const { status, body = { success: false, error: `status ${status}` }, headers = {} } = said
      return HttpClientResponse.fromWeb(request, Response.json(body, { status, headers }))
    })
  )
  const layer = WebData.layer({ baseUrl: "http://service.test" }).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, client))
  )
  return { asked, layer }
}

/** A status answer, and what is different in it. */
export const statusAnswer = (more: object = {}): object => ({
  success: true,
  status: "completed",
  total: 0,
  completed: 0,
  creditsUsed: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-02T00:00:00.000Z",
  data: [],
  ...more
})

/** Page documents with these numbers. */
export const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({
    markdown: String(from + index),
    metadata: { sourceURL: "http://site.test/", url: "http://site.test/", statusCode: 200, scrapeId: "x" }
  }))
