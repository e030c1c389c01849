import { describe, expect, it } from "vitest"
import { callsIn } from "#service/support/Calls"

describe("the calls of a question", () => {
  it("are those of SDKs, in JavaScript and in Python", () => {
    expect(callsIn(`app.scrape("https://a.test", { formats: ['html'], waitFor: 1_000, })`)).toEqual([
      { name: "scrape", parameters: { url: "https://a.test", formats: ["html"], waitFor: 1000 } }
    ])
    expect(
      callsIn(`client.start_crawl("https://a.test", limit=10, scrape_options={"only_main_content": True})  # slow`)
    ).toEqual([
      { name: "crawl", parameters: { url: "https://a.test", limit: 10, scrapeOptions: { onlyMainContent: true } } }
    ])
    expect(callsIn(`await app.batchScrape(urls, { options: { formats: ["html"] }, pollInterval: 2 })`)).toEqual([
      { name: "batch", parameters: { urls: "urls", formats: ["html"] } }
    ])
    expect(callsIn(`const x = app.agent({ prompt: "find" }); const y = app.map(\`https://a.test\`)`)).toEqual([
      { name: "agent", parameters: { prompt: "find" } },
      { name: "map", parameters: { url: "https://a.test" } }
    ])
  })

  it("are bodies of the path that is named, or of the operation that they fit", () => {
    expect(callsIn(`curl https://h/v1/batch/scrape -d '{"urls":["https://a.test"]}'`)).toEqual([
      { name: "batch", parameters: { urls: ["https://a.test"] }, written: "/v1/batch/scrape" }
    ])
    expect(callsIn(`crawling with {"url": "https://a.test"} fails`)[0]?.name).toBe("crawl")
    expect(callsIn(`{"prompt": "x", "maxCredits": 3, "effort": "low"}`)[0]?.name).toBe("agent")
  })

  it("are none where nothing is called, and few where much is", () => {
    for (const odd of ["how do I crawl?", "{", "{}", "{{{{", "a.b(", "app.scrape(", "{a:}", "{".repeat(10_000)]) {
      expect([odd.slice(0, 20), callsIn(odd)]).toEqual([odd.slice(0, 20), []])
    }
    expect(callsIn('{"url": "https://a.test"} '.repeat(50)).length).toBeLessThanOrEqual(3)
  })
})
