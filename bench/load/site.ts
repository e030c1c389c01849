/** The web of a load: trees of pages, one for each crawl, under as many host names as are wanted, in this process. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface MadeSite {
  readonly port: number
  readonly close: () => void
}

export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

const words = "mill race water wheel stone grain flour sluice weir beam cog shaft pit hopper sack miller toll".split(
  " "
)

const sentence = (seed: number): string =>
  Array.from({ length: 14 }, (_, at) => words[(seed * 7 + at * (1 + (seed % 5))) % words.length]).join(" ")

/** Page `at` of a tree: it links to at most four after it, and the first one to a page that robots.txt forbids. */
const pageOf = (tree: string, at: number, pages: number): string => {
  const next = Array.from({ length: 4 }, (_, n) => at * 4 + n + 1).filter((n) => n < pages)
  const links = next.map((n) => `<li><a href="/${tree}/${n}">${sentence(n)}</a></li>`)
  if (at === 0) links.push(`<li><a href="/private/${tree}">private</a></li>`)
  const text = Array.from({ length: 20 }, (_, n) => `<p>${sentence(at + n)}. ${sentence(at * n)}.</p>`)
  return `<html lang="en"><head><title>Page ${at} of ${tree}</title></head><body><main><h1>Page ${at}</h1>${text.join("\n")}<ul>${links.join("")}</ul></main></body></html>`
}

/** `/TREE/` is the first of `pages` pages; `fault` answers what is to go wrong, and says so. */
export const madeSite = (pages: number, fault: Fault = () => false): Promise<MadeSite> => {
  const server = createServer((request, response) => {
    if (fault(request, response)) return
    const [, tree = "", rest = ""] = (request.url ?? "/").split("/")
    const at = rest === "" ? 0 : Number(rest)
    const isRobots = request.url === "/robots.txt"
    const isPage = !isRobots && Number.isInteger(at) && at < pages && tree !== "sitemap.xml"
    response.writeHead(isRobots || isPage ? 200 : 404, {
      "content-type": isRobots ? "text/plain" : "text/html; charset=utf-8"
    })
    response.end(
      isRobots ? "User-agent: *\nDisallow: /private/\n" : isPage ? pageOf(tree, at, pages) : "<title>none</title>"
    )
  })
  server.keepAliveTimeout = 60_000
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () =>
      done({
        port: (server.address() as AddressInfo).port,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    )
  )
}
