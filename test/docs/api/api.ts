// Copied by `npm run docs` from docs/reference/api/api.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Action, AgentRequest, BatchRequest, CrawlRequest, CrawlerName, Errors, ExtractRequest, Format, GovSearchRequest, HttpUrl, MapRequest, MonitorRequest, ParseOptions, ScrapeOptions, ScrapeRequest, SearchRequest, SupportRequest, isHttpUrl, urlFault } from "../../../src/contract/index.ts"
import { WebData } from "../../../src/contract/client.ts"
import { Embedded, ServiceConfig } from "../../../src/service/index.ts"

{
  const isAction = Schema.is(Action)
  console.log(isAction({ type: "click", selector: "#more" }), isAction({ type: "wait" })) // true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const list = Effect.flatMap(WebData, ({ agent }) => agent.list({ query: {} }))
  console.log((await Effect.runPromise(Effect.provide(list, service))).agents) // []
}
{
  console.log(Schema.is(AgentRequest)({ prompt: "open posts" }), Schema.is(AgentRequest)({ prompt: "" })) // true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const urls = ["https://your.site/about", "not an address"]
  const started = Effect.flatMap(WebData, ({ batch }) => batch.start({ payload: { urls, ignoreInvalidURLs: true } }))
  console.log((await Effect.runPromise(Effect.provide(started, service))).invalidURLs) // ["not an address"]
}
{
  const request = Schema.decodeUnknownSync(BatchRequest)({ urls: ["https://docs.example.com/a", "https://docs.example.com/b"] })
  console.log(request.urls.length) // 2
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const crawled = Effect.gen(function* () {
    const { crawl } = yield* WebData
    const { id } = yield* crawl.start({ payload: { url: "https://your.site/docs/", limit: 2 } })
    const { status } = yield* crawl.cancel({ params: { id } })
    return status
  })
  console.log(await Effect.runPromise(Effect.provide(crawled, service))) // "cancelled"
}
{
  const request = Schema.decodeUnknownSync(CrawlRequest)({ url: "https://docs.example.com", limit: 10 })
  console.log(request.limit) // 10
}
{
  const name = Schema.decodeUnknownSync(CrawlerName)({ name: "AcmeBot/1.0", contact: "https://acme.example/bot" })
  console.log(name.contact) // "https://acme.example/bot"
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const cancelled = Effect.gen(function* () {
    const { extract } = yield* WebData
    const { id } = yield* extract.start({ payload: { urls: ["https://your.site/shop/"], prompt: "names and prices" } })
    return yield* extract.cancel({ params: { id } })
  })
  console.log((await Effect.runPromise(Effect.provide(cancelled, service))).status) // "cancelled"
}
{
  const urls = ["https://your.site/shop/*"]
  console.log(Schema.is(ExtractRequest)({ urls, prompt: "names and prices" }), Schema.is(ExtractRequest)({ urls })) // true false
}
{
  const isFormat = Schema.is(Format)
  console.log(isFormat("markdown"), isFormat({ type: "screenshot", fullPage: true }), isFormat("pdf")) // true true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const found = Effect.flatMap(WebData, ({ govSearch }) => govSearch.search({ payload: { query: "17 U.S.C. 107" } }))
  console.log((await Effect.runPromise(Effect.provide(found, service))).data.web.length) // 0
}
{
  console.log(Schema.decodeUnknownSync(GovSearchRequest)({ query: "fence height in Springfield", k: "5" }).k) // 5
}
{
  console.log(Schema.is(HttpUrl)("https://docs.example.com"), Schema.is(HttpUrl)("/docs")) // true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const mapped = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site", limit: 3 } }))
  console.log((await Effect.runPromise(Effect.provide(mapped, service))).links.length) // 3
}
{
  const request = Schema.decodeUnknownSync(MapRequest)({ url: "https://docs.example.com", limit: 100 })
  console.log(request.limit) // 100
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const target = { type: "scrape" as const, urls: ["https://your.site/council/"] }
  const payload = { name: "council", schedule: { text: "every day" }, targets: [target] }
  const made = Effect.flatMap(WebData, ({ monitor }) => monitor.create({ payload }))
  console.log((await Effect.runPromise(Effect.provide(made, service))).data.name) // "council"
}
{
  const request = { name: "prices", schedule: { cron: "0 6 * * *" }, targets: [] }
  console.log(Schema.is(MonitorRequest)(request)) // false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const form = new FormData()
  form.set("file", new File(["<h1>Tides</h1><p>High water at noon.</p>"], "tides.html", { type: "text/html" }))
  const parsed = Effect.flatMap(WebData, ({ parse }) => parse.parse({ payload: form }))
  const answer = await Effect.runPromise(Effect.provide(parsed, service))
  console.log("data" in answer && "markdown" in answer.data && answer.data.markdown?.split("\n")[0]) // "# Tides"
}
{
  const isOptions = Schema.is(ParseOptions)
  console.log(isOptions({ formats: ["markdown"] }), isOptions({ formats: ["screenshot"] })) // true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const payload = { url: "https://your.site/about", formats: ["markdown"] } as const
  const scraped = Effect.flatMap(WebData, ({ scrape }) => scrape.scrape({ payload }))
  const answer = await Effect.runPromise(Effect.provide(scraped, service))
  console.log("data" in answer && "markdown" in answer.data && answer.data.markdown?.slice(0, 17)) // "# About Northmere"
}
{
  const options = Schema.decodeUnknownSync(ScrapeOptions)({ formats: ["markdown", "links"], waitFor: 500 })
  console.log(options.formats, options.waitFor) // ["markdown", "links"] 500
}
{
  const isRequest = Schema.is(ScrapeRequest)
  console.log(isRequest({ url: "https://docs.example.com", formats: ["markdown"] }), isRequest({})) // true false
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const found = Effect.flatMap(WebData, ({ search }) => search.search({ payload: { query: "tide clock" } }))
  console.log((await Effect.runPromise(Effect.provide(found, service))).data.web) // []
}
{
  const request = Schema.decodeUnknownSync(SearchRequest)({ query: "effect streams", limit: 5 })
  console.log(request.limit) // 5
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const payload = { question: "How do I crawl one folder of a site?" }
  const asked = Effect.flatMap(WebData, ({ support }) => support.ask({ payload }))
  console.log((await Effect.runPromise(Effect.provide(asked, service))).sources.length > 0) // true
}
{
  const request = Schema.decodeUnknownSync(SupportRequest)({ question: "How do I crawl one folder of a site?" })
  console.log(request.question) // "How do I crawl one folder of a site?"
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const usage = Effect.flatMap(WebData, ({ team }) => team.queueStatus({}))
  console.log((await Effect.runPromise(Effect.provide(usage, service))).jobsInQueue) // 0
}
{
  console.log(isHttpUrl("https://docs.example.com/a"), isHttpUrl("docs.example.com"), isHttpUrl("file:///etc/passwd")) // true false false
}
{
  console.log(urlFault("https://docs.example.com"), urlFault("/docs")?.slice(0, 11)) // undefined Invalid URL
}
{
  const refused = new Errors.BadRequest({ message: "url: is missing" })
  console.log(refused._tag, refused.message) // "BadRequest" "url: is missing"
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const id = "01a21703-3bb7-715a-9f58-972f6c76b1a9"
  const asked = Effect.flatMap(WebData, ({ crawl }) => crawl.status({ params: { id }, query: {} })).pipe(
    Effect.map(({ status }): string => status),
    Effect.catchTag("NotFound", ({ message }) => Effect.succeed(message))
  )
  console.log((await Effect.runPromise(Effect.provide(asked, service))).split("; ")[1]) // "results are kept for 24 hours after the end"
}
