/** A small shop with a page that can be held back, and the service before it, as agents and extracts meet them. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ServiceConfig } from "#service/ServiceConfig"
import { type Answer, gate, scriptedSite } from "../scriptedSite.ts"
import { type Answered, hosts, type Service, served } from "../served.ts"
import { servedGazetteer } from "./gazetteer.ts"

export const origin = "http://site.test"

export const product = (name: string, price: string): string =>
  `<html lang="en"><head><title>${name}</title></head><body><main><h1>${name}</h1>
<dl><dt>Price</dt><dd>£${price}</dd><dt>SKU</dt><dd>${name.slice(0, 3).toUpperCase()}</dd></dl></main></body></html>`

const shelf = `<html lang="en"><head><title>Lamps</title></head><body><main><h1>Lamps</h1><ul>
<li><a href="/lamps/ash">Ash lamp</a> <span class="price">£140.00</span></li>
<li><a href="/lamps/oak">Oak lamp</a> <span class="price">£90.00</span></li>
<li><a href="/lamps/elm">Elm lamp</a> <span class="price">£70.50</span></li>
</ul></main></body></html>`

export const lampSchema = {
  type: "object",
  required: ["name", "price"],
  properties: { name: { type: "string" }, price: { type: "number" } }
}
export const lampsSchema = { type: "object", properties: { lamps: { type: "array", items: lampSchema } } }

export interface Shop {
  readonly service: Service
  readonly requests: ReadonlyArray<string>
  /** A page, "/held", that answers when it is told to. */
  readonly held: ReturnType<typeof gate>
  /** Starts an agent run, and gives its id. */
  readonly start: (body: object) => Effect.Effect<string>
  /** What a job says once it has ended. */
  readonly ended: (path: string) => Effect.Effect<any>
}

export const shop: (
  config?: Partial<ServiceConfig>,
  routes?: Readonly<Record<string, Answer>>
) => Effect.Effect<Shop, unknown, Scope.Scope> = Effect.fnUntraced(function* (config = {}, routes = {}) {
  const held = gate(product("Held lamp", "11.00"))
  const site = yield* scriptedSite({
    "/lamps": shelf,
    "/lamps/ash": product("Ash lamp", "140.00"),
    "/lamps/oak": product("Oak lamp", "90.00"),
    "/lamps/elm": product("Elm lamp", "70.50"),
    "/held": held.answer,
    ...routes
  })
  const gazetteer = yield* servedGazetteer()
  const service = yield* served({ resolve: hosts(site.port), providers: [gazetteer.provider], ...config })
  const start = (body: object) =>
    Effect.map(service.ask("POST", "/v2/agent", { body }), ({ body, status }) =>
      status === 200 ? String(body.id) : `${status} ${JSON.stringify(body)}`
    )
  const ended = Effect.fnUntraced(function* (path: string) {
    for (;;) {
      const { body }: Answered = yield* service.ask("GET", path)
      if (body.status !== "processing") return body
      yield* Effect.sleep("20 millis")
    }
  })
  return { service, requests: site.requests, held, start, ended }
})
