/** A website in this process, written down as a map of paths: what every test of the crawler crawls. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface ScriptedSite {
  readonly port: number
  /** What it answers from now on; a test may change it. */
  readonly routes: Record<string, Answer>
  /** Paths in the order they were asked for. */
  readonly requests: ReadonlyArray<string>
  /** The most requests that were open at once. */
  readonly peak: () => number
}

/** Serves until the scope closes. A text answer is an HTML page; a path that is not written down is 404. */
export const scriptedSite = (routes: Record<string, Answer>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly site: ScriptedSite; readonly close: Effect.Effect<void> }>((resume) => {
      const requests: Array<string> = []
      let open = 0
      let peak = 0
      const server = createServer((request, response) => {
        const path = request.url ?? "/"
        requests.push(path)
        open += 1
        peak = Math.max(peak, open)
        response.on("close", () => (open -= 1))
        const answer = routes[path] ?? routes[path.split("?")[0] ?? ""]
        if (typeof answer === "function") return answer(request, response)
        response.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
        response.end(answer ?? "<title>not here</title>")
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
        resume(Effect.succeed({ site: { port, routes, requests, peak: () => peak }, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ site }) => site))

export const redirect =
  (location: string, status = 302): Answer =>
  (_request, response) => {
    response.writeHead(status, { location })
    response.end()
  }

export const file =
  (contentType: string, body: string | Uint8Array, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": contentType })
    response.end(body)
  }

/** A page with a title, and links to these paths. */
export const page = (title: string, ...links: ReadonlyArray<string>): string =>
  `<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>Text of ${title}.</p>` +
  `${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></body></html>`

/** A page that is held back: `reached` when somebody asks for it, answered once it is `open`; `left` when they went away. */
export const gate = (body: string) => {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const answer: Answer = (_request, response) => {
    asked.resolve()
    response.on("close", () => gone.resolve())
    void released.promise.then(() => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
      response.end(body)
    })
  }
  return {
    answer,
    reached: Effect.promise(() => asked.promise),
    left: Effect.promise(() => gone.promise),
    open: Effect.sync(() => released.resolve())
  }
}
