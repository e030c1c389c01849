// Copied by `npm run docs` from docs/reference/api/client.md. Do not edit.
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { CrawlFailed, IdempotencyKey, WebData, crawlPages, readWebhook, type Options, verifyWebhook } from "../../../src/client/index.ts"
import { Embedded, ServiceConfig } from "../../../src/service/index.ts"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

{
  const failed = new CrawlFailed({ id: "job-1", message: "the crawl was cancelled; start it again" })
  console.log(failed._tag) // "CrawlFailed"
}
{
  const started = Effect.flatMap(WebData, ({ crawl }) => crawl.start({ payload: { url: "https://your.site" } })).pipe(
    Effect.provideService(IdempotencyKey, "nightly-2026-01-01")
  )
  console.log(Effect.isEffect(started)) // true
}
{
  const options: Options = { baseUrl: "https://api.example.com", key: Redacted.make("key-1") }
  console.log(options.baseUrl)
}
{
  const client = WebData.layer({ baseUrl: "http://localhost:3002" }).pipe(Layer.provide(FetchHttpClient.layer))
  const scraped = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload: { url: "https://your.site" } }))
  console.log(await Effect.runPromise(Effect.provide(scraped, client)))
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const crawl = crawlPages({ url: "https://your.site", limit: 10 }).pipe(
    Stream.runForEach((event) => (event._tag === "Pages" ? Effect.log(event.documents.length) : Effect.log(event._tag)))
  )
  await Effect.runPromise(Effect.provide(crawl, service))
}
{
  const read = readWebhook(new TextEncoder().encode("{}"), {}, Redacted.make("the webhook secret"))
  console.log(read._tag) // "Forged"
}
{
  const secret = Redacted.make("the webhook secret")
  createServer((request, response) => {
    void buffer(request).then((body) => {
      const isOurs = verifyWebhook(body, request.headers["x-service-signature"], secret)
      response.writeHead(isOurs ? 204 : 401).end()
    })
  })
}
