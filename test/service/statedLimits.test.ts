import { createServer, type ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import type * as ServiceConfig from "#service/ServiceConfig"
import { served } from "./served.ts"

/** Answers nobody until no further request has come for so long: then all that could be in flight are. */
const quietMillis = 1000

/** How often it waits for that, before it answers at once. */
const times = 2

/** A site under many names, which holds its pages back and counts the most in flight at once. Its front page links all. */
const countingSite = (hosts: ReadonlyArray<string>, pages: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const held = new Set<ServerResponse>()
      const links = Array.from({ length: pages }, (_, at) => `http://${hosts[at % hosts.length]}/page-${at}`)
      let most = 0
      let waits = times
      const answer = () => {
        if (held.size > 0) waits -= 1
        for (const response of held) response.end("<title>A page</title><p>The text of one page of this site.</p>")
        held.clear()
      }
      const quiet = setTimeout(answer, quietMillis)
      const server = createServer((request, response) => {
        response.setHeader("content-type", "text/html")
        if (request.url === "/robots.txt" || request.url?.includes("sitemap") === true) {
          response.statusCode = 404
          return response.end()
        }
        if (request.url === "/")
          return response.end(links.map((link) => `<a href="${link}">one of its pages</a>`).join("\n"))
        held.add(response)
        most = Math.max(most, held.size)
        if (waits > 0) quiet.refresh()
        else answer()
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = address !== null && typeof address === "object" ? address.port : 0
      return { links, port, most: () => most, server, quiet }
    }),
    ({ quiet, server }) =>
      Effect.promise(async () => {
        clearTimeout(quiet)
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )

interface Stated {
  readonly kind: "crawl" | "batch/scrape"
  readonly hosts: number
  readonly plan?: number
  readonly request?: number
  readonly perHost: number
  readonly inFlight?: number
  readonly most: number
}

const table: ReadonlyArray<Stated> = [
  { kind: "crawl", hosts: 1, plan: 20, perHost: 30, most: 20 },
  { kind: "crawl", hosts: 1, plan: 50, request: 20, perHost: 20, most: 20 },
  { kind: "crawl", hosts: 1, plan: 50, request: 40, perHost: 30, most: 30 },
  { kind: "crawl", hosts: 80, plan: 70, perHost: 8, most: 70 },
  { kind: "crawl", hosts: 80, plan: 50, request: 100, perHost: 8, inFlight: 25, most: 25 },
  { kind: "crawl", hosts: 3, perHost: 8, most: 24 },
  { kind: "batch/scrape", hosts: 1, plan: 20, perHost: 30, most: 20 },
  { kind: "batch/scrape", hosts: 1, plan: 50, request: 20, perHost: 20, most: 20 },
  { kind: "batch/scrape", hosts: 80, plan: 200, request: 60, perHost: 8, most: 60 },
  { kind: "batch/scrape", hosts: 80, plan: 200, request: 100, perHost: 8, most: 100 },
  { kind: "batch/scrape", hosts: 80, plan: 200, perHost: 8, inFlight: 30, most: 30 },
  { kind: "batch/scrape", hosts: 80, perHost: 8, most: 64 }
]

/** The most in flight at the site, in one crawl or batch under these limits. */
const mostInFlight = Effect.fnUntraced(function* ({ hosts, inFlight, kind, perHost, plan, request }: Stated) {
  const names = Array.from({ length: hosts }, (_, at) => `site-${at}.test`)
  const site = yield* countingSite(names, 130)
  const limits = { credits: 100_000, requestsPerMinute: 600, robotsControl: false }
  const config: Partial<ServiceConfig.ServiceConfig> = {
    resolve: new Map(names.map((name) => [name, { address: "127.0.0.1", port: site.port }])),
    perHost,
    inFlight,
    ...(plan === undefined
      ? {}
      : { keys: [{ key: Redacted.make("fc-a"), teamId: "a", plan: { ...limits, concurrency: plan } }] })
  }
  const { ask } = yield* served(config)
  const headers = { authorization: "Bearer fc-a" }
  const wanted = request === undefined ? {} : { maxConcurrency: request }
  const body =
    kind === "crawl"
      ? { url: `http://${names[0]}/`, allowExternalLinks: true, crawlEntireDomain: true, sitemap: "skip", ...wanted }
      : { urls: site.links, ...wanted }
  const started = yield* ask("POST", `/v2/${kind}`, { body, headers })
  expect(started.status).toBe(200)
  for (let status = "scraping"; status === "scraping"; ) {
    const answer = yield* ask("GET", `/v2/${kind}/${started.body.id}?skip=100000`, { headers })
    status = answer.body.status
  }
  return site.most()
})

describe("limits that are stated", () => {
  for (const stated of table) {
    const { most, kind, ...limits } = stated
    it.live(`bind a ${kind} at the site to ${most}, the least of ${JSON.stringify(limits)}`, () =>
      Effect.scoped(Effect.map(mostInFlight(stated), (counted) => expect(counted).toBe(most)))
    )
  }
})
