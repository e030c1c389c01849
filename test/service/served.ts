/** The service on a real port of this machine, and the few ways in which tests speak to it: raw, without a client of ours. */
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Server from "#service/Server"
import * as ServiceConfig from "#service/ServiceConfig"
import { quick } from "./quick.ts"

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface Service {
  readonly url: string
  readonly ask: (method: string, path: string, options?: Ask) => Effect.Effect<Answered>
}

export interface Ask {
  /** Sent as JSON where it is not text already. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves until the scope closes. */
export const served = Effect.fnUntraced(function* (config: Partial<ServiceConfig.ServiceConfig> = {}) {
  const context = yield* Layer.build(
    Server.layer({ ...ServiceConfig.defaults, patience: quick, ...config }, { host: "127.0.0.1", port: 0 })
  )
  const url = yield* Effect.provideContext(HttpServer.addressFormattedWith(Effect.succeed), context)
  const service: Service = { url, ask: (method, path, options) => ask(method, url + path, options) }
  return service
})

/** The host names of tests, at the port of a scripted site. */
export const hosts = (port: number, ...names: ReadonlyArray<string>) =>
  new Map(
    (names.length === 0 ? ["site.test", "www.site.test", "other.test"] : names).map((name) => [
      name,
      { address: "127.0.0.1", port }
    ])
  )

const ask = (method: string, url: string, { body, headers = {} }: Ask = {}) =>
  Effect.promise(async (signal): Promise<Answered> => {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const response = await fetch(url, { method, signal, headers: { ...type, ...headers }, ...sent })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
  })
