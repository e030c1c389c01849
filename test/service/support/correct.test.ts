import { describe, expect, it } from "vitest"
import { callsIn } from "#service/support/Calls"
import { correct } from "#service/support/correct"
import { requests } from "#service/support/requests"

/** The first call of a question, as it has to be. */
const corrected = (question: string) => {
  const [call] = callsIn(question)
  const found = call === undefined ? undefined : correct(call)
  return found?._tag === "Corrected" ? found.correction : found
}
const parameters = (question: string) => {
  const found = corrected(question)
  return found !== undefined && "parameters" in found ? found.parameters : found
}

const curl = `why? curl -X POST https://api.example.com/v1/crawl -H 'Content-Type: application/json' \\
  -d '{"url":"docs.example.com","maxDepth":"3","formats":["markdown"],"ignoreSitemap":true,"limit":"100"}'`

describe("a correction", () => {
  it("puts names, places, types and paths right, and tells each change", () => {
    expect(corrected(curl)).toEqual({
      method: "POST",
      path: "/v2/crawl",
      parameters: {
        url: "https://docs.example.com",
        maxDiscoveryDepth: 3,
        limit: 100,
        sitemap: "skip",
        scrapeOptions: { formats: ["markdown"] }
      },
      changes: [
        "the path is POST /v2/crawl, not /v1/crawl",
        "maxDepth is called maxDiscoveryDepth",
        "formats belongs in scrapeOptions",
        "ignoreSitemap is called sitemap",
        'url is "https://docs.example.com", not "docs.example.com"',
        'limit is 100, not "100"',
        'maxDiscoveryDepth is 3, not "3"'
      ]
    })
  })

  it("keeps values within their limits and choices", () => {
    expect(parameters(`app.search("lamps", { limit: 500, sources: "web", tbs: "qdr:w", timeout: 5 })`)).toEqual({
      query: "lamps",
      limit: 100,
      sources: ["web"],
      tbs: "qdr:w",
      timeout: 1000
    })
    expect(
      parameters(`POST /v2/crawl {"url": "https://a.test", "sitemap": "skipp", "crawlEntireDomain": "yes"}`)
    ).toEqual({
      url: "https://a.test",
      sitemap: "skip",
      crawlEntireDomain: true
    })
    expect(parameters(`/v2/search/gov {"query": "fmla", "limit": 500}`)).toEqual({ query: "fmla", k: 100 })
  })

  it("makes formats whole", () => {
    expect(
      parameters(
        `app.scrape("https://a.test", { formats: ["md", "json", "branding"], jsonOptions: { prompt: "price" } })`
      )
    ).toEqual({ url: "https://a.test", formats: ["markdown", { type: "json", prompt: "price" }] })
    expect(parameters(`app.scrape("https://a.test", { formats: "html" })`)).toEqual({
      url: "https://a.test",
      formats: ["html"]
    })
  })

  it("leaves out what does not exist, and moves what stands in the wrong place", () => {
    expect(
      parameters(
        `POST /v2/crawl {"url":"https://a.test","scrapeOptions":{"format":["links"],"limit":3,"foo":1},"zzz":{}}`
      )
    ).toEqual({ url: "https://a.test", limit: 3, scrapeOptions: { formats: ["links"] } })
  })

  it("is none of what is right, and none where only the caller knows", () => {
    expect(corrected(`app.crawl("https://a.test", { limit: 3 })`)).toEqual({ _tag: "Right" })
    expect(corrected(`app.crawl({ limit: 3 })`)).toEqual({ _tag: "Unknown", faults: ["url: is missing"] })
    expect(corrected(`POST /v2/scrape {"url": "not a url at all"}`)).toMatchObject({ _tag: "Unknown" })
  })

  it("fits the contract whatever it is made of", () => {
    const odd = [
      `POST /v2/crawl {"url":"https://a.test","limit":-1,"includePaths":"^/x","webhook":7,"scrapeOptions":[1]}`,
      `POST /v2/scrape {"url":"https://a.test","actions":"click","location":{"city":"x"},"parsers":[{"type":"x"}],"headers":{"a":1}}`,
      `POST /v2/search {"query":"x","includeDomains":["a.test"],"excludeDomains":["b.test"],"categories":["books"]}`,
      `POST /v2/map {"url":"a.test","limit":1e9,"search":["x"],"constructor":1,"toString":2}`,
      `POST /v2/agent {"prompt":"x","schema":"y","urls":"https://a.test","maxCredits":null}`,
      `POST /v2/batch/scrape {"urls":"https://a.test","formats":[null,7,{"type":"attributes"}],"maxConcurrency":"many"}`,
      `POST /v2/extract {"urls":["https://a.test"],"prompt":"x","agent":{"model":7},"scrapeOptions":{"timeout":1}}`
    ]
    for (const question of odd) {
      const found = corrected(question)
      if (found === undefined || !("parameters" in found)) throw new Error(`${question}: ${JSON.stringify(found)}`)
      const request = Object.values(requests).find(({ path }) => path === found.path)
      expect([question, request?.faults(found.parameters)]).toEqual([question, []])
    }
  })
})

describe("names that fields had", () => {
  const crawl = (fields: Readonly<Record<string, unknown>>) =>
    corrected(`POST /v2/crawl ${JSON.stringify({ url: "https://a.test", ...fields })}`)
  const meant = (parameters: Readonly<Record<string, unknown>>) => ({
    parameters: { url: "https://a.test", ...parameters }
  })

  it("are known by any way of writing them, with their values", () => {
    expect(crawl({ max_depth: 3 })).toMatchObject(meant({ maxDiscoveryDepth: 3 }))
    expect(crawl({ ignoreSitemap: false })).toMatchObject(meant({ sitemap: "include" }))
    expect(crawl({ pageOptions: { limit: 5 } })).toMatchObject(meant({ limit: 5 }))
    expect(crawl({ extract: { prompt: "x" } })).toMatchObject(
      meant({ scrapeOptions: { formats: [{ type: "json", prompt: "x" }] } })
    )
    expect(crawl({ colour: 1 })).toMatchObject({ changes: ["colour is left out: /v2/crawl has no such field"] })
  })

  it("are the nearest name, by a letter or two, or none", () => {
    expect([crawl({ include_paths: ["a"] }), crawl({ inclodePath: ["a"] }), crawl({ limitt: 3 })]).toMatchObject([
      { changes: ["include_paths is called includePaths"] },
      { changes: ["inclodePath is called includePaths"] },
      { changes: ["limitt is called limit"] }
    ])
    for (const name of ["x", "colours", ""]) {
      expect(crawl({ [name]: 1 })).toMatchObject({ changes: [`${name} is left out: /v2/crawl has no such field`] })
    }
  })
})
