import { describe, expect, it } from "vitest"
import * as Passages from "#extract/answer/Passages"

const read = (html: string) => Passages.read(html, "http://site.test/")
const texts = (html: string) => read(html).all.map(({ text }) => text)

describe("the passages of a page", () => {
  it("are rows of tables with the names of their columns, and terms with what is said of them", () => {
    const table =
      "<table><tr><th>Ward</th><th>Member</th><th>Votes</th></tr><tr><td>Mill</td><td>Ada</td><td>5</td></tr><tr><td>Bridge</td><td>Bo</td><td>7</td></tr></table>"

    expect(texts(`${table}<dl><dt>Weight</dt><dd>5 kg</dd></dl>`)).toEqual([
      "Ward: Mill, Member: Ada, Votes: 5",
      "Ward: Bridge, Member: Bo, Votes: 7",
      "Weight: 5 kg"
    ])
  })

  it("are lines, and the text under a heading as one", () => {
    const { all, title } = read("<h1>Help</h1><h2>Dogs?</h2><p>On a lead.</p><p>Not on deck.</p>")

    expect(title).toBe("Help")
    expect(all.map(({ heading, label, text }) => ({ heading, label, text }))).toEqual([
      { heading: "Dogs?", label: undefined, text: "On a lead." },
      { heading: "Dogs?", label: undefined, text: "Not on deck." },
      { heading: "Dogs?", label: "Dogs?", text: "On a lead. Not on deck." }
    ])
  })

  it("are the sentences of long lines, and no menus", () => {
    const long = "The gate opens at seven in the morning on every day of the week. ".repeat(5)

    expect(texts(`<nav><a href=/a>Opening hours</a></nav><p>${long}</p>`)).toContain(
      "The gate opens at seven in the morning on every day of the week."
    )
    expect(texts("<nav><a href=/a>Opening hours</a></nav>")).toEqual([])
  })

  it("count less in a footer", () => {
    expect(read("<p>Here.</p><footer><p>There.</p></footer>").all.map(({ weight }) => weight)).toEqual([1, 0.6])
  })
})
