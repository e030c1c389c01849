import { describe, expect, it, test } from "vitest"
import { answer } from "#service/support/answer"
import { outOfScope, questions } from "./questions.ts"

const isIn = (text: string) => (fact: string | RegExp) =>
  typeof fact === "string" ? text.includes(fact) : fact.test(text)

describe("the support", () => {
  it("answers what people ask of the API: at least nine in ten with every fact", () => {
    const wrong = questions.filter(([question, ...facts]) => !facts.every(isIn(answer(question).text)))

    expect(questions.length).toBeGreaterThanOrEqual(40)
    expect(wrong.length / questions.length, wrong.map(([question]) => question).join("\n")).toBeLessThanOrEqual(0.1)
    expect(questions.every(([question]) => answer(question).topics.length > 0)).toBe(true)
  })

  it("declines what is none of its business, and names no source for it", () => {
    const answered = outOfScope.filter((question) => answer(question).topics.length > 0)

    expect(answered).toEqual([])
    expect(answer(outOfScope[0] ?? "").text).toContain("has no answer to that")
  })

  it("corrects the call that a question holds, and names where it is described", () => {
    const { corrections, text, topics } = answer(`Why 400? app.scrape("a.test/x", { waitfor: "100" })`)

    expect(corrections).toMatchObject([{ path: "/v2/scrape", parameters: { url: "https://a.test/x", waitFor: 100 } }])
    expect(text).toContain("waitfor is called waitFor")
    expect(topics[0]).toMatchObject({ title: "POST /v2/scrape", pointer: "#/paths/~1v2~1scrape/post" })
    expect(answer(`app.crawl("https://a.test")`)).toMatchObject({
      text: "The parameters fit POST /v2/crawl as they are.",
      corrections: []
    })
  })

  it("tells what a job has to say, and what is known of its errors", () => {
    const diagnosis = { text: "The crawl is failed.", asks: "SCRAPE_DNS_RESOLUTION_ERROR", corrections: [] }

    expect(answer("why did this run fail?", diagnosis, "x").text).toMatch(
      /^The crawl is failed\.\n\n.*does not resolve/
    )
    expect(answer("why did this run fail?", undefined, "x").text).toContain("no job x")
  })
})

test.each([
  ["How do I limit a crawl to 10 pages?", `"limit": 10`],
  ["limit a crawl to 10 pages", `"limit": 10`],
  ["What does error 402 mean?", "402 Payment Required"],
  ["error 402", "402 Payment Required"],
  ["What is the minimum monitor interval?", "every 5 minutes"],
  ["minimum monitor interval", "every 5 minutes"]
])("the first thing that answers %j is said first", (question, said) => {
  expect(answer(question).text.split("\n\n")[0]).toContain(said)
})
