/**
 * Many small websites behind one port, which measure by their own clock how they are asked: when each request came, and how
 * many were open at once.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export interface Host {
  readonly name: string
  readonly pages: number
  /** Of its robots.txt; 0: none. */
  readonly delaySeconds: number
  /** How long it takes to answer. */
  readonly millis: number
}

export interface Measured {
  /** Paths of pages in the order in which they were asked for, with the time by the clock of the site. */
  readonly asked: Array<{ readonly path: string; readonly at: number }>
  /** How often its robots.txt was asked for. */
  rules: number
  /** Requests of pages that are open, and the most that were. */
  open: number
  peak: number
}

export interface Sites {
  readonly port: number
  readonly of: (name: string) => Measured
  /** The most requests that were open at once, over all hosts. */
  readonly peak: () => number
  /** Milliseconds between a request of a page and the next, the smallest. */
  readonly smallestGap: (name: string) => number
  /** Resolves when this host has been asked for so many pages in all. */
  readonly reached: (name: string, requests: number) => Effect.Effect<void>
}

/** Serves until the scope closes. Each site is a start page that links to all the others. */
export const measuredSites = (
  hosts: ReadonlyArray<Host>,
  address = "127.0.0.1"
): Effect.Effect<Sites, never, import("effect/Scope").Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly sites: Sites; readonly close: Effect.Effect<void> }>((resume) => {
      const byName = new Map(hosts.map((host) => [host.name, host]))
      const measured = new Map<string, Measured>(
        hosts.map(({ name }) => [name, { asked: [], rules: 0, open: 0, peak: 0 }])
      )
      const waiting: Array<{ readonly name: string; readonly requests: number; readonly done: () => void }> = []
      let openInAll = 0
      let peakInAll = 0
      const of = (name: string): Measured => {
        const found = measured.get(name)
        if (found === undefined) throw new Error(`there is no site ${name}`)
        return found
      }
      const server = createServer((request, response) => {
        const name = (request.headers.host ?? "").split(":")[0] ?? ""
        const host = byName.get(name)
        const path = request.url ?? "/"
        if (host === undefined) return response.writeHead(404).end()
        if (path === "/robots.txt") {
          of(name).rules += 1
          const rules = host.delaySeconds > 0 ? `User-agent: *\nCrawl-delay: ${host.delaySeconds}\n` : ""
          return response.writeHead(200, { "content-type": "text/plain" }).end(rules)
        }
        const own = of(name)
        own.asked.push({ path, at: performance.now() })
        own.open += 1
        openInAll += 1
        peakInAll = Math.max(peakInAll, openInAll)
        own.peak = Math.max(own.peak, own.open)
        response.on("close", () => {
          own.open -= 1
          openInAll -= 1
        })
        for (const one of waiting) if (one.name === name && own.asked.length >= one.requests) one.done()
        setTimeout(() => {
          const links = Array.from({ length: host.pages - 1 }, (_, index) => `<a href="/p${index + 1}">${index}</a>`)
          response.writeHead(200, { "content-type": "text/html" })
          response.end(
            `<html lang="en"><head><title>${path}</title></head><body><main><h1>${path}</h1><p>Text of ${name}${path}.</p>` +
              `${path === "/" ? links.join(" ") : ""}</main></body></html>`
          )
        }, host.millis)
      })
      server.listen(0, address, () => {
        // A TCP server has this address.
        const { port } = server.address() as AddressInfo
        const close = Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
        const sites: Sites = {
          port,
          of,
          peak: () => peakInAll,
          smallestGap: (name) => {
            const times = of(name).asked.map(({ at }) => at)
            return Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))
          },
          reached: (name, requests) =>
            Effect.promise(() =>
              of(name).asked.length >= requests
                ? Promise.resolve()
                : new Promise<void>((done) => void waiting.push({ name, requests, done }))
            )
        }
        resume(Effect.succeed({ sites, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ sites }) => sites))
