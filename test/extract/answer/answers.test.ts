import { describe, expect, it } from "vitest"
import { answerOf, answersOf, highlightsOf } from "#extract/answer/answers"
import * as Passages from "#extract/answer/Passages"
import * as Question from "#extract/answer/Question"

const answered = (html: string, prompt: string) =>
  answersOf(Question.all(prompt), Passages.read(html, "http://x.test/"))
const answers = (html: string, prompt: string) => {
  const { data } = answered(html, prompt)
  return JSON.parse(JSON.stringify(data)).answers.map(({ answer }: { answer: string | null }) => answer)
}

const pump =
  "<h1>Weir pump</h1><p>A quiet pump.</p><table><tr><th>Power</th><td>5 kW</td></tr><tr><th>Weight</th><td>182 kg</td></tr></table>"
const faq =
  "<h1>Help</h1><h3>Can I bring a bicycle?</h3><p>Yes. Bicycles travel free.</p><h3>Are dogs allowed?</h3><p>On a lead.</p>"

describe("an answer", () => {
  it("is a labelled value whose label means what is asked for", () => {
    expect(answers(pump, "How heavy is the pump?")).toEqual(["Weight: 182 kg"])
  })

  it("is what stands under a question like it", () => {
    expect(answers(faq, "Are dogs allowed?")).toEqual(["On a lead."])
    expect(answers(faq, "Can I bring my bicycle?")[0]).toContain("Bicycles travel free")
  })

  it("is the row that speaks of all that is asked", () => {
    const jobs =
      "<h1>Jobs</h1><ul><li>Senior clerk, Mill, £30000 a year</li><li>Clerk, Trust, £26500 a year</li></ul><p>Apply soon.</p>"

    expect(answers(jobs, "How much does the clerk of the Trust earn?")).toEqual(["Clerk, Trust, £26500 a year"])
  })

  it("is written as the question wants it: money for a cost, a name for who wrote", () => {
    const page =
      "<h1>Post</h1><p>By Ada Rook, 2026-01-10</p><p>The count of voles, and by it the repair.</p><p>Entry to the mill costs £6.50.</p>"

    expect(answers(page, "Who wrote the post? What does entry cost?")).toEqual([
      "By Ada Rook, 2026-01-10",
      "Entry to the mill costs £6.50."
    ])
  })

  it("is null where no passage speaks of it, and listed", () => {
    const { data, missing } = answered(pump, "What is the telephone number of the office in Quarry?")

    expect(data).toMatchObject({ answers: [{ answer: null, relevance: 0 }] })
    expect(missing).toEqual(["/answers/0/answer"])
  })

  it("says where it stands", () => {
    expect(answered(faq, "Are dogs allowed?").sources.get("/answers/0/answer")).toMatchObject({ kind: "text" })
  })

  it("is the beginning where the whole is asked for", () => {
    const page = `<h1>About Northmere</h1><p>Northmere is made up, down to the last heron of the weir.</p><p>Its pages may be read by anybody who likes to.</p>`

    expect(answers(page, "What does the page say about the town?")).toEqual([
      "Northmere is made up, down to the last heron of the weir."
    ])
  })

  it("is the hours of the day that is asked for, in the words of the page", () => {
    const rows = "<h2>Hours</h2><ul><li>Mon–Fri: 9–18</li><li>Sat: 10–14</li></ul>"
    const library = `<h1>City Library</h1>${rows}`
    expect(answers(library, "When is the library open on Saturday?")).toEqual(["Sat: 10–14"])
    expect(answers(library, "When does the library open on Wednesday?")).toEqual(["Mon–Fri: 9–18"])
    expect(answers(library, "When is the library open on Sunday?")).toEqual([null])
    // The page speaks of no pool.
    expect(answers(library, "When is the pool open on Saturday?")).toEqual([null])

    const german = `<html lang="de"><h1>Stadtbibliothek</h1><table><tr><td>Samstag</td><td>10–14 Uhr</td></tr><tr><td>Sonntag</td><td>geschlossen</td></tr></table>`
    expect(answers(german, "Wann hat die Bibliothek am Samstag geöffnet?")).toEqual(["Samstag: 10–14 Uhr"])
  })

  it("is the sum in a sentence, where the question has another word for it", () => {
    const page = `<h1>Library</h1><p>All books of the town.</p><h2>Becoming a member</h2><p>The fee is 25 euros per year.</p><h2>Rooms</h2><p>There are three rooms with 40 chairs.</p>`
    expect(answers(page, "How much is the membership fee?")).toEqual(["The fee is 25 euros per year."])
    expect(answers(page, "What does a membership cost?")).toEqual(["The fee is 25 euros per year."])
    expect(answers(page, "How much does a room cost?")).toEqual([null])
  })
})

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
