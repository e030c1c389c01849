// Copied by `npm run docs` from docs/reference/api/service.md. Do not edit.
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { AddressGuard, Embedded, EmbeddedCrawls, Patience, Proxies, Server, ServiceConfig } from "../../../src/service/index.ts"
import { WebData } from "../../../src/contract/client.ts"
import { Journals, Pipeline, Run, Stages } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { crawl } from "../../../connectors/webdata/index.ts"

{
  console.log(new AddressGuard.AddressBlocked("intranet.example", "10.0.0.1").code) // "ERR_ADDRESS_BLOCKED"
}
{
  console.log(AddressGuard.isPublic("1.1.1.1"), AddressGuard.isPublic("::ffff:10.0.0.1")) // true false
}
{
  const resolve = new Map([AddressGuard.parseResolve("shop.example=127.0.0.1:8080")].filter((one) => one !== undefined))
  console.log(resolve.get("shop.example")?.port) // 8080
}
{
  console.log(Embedded.baseUrl) // "http://embedded.millrace"
}
{
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const listed = Effect.flatMap(WebData, ({ map }) => map.map({ payload: { url: "https://your.site/docs/", limit: 5 } }))
  console.log((await Effect.runPromise(Effect.provide(listed, service))).links.length) // 5
}
{
  const source = crawl.with({ url: "https://your.site", limit: 2 })
  const pipeline = Pipeline.make({ name: "two", source, sinks: { out: memory.with({ name: "two" }) } })
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
  const crawls = EmbeddedCrawls.layer(ServiceConfig.defaults)
  const parts = Layer.mergeAll(service, crawls, Journals.layerTemporary, Stages.layer)
  console.log((await Effect.runPromise(Effect.provide(Run.run(pipeline), parts))).rows["pages"]) // 2
}
{
  console.log(Patience.defaults.tries, Patience.defaults.firstWaitMillis) // 3 500
}
{
  const config: ServiceConfig.ServiceConfig = { ...ServiceConfig.defaults, patience: Patience.withTries(1) }
  console.log(config.patience.tries) // 1
}
{
  console.log(new Proxies.ProxyProblem("HTTPS_PROXY is not an address")._tag) // "ProxyProblem"
}
{
  const proxies = Proxies.make({ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "intranet.example" })
  const target = { protocol: "https:", port: "" }
  console.log(proxies?.({ ...target, hostname: "shop.example" })?.url.host) // "proxy:3128"
  console.log(proxies?.({ ...target, hostname: "intranet.example" })) // undefined
}
{
  console.log(Proxies.make({ HTTPS_PROXY: "http://proxy:3128" }, Proxies.none)) // undefined
}
{
  const served = Server.layer(ServiceConfig.defaults, { host: "127.0.0.1", port: 0 })
  const asked = Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    return yield* Effect.promise(() => fetch(`${HttpServer.formatAddress(address)}/openapi.json`))
  })
  console.log((await Effect.runPromise(Effect.provide(asked, served))).status) // 200
}
{
  const config: ServiceConfig.ServiceConfig = { ...ServiceConfig.defaults, perHost: 2, inFlight: 20 }
  console.log(config.database, config.allowPrivate) // ":memory:" false
}
