/**
 * The service on a port, with somebody at the door who counts the jobs that were started, and tells of every answer.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { hosts, served } from "../service/served.ts"

export interface WatchedService {
  readonly url: string
  /** Jobs that were started, which are what is paid for. */
  readonly started: () => number
  /** Told after each answer, by what was asked: "start", "status", "errors". */
  onAnswer: (what: string) => void
}

/** Serves until the scope closes. Its crawls find site.test at a port of this machine. */
export const watchedService = Effect.fnUntraced(function* (sitePort: number) {
  const { url } = yield* served({ allowPrivate: true, resolve: hosts(sitePort) })
  let started = 0
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/"
    const what = request.method === "POST" ? "start" : path.includes("/errors") ? "errors" : "status"
    const body = request.method === "POST" ? new Uint8Array(await buffer(request)) : null
    const headers = Object.entries(request.headers).flatMap(
      ([name, value]): Array<[string, string]> =>
        typeof value === "string" && !["host", "connection", "content-length"].includes(name) ? [[name, value]] : []
    )
    // Who was killed does not wait any more; the service may have done all the same what it was asked for.
    const answer = await fetch(url + path, { method: request.method ?? "GET", headers, body }).catch(() => undefined)
    if (answer === undefined) return response.destroy()
    if (what === "start" && answer.ok) started += 1
    const text = await answer.text().catch(() => "")
    if (response.destroyed) return
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(text, () => watched.onAnswer(what))
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const watched: WatchedService = { url: `http://127.0.0.1:${port}`, started: () => started, onAnswer: () => {} }
  return watched
})
