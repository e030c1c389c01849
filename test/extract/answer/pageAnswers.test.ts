import { describe, expect, it } from "vitest"
import { answerOf, highlightsOf } from "#extract/answer/answers"

const url = "https://hall.test/"
const html = `<html lang="en"><title>Town hall</title><main><h1>Town hall</h1>
<p>The town hall of Northmere stands on the market square since 1871.</p>
<h2>Opening hours</h2><p>The hall is open on Tuesdays and Fridays from 9:00 to 16:00.</p>
<h2>Fees</h2><table><tr><th>Service</th><th>Fee</th></tr><tr><td>Passport</td><td>£34</td></tr><tr><td>Parking permit</td><td>£12</td></tr></table>
<p>Fees are paid in cash or by card.</p></main></html>`

describe("what a page says to a question", () => {
  it("is the passage that answers, as the page says it", () => {
    expect(answerOf(html, url, "When is the hall open?").text).toContain("Tuesdays and Fridays from 9:00 to 16:00")
    expect(answerOf(html, url, "How much is a parking permit?").text).toContain("£12")
  })

  it("is found for words that are no question too", () => {
    expect(answerOf(html, url, "fee of a passport").text).toContain("£34")
  })

  it("is nothing where the page does not say", () => {
    expect(answerOf(html, url, "Who is the mayor of Berlin?")).toEqual({ isUnderstood: true })
  })

  it("answers each of several questions", () => {
    const both = answerOf(html, url, "When is the hall open? How much is a passport?").text

    expect(both).toContain("Tuesdays")
    expect(both).toContain("£34")
  })
})

describe("the highlights of a page", () => {
  it("are the passages that speak of the query, in the order of the page, none twice", () => {
    const found = highlightsOf(html, url, "fees")

    expect(found.join("\n")).toContain("Fees are paid in cash or by card.")
    expect(found.join("\n")).not.toContain("Tuesdays")
    expect(new Set(found).size).toBe(found.length)
  })

  it("are empty if no passage answers", () => {
    expect(highlightsOf(html, url, "zebra crossings")).toEqual([])
  })
})
