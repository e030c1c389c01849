import type { RequestListener } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import type { ReportModel } from "#see/report/ReportModel"
import { millrace, query, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

const texts = {
  "/": page("home", "/a", "/old"),
  "/a": page("a", ...Array.from({ length: 200 }, (_, index) => `/a#${index}`)),
  "/b": page("b")
}
/** What has left the site as bodies of pages and of redirects to them. */
let sent = 0

const gzipped =
  (text: string): RequestListener =>
  ({ headers }, response) => {
    const body = gzipSync(text)
    const etag = `"${text.length}"`
    if (headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end()
    sent += body.byteLength
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip", etag })
    response.end(body)
  }

it("what pages cost to download is counted as the site sent it, kept with the run, and said by the report", () => {
  const routes = {
    "/": gzipped(texts["/"]),
    "/a": gzipped(texts["/a"]),
    "/b": gzipped(texts["/b"]),
    "/old": ((_, response) => {
      const body = "moved to <a href='/b'>b</a>"
      sent += body.length
      response.writeHead(301, { location: "/b" })
      response.end(body)
    }) satisfies RequestListener
  }
  return withSite(routes, async ({ folder, resolve }) => {
    sent = 0
    const database = "sinks: { db: { type: duckdb, path: ./out.duckdb, write: merge } }"
    write(folder, "site.yaml", "source: { type: crawl, url: http://site.test/ }", database)
    const ran = await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    expect([ran.code, ran.stderr.includes("fail")]).toEqual([0, false])
    const bodies = Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0)

    const pages = await query(
      join(folder, "out.duckdb"),
      "SELECT url, wire_bytes::INT AS wire, body_bytes::INT AS body FROM pages ORDER BY url"
    )
    expect(pages.map(({ body }) => body)).toEqual(Object.values(texts).map((text) => Buffer.byteLength(text)))
    expect(pages.reduce((sum, { wire }) => sum + Number(wire), 0)).toBe(sent)
    // The redirect to it is a part of what the page cost.
    expect(pages.find(({ url }) => String(url).endsWith("/b"))?.["wire"]).toBe(
      gzipSync(texts["/b"]).byteLength + "moved to <a href='/b'>b</a>".length
    )

    const [run] = await query(
      join(folder, "out.duckdb"),
      "SELECT (facts ->> 'wire_bytes')::INT AS wire, (facts ->> 'body_bytes')::INT AS body FROM _millrace_runs"
    )
    expect(run).toEqual({ wire: sent, body: bodies })
    const report = await millrace(folder, "report", "site.yaml", "--json")
    const model: ReportModel = JSON.parse(report.stdout)
    expect(model.download).toMatchObject({ wire_bytes: sent, body_bytes: bodies, of: "run" })
    expect(model.download?.page_wire_bytes?.max).toBe(Math.max(...pages.map(({ wire }) => Number(wire))))
    expect((await millrace(folder, "runs", "show", model.run.run_id, "site.yaml")).stdout).toContain(
      `wire_bytes ${sent.toLocaleString("en-US").padStart(13)}`
    )

    // What has not changed has no body.
    sent = 0
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    const again: ReportModel = JSON.parse((await millrace(folder, "report", "site.yaml", "--json")).stdout)
    expect(again.run.facts["revalidated"]).toBeGreaterThan(0)
    expect(again.download).toMatchObject({ wire_bytes: sent, of: "run" })
    expect(again.history.map((point) => point.wire_bytes)).toEqual([model.download?.wire_bytes, sent])
    const { stdout } = await millrace(folder, "runs", "show", again.run.run_id, "site.yaml")
    const [, discovered, loaded, revalidated] =
      /discovered (\d+) = (\d+) loaded \+ (\d+) revalidated/.exec(stdout) ?? []
    expect(Number(discovered)).toBe(Number(loaded) + Number(revalidated))
  })
})
