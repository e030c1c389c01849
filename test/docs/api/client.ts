// Copied by `npm run docs` from docs/reference/api/client.md. Do not edit.
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { CrawlFailed, IdempotencyKey, WebData, crawlPages, readWebhook, type Options, verifyWebhook } from "../../../src/contract/client.ts"
import { Embedded, ServiceConfig } from "../../../src/service/index.ts"
import { createHmac } from "node:crypto"

{
  const failed = new CrawlFailed({ id: "job-1", message: "the crawl was cancelled; start it again" })
  console.log(failed._tag) // "CrawlFailed"
}
{
  const start = Effect.flatMap(WebData, ({ crawl }) => crawl.start({ payload: { url: "https://your.site", limit: 1 } }))
  const twice = Effect.andThen(start, Effect.flip(start)).pipe(Effect.provideService(IdempotencyKey, "2026-01-01"))
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  console.log((await Effect.runPromise(Effect.provide(twice, service)))._tag) // "Conflict"
}
{
  const options: Options = { baseUrl: Embedded.baseUrl }
  const client = WebData.layer(options).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const map = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site", limit: 10 } }))
  console.log((await Effect.runPromise(Effect.provide(map, client))).links.length) // 10
}
{
  const client = WebData.layer({ baseUrl: "http://localhost:3002" }).pipe(Layer.provide(FetchHttpClient.layer))
  const scraped = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload: { url: "https://your.site" } }))
  console.log(await Effect.runPromise(Effect.provide(scraped, client)))
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const titles = crawlPages({ url: "https://your.site", limit: 3 }).pipe(
    Stream.map((event) => (event._tag === "Pages" ? event.documents.length : 0)),
    Stream.runSum
  )
  console.log(await Effect.runPromise(Effect.provide(titles, service))) // 3
}
{
  const body = new TextEncoder().encode('{"type":"crawl.completed","id":"job-1"}')
  const signature = `sha256=${createHmac("sha256", "the webhook secret").update(body).digest("hex")}`
  const read = readWebhook(body, { "x-service-signature": signature }, Redacted.make("the webhook secret"))
  console.log(read._tag, readWebhook(body, {}, Redacted.make("the webhook secret"))._tag) // "Event" "Forged"
}
{
  const body = new TextEncoder().encode('{"type":"crawl.completed","id":"job-1"}')
  const signature = `sha256=${createHmac("sha256", "the webhook secret").update(body).digest("hex")}`
  console.log(verifyWebhook(body, signature, Redacted.make("the webhook secret"))) // true
  console.log(verifyWebhook(body, signature, Redacted.make("another secret"))) // false
}
