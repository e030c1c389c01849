/**
 * The demo site on a port of this machine, for as long as the scope is open.
 *
 * Only a behaviour that belongs to a page delays or breaks an answer; no request can ask for it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Responder from "./parts/Responder.ts"
import type * as Site from "./Site.ts"

export interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** How long a slow page takes, in milliseconds: 300 where it is not said. */
  readonly slowness?: number
}

export class SiteError extends Schema.TaggedError<SiteError>()("SiteError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Serves the site until the scope closes. Then every connection is cut, also those that wait. */
export const serve = Effect.fn("Site.serve")(function* (
  site: Site.Site,
  { host, port, slowness = 300 }: Address
): Effect.fn.Return<{ readonly url: string }, SiteError, Scope.Scope> {
  const server = yield* Effect.acquireRelease(listen(site, host, port, slowness), close)
  return { url: urlOf(server, host) }
})

const listen = (site: Site.Site, host: string, port: number, slowness: number) =>
  Effect.callback<Server, SiteError>((resume) => {
    const server = createServer((request, response) => {
      carry(site.respond(readRequest(request, urlOf(server, host))), response, slowness)
    })
    server.once("error", (cause) => {
      const message = `cannot serve the site on ${host}:${port} (${cause.message}); choose another port`
      resume(Effect.fail(new SiteError({ message, cause })))
    })
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** The visitor's own name for us goes into absolute addresses, if it is a name. */
const readRequest = (request: IncomingMessage, url: string): Responder.Request => {
  const { headers, method = "GET", url: path = "/" } = request
  const host = headers.host ?? ""
  return {
    method,
    path,
    origin: /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host) ? `http://${host.toLowerCase()}` : url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
    )
  }
}

const carry = (answer: Responder.Response, response: ServerResponse, slowness: number): void => {
  switch (answer.behaviour) {
    case "reset":
      response.socket?.resetAndDestroy()
      return
    case "drip": {
      response.writeHead(answer.status, { "content-type": "text/html; charset=utf-8" })
      response.write(" ")
      const drip = setInterval(() => response.write(" "), 1000)
      response.once("close", () => clearInterval(drip))
      return
    }
    case "slow": {
      const wait = setTimeout(() => send(answer, response), slowness)
      response.once("close", () => clearTimeout(wait))
      return
    }
    case undefined:
      send(answer, response)
  }
}

const send = ({ body, headers, status }: Responder.Response, response: ServerResponse): void => {
  response.writeHead(status, headers)
  response.end(body)
}
