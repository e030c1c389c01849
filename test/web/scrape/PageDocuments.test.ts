import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { contentVersion } from "#page/contentVersion"
import { hiddenListWarning } from "#page/hiddenList"
import * as Page from "#page/Page"
import * as PageDocuments from "#web/PageDocuments"
import * as ScrapePlan from "#web/ScrapePlan"

const withHeaders = (headers: Record<string, string>) => Effect.runSync(ScrapePlan.ofOptions({ headers }))

const secret = {
  Authorization: "Bearer mine",
  Cookie: "a=b",
  "X-API-Key": "k",
  "X-Auth-Token": "t",
  "Private-Token": "t",
  "CF-Access-Client-Secret": "s",
  "X-Acme": "from a vault"
}
const headers = { ...secret, "User-Agent": "me", Accept: "text/html" }
const plain = { "user-agent": "me", accept: "text/html" }
const all = {
  ...Object.fromEntries(Object.entries(secret).map(([name, value]) => [name.toLowerCase(), value])),
  ...plain
}

it.each([
  ["http://site.test/", "http://site.test/a", all],
  ["http://site.test/", "https://www.site.test/a", all],
  ["https://site.test/", "http://site.test/a", plain],
  ["http://site.test/", "http://site.test:8080/a", plain],
  ["http://site.test/", "http://api.site.test/a", plain],
  ["http://site.test/", "http://other.test/a", plain]
])("a crawl from %s sends to %s only what that host may see", (start, target, sent) => {
  expect(PageDocuments.fetchOptions(withHeaders(headers), new URL(start), new URL(target)).headers).toEqual(sent)
})

it("the caller frames no exchange", () => {
  const framing = { Host: "evil.test", Connection: "close", "Content-Length": "5", "Transfer-Encoding": "chunked" }
  const url = new URL("http://site.test/")

  expect(PageDocuments.fetchOptions(withHeaders({ ...framing, "Accept-Encoding": "zstd" }), url, url)).toEqual({
    timeoutMillis: 30_000,
    skipTlsVerification: false,
    headers: {}
  })
})

const documentOf = (options: Parameters<typeof ScrapePlan.ofOptions>[0]) => {
  const html = `<html><head><meta name="pageKind" content="mine"><meta name="contentVersion" content="99"></head>
    <body><main><h1>Mills</h1><p>A mill grinds the grain that farmers bring to it, from the harvest until spring.</p></main></body></html>`
  const plan = Effect.runSync(ScrapePlan.ofOptions(options))
  const url = new URL("http://site.test/")
  const page = Page.parse({ url: url.href, body: new TextEncoder().encode(html), contentType: "text/html" }, plan.page)
  const reading = { page, url, status: 200, contentType: "text/html", credits: 1, warnings: [] }
  const asked = { url: url.href, scrapeId: "1", teamId: "team", keeps: false, delayMillis: 0 }
  return PageDocuments.of(reading, plan, asked).metadata
}

it("a document says what kind of page it is and which finder read it, whatever the page calls its own", () => {
  const metadata = documentOf({})

  expect(metadata.contentVersion).toBe(contentVersion)
  expect(["article", "forum", "product", "collection", "listing", "documentation", "service"]).toContain(
    metadata.pageKind
  )
})

it("a document says once that the only list of the page is hidden until a script shows it", () => {
  const url = new URL("http://site.test/")
  const row = "<tr><td>1/3/2026</td><td>A v. B</td></tr>"
  const body = new TextEncoder().encode(`<h1>Cases</h1><div style="display:none"><table>${row.repeat(4)}</table></div>`)
  const plan = Effect.runSync(ScrapePlan.ofOptions({}))
  const page = Page.parse({ url: url.href, body, contentType: "text/html" }, plan.page)
  const reading = { page, url, status: 200, contentType: "text/html", credits: 1, warnings: [hiddenListWarning] }
  const order = { url: url.href, scrapeId: "1", teamId: "team", keeps: false, delayMillis: 0 }

  expect(PageDocuments.of(reading, plan, order).warning).toBe(hiddenListWarning)
  expect(PageDocuments.of({ ...reading, warnings: ["a"] }, plan, order).warning).toBe(`a; ${hiddenListWarning}`)
})

it.each([
  ["all of the page is asked for", { onlyMainContent: false }],
  ["no text is asked for", { formats: ["links" as const] }],
  ["elements are picked", { includeTags: ["p"] }]
])("a document names no finder where %s", (_, options) => {
  const metadata = documentOf(options)

  expect(metadata).not.toHaveProperty("contentVersion")
  expect(metadata).not.toHaveProperty("pageKind")
})
