import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import * as PageDocuments from "../../../src/crawler/scrape/PageDocuments.ts"
import * as ScrapePlan from "../../../src/crawler/scrape/ScrapePlan.ts"

const withHeaders = (headers: Record<string, string>) => Effect.runSync(ScrapePlan.make({ headers }))

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
