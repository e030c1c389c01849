/** The demo site on a port of this machine. Only a behaviour of a page delays or breaks an answer; no request can ask for it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Site from "./Site.ts"

interface Address {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** How long a slow page takes, in milliseconds: 300 where it is not said. */
  readonly slowness?: number
}

class SiteError extends Schema.TaggedError<SiteError>()("SiteError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Serves the site until the scope closes. Then every connection is cut, also those that wait. */
export const serve = Effect.fn("Site.serve")(function* (site: Site.Site, address: Address) {
  const server = yield* Effect.acquireRelease(listen(site, address), close)
  return { url: urlOf(server, address.host) }
})

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void)).closeAllConnections()
  })

const listen = (site: Site.Site, { host, port, slowness = 300 }: Address) =>
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

const urlOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** The visitor's own name for us goes into absolute addresses, if it is a name. */
const readRequest = ({ headers, method = "GET", url: path = "/" }: IncomingMessage, url: string): Site.Request => {
  const host = headers.host ?? ""
  const isName = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host)
  const lines = Object.entries(headers).map(([name, value]) => [name, value?.toString()] as const)
  return { method, path, origin: isName ? `http://${host.toLowerCase()}` : url, headers: Object.fromEntries(lines) }
}

const carry = ({ behaviour, body, headers, status }: Site.Response, response: ServerResponse, slowness: number) => {
  const send = () => response.writeHead(status, headers).end(body)
  switch (behaviour) {
    case "reset":
      return response.socket?.resetAndDestroy()
    case "drip": {
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).write(" ")
      const drip = setInterval(() => response.write(" "), 1000)
      return response.once("close", () => clearInterval(drip))
    }
    case "slow": {
      const wait = setTimeout(send, slowness)
      return response.once("close", () => clearTimeout(wait))
    }
    case undefined:
      return send()
  }
}
