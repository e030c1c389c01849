/** A website whose answers come in an order of the test's choice, and what a crawl that settles makes of it. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CrawlErrors, CrawlRequest, CrawlStatus } from "#contract/Crawl"
import { crawlAnswers } from "#contract/crawlAnswers"
import type { Settling } from "#contract/Settling"
import { embedded, origin } from "../../service/crawlSite.ts"
import type { Answer } from "../../service/scriptedSite.ts"

/** Which of the requests that wait is answered next. */
export type Order = (waiting: ReadonlyArray<string>) => number

export const firstFirst: Order = () => 0
export const lastFirst: Order = (waiting) => waiting.length - 1

/** As dice say, the same for the same seed. */
export const byDice = (seed: number): Order => {
  let state = seed * 2 + 1
  return (waiting) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % waiting.length
  }
}

type Routes = Readonly<Record<string, Answer>> | ((path: string) => Answer | undefined)

/** Serves until the scope closes: a request is answered when no other has come for some turns of the event loop. */
export const orderedSite = (routes: Routes, order: Order) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly port: number
      readonly requests: ReadonlyArray<string>
      readonly close: Effect.Effect<void>
    }>((resume) => {
      const requests: Array<string> = []
      const waiting: Array<{ readonly path: string; readonly answer: () => void }> = []
      let quiet = 0
      let isTurning = false
      const turn = () => {
        quiet += 1
        if (quiet > 20 && waiting.length > 0) {
          quiet = 0
          const at = order(waiting.map(({ path }) => path))
          waiting.splice(at, 1)[0]?.answer()
        }
        isTurning = waiting.length > 0
        if (isTurning) setImmediate(turn)
      }
      const server = createServer((request, response) => {
        const path = request.url ?? "/"
        requests.push(path)
        const answer = typeof routes === "function" ? routes(path) : (routes[path] ?? routes[path.split("?")[0] ?? ""])
        waiting.push({
          path,
          answer: () => {
            if (typeof answer === "function") return answer(request, response)
            response.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
            response.end(answer ?? "<title>not here</title>")
          }
        })
        quiet = 0
        if (!isTurning) setImmediate(turn)
        isTurning = true
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
        resume(Effect.succeed({ port, requests, close }))
      })
    }),
    ({ close }) => close
  )

/** What a crawl from "/" that settles gives: its rows, its errors, its last status, and what was asked for. */
export const settle = (
  routes: Routes,
  options: { readonly order?: Order; readonly request?: Partial<CrawlRequest>; readonly settles?: Settling } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const site = yield* orderedSite(routes, options.order ?? firstFirst)
      const answers = yield* Stream.runCollect(
        crawlAnswers({ url: `${origin}/`, ...options.request }, { settles: options.settles ?? {} })
      ).pipe(Effect.provide(embedded(site.port)))
      const statuses = answers.flatMap(
        ({ kind, text }): ReadonlyArray<CrawlStatus> => (kind === "pages" ? [JSON.parse(text)] : [])
      )
      const errors = answers.flatMap(
        ({ kind, text }): ReadonlyArray<CrawlErrors> => (kind === "errors" ? [JSON.parse(text)] : [])
      )[0]
      const path = (url: string) => url.replace(origin, "")
      const documents = statuses.flatMap(({ data }) => data)
      return {
        documents,
        rows: documents.map(({ metadata: { depth, discoveredFrom, sourceURL, title, url } }) => ({
          url: path(url),
          source: path(sourceURL),
          depth,
          from: discoveredFrom === undefined ? null : path(discoveredFrom),
          title
        })),
        urls: documents.map(({ metadata }) => path(metadata.url)),
        errors: (errors?.errors ?? []).map(({ code, error, url }) => ({ path: path(url), code, error })),
        spellings: errors?.spellings,
        status: statuses.at(-1),
        early: statuses.filter(({ data, status }) => status === "scraping" && data.length > 0).length,
        requests: site.requests
      }
    })
  )
