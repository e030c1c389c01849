/** Who a crawl says it is, at the door of the command line. */
import type { IncomingHttpHeaders } from "node:http"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Answer, page } from "../service/scriptedSite.ts"
import { millrace, query, withSite, write } from "./millrace.ts"

const rules = "User-agent: AcmeBot\nDisallow: /secret\n\nUser-agent: *\nDisallow: /mill\n"
const acme = "crawler: { name: AcmeBot/1.0, contact: https://acme.example/bot, from: bot@acme.example }"

/** A site that keeps the headers of each request, by its path. */
const listening = () => {
  const heard = new Map<string, IncomingHttpHeaders>()
  const hears =
    (type: string, body: string): Answer =>
    (request, response) => {
      heard.set(request.url ?? "", request.headers)
      response.writeHead(200, { "content-type": type }).end(body)
    }
  const map = "<urlset><url><loc>http://site.test/mapped</loc></url></urlset>"
  const routes = {
    "/robots.txt": hears("text/plain", `${rules}Sitemap: http://site.test/map.xml\n`),
    "/map.xml": hears("application/xml", map),
    "/": hears("text/html", page("home", "/secret", "/mill", "/app")),
    "/mapped": hears("text/html", page("mapped")),
    "/mill": hears("text/html", page("mill")),
    "/secret": hears("text/html", page("secret")),
    "/app": hears("text/html", page("app"))
  }
  return { heard, routes }
}

const crawlOf = (...more: ReadonlyArray<string>) => [
  "source: { type: crawl, url: http://site.test/ }",
  ...more,
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
]

describe("a crawler with a name", () => {
  it("says it in every request, and obeys the rules for exactly that name", () => {
    const { heard, routes } = listening()
    return withSite(routes, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...crawlOf(acme))
      const { code, stdout } = await millrace(folder, "run", "site.yaml", "--resolve", resolve)
      const pages = await query(join(folder, "out.duckdb"), "SELECT url FROM pages ORDER BY url")

      expect([code, stdout]).toEqual([0, expect.stringContaining("4 loaded + 0 failed + 1 blocked")])
      expect(pages.map(({ url }) => url)).toEqual(["/", "/app", "/mapped", "/mill"].map((p) => `http://site.test${p}`))
      expect(heard.has("/secret")).toBe(false)
      expect([...heard.keys()]).toEqual(expect.arrayContaining(["/robots.txt", "/map.xml", "/", "/mapped", "/mill"]))
      for (const headers of heard.values())
        expect(headers).toMatchObject({
          "user-agent": "AcmeBot/1.0 (+https://acme.example/bot)",
          from: "bot@acme.example"
        })
    })
  })

  it("is Millrace where no name is chosen, without From", () => {
    const { heard, routes } = listening()
    return withSite(routes, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...crawlOf())
      await millrace(folder, "run", "site.yaml", "--resolve", resolve)

      expect(heard.has("/secret")).toBe(true)
      expect(heard.has("/mill")).toBe(false)
      for (const headers of heard.values()) {
        expect(headers["user-agent"]).toMatch(/^Millrace\/\d/)
        expect(headers.from).toBeUndefined()
      }
    })
  })

  it("is not given by a header, which is refused with what to write, before a request", () => {
    const { heard, routes } = listening()
    return withSite(routes, async ({ folder, resolve }) => {
      const own = "{ User-Agent: 'AcmeBot/1.0 (+https://acme.example)' }"
      const sources = [
        `source: { type: crawl, url: http://site.test/, scrapeOptions: { headers: ${own} } }`,
        `source: { type: extract, urls: [http://site.test/], prompt: all, scrapeOptions: { headers: ${own} } }`,
        `source: { type: monitor, monitor: m, by: crawl, targets: [{ type: crawl, url: http://site.test/, scrapeOptions: { headers: ${own} } }] }`
      ]
      for (const source of sources) {
        write(folder, "site.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
        const { code, stderr } = await millrace(folder, "run", "site.yaml", "--resolve", resolve)

        expect([code, stderr]).toEqual([2, expect.stringMatching(/site\.yaml:1:\d+/)])
        expect(stderr).toContain("crawler: { name: AcmeBot/1.0, contact: https://acme.example }")
      }
      expect(heard.size).toBe(0)
    })
  })

  it.each([
    ["crawler: { name: Acme Bot, contact: https://acme.example }", "a name of letters"],
    ["crawler: { name: AcmeBot }", "contact"],
    ["crawler: { name: AcmeBot, contact: acme }", "the URL of a page about the crawler"],
    [`${acme}\nservice: { url: http://127.0.0.1:9 }`, "millrace serve --crawler-name"]
  ])("is refused with its line where it cannot be sent: %s", (line, message) =>
    withSite({}, async ({ folder }) => {
      write(folder, "site.yaml", ...crawlOf(line))
      const { code, stderr } = await millrace(folder, "check", "site.yaml")

      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
      expect(stderr).toMatch(/site\.yaml:2:/)
    })
  )
})
