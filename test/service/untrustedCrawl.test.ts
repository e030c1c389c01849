import { createServer } from "node:https"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { selfSigned } from "./selfSigned.ts"
import { hosts, served } from "./served.ts"

const pages: Readonly<Record<string, string>> = {
  "/robots.txt": "User-agent: *\nDisallow: /secret\nSitemap: https://site.test/map.xml",
  "/map.xml": "<urlset><url><loc>https://site.test/mapped</loc></url></urlset>",
  "/": `<title>home</title><a href="/a">a</a><a href="/secret">s</a>`,
  "/a": "<title>a</title>",
  "/mapped": "<title>mapped</title>"
}

const site = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer(selfSigned("site.test"), (request, response) => {
      const page = pages[request.url ?? ""]
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    return server
  }),
  (server) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

it.live("a crawl that takes any certificate reads the rules and sitemaps of the site too; another reads nothing", () =>
  Effect.gen(function* () {
    const server = yield* site
    const address = server.address()
    const service = yield* served({
      resolve: hosts(typeof address === "object" ? (address?.port ?? 0) : 0, "site.test")
    })
    const crawl = Effect.fnUntraced(function* (scrapeOptions: object) {
      const { body } = yield* service.ask("POST", "/v2/crawl", { body: { url: "https://site.test/", scrapeOptions } })
      for (;;) {
        const { body: job } = yield* service.ask("GET", `/v2/crawl/${body.id}`)
        if (job.status !== "scraping") return job
      }
    })

    const trusting = yield* crawl({ skipTlsVerification: true })
    const titles = trusting.data.map(({ metadata }: { metadata: { title: string } }) => metadata.title)
    const strict = yield* crawl({})

    expect([trusting.status, titles.toSorted()]).toEqual(["completed", ["a", "home", "mapped"]])
    expect([strict.status, strict.error]).toEqual(["failed", expect.stringContaining("robots.txt cannot be fetched")])
  }).pipe(Effect.scoped)
)
