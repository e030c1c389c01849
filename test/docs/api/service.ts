// Copied by `npm run docs` from docs/reference/api/service.md. Do not edit.
import * as Layer from "effect/Layer"
import { AddressGuard, Embedded, EmbeddedCrawls, Patience, Proxies, Server, ServiceConfig } from "../../../src/service/index.ts"
import { WebData } from "../../../src/client/index.ts"

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
  const config = { ...ServiceConfig.defaults, database: "./jobs.sqlite" }
  const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(config)))
  console.log(Layer.isLayer(service)) // true
}
{
  const crawls = EmbeddedCrawls.layer({ ...ServiceConfig.defaults, perHost: 2 })
  console.log(Layer.isLayer(crawls)) // true
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
  console.log(Layer.isLayer(served)) // true
}
{
  const config: ServiceConfig.ServiceConfig = { ...ServiceConfig.defaults, perHost: 2, inFlight: 20 }
  console.log(config.database, config.allowPrivate) // ":memory:" false
}
