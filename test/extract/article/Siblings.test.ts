import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import { gather } from "../../../src/extract/article/Siblings.ts"
import * as Dom from "../../../src/html/Dom.ts"

const gathered = (html: string, scores: Readonly<Record<string, number>>) => {
  const body = Draft.of(Dom.parse(html))
  const all = Draft.within(body, () => true)
  for (const node of all) {
    const score = scores[node.attribute("id") ?? ""]
    if (score !== undefined) node.score = score
  }
  const article = gather(all.find((node) => node.attribute("id") === "top") ?? body)
  const parts: Array<string> = []
  for (let part = article.first; part !== undefined; part = part.next) parts.push(part.attribute("id") ?? part.name)
  return parts
}

const long = "text without a comma ".repeat(5)

describe("Siblings", () => {
  it("belong to the article by their score, and easier where they have its class", () => {
    const html = `<div id="low" class="x"></div><div id="near" class="a"></div><div id="top" class="a"></div><div id="high"></div>`

    expect(gathered(html, { low: 10, near: 10, top: 100, high: 30 })).toEqual(["near", "top", "high"])
  })

  it("are paragraphs that are long, or short sentences", () => {
    const html = `<p id="long">${long}</p><div id="top"></div><p id="short">A sentence.</p><p id="none">No sentence</p><p id="links"><a href="/">${long}</a></p>`

    expect(gathered(html, { top: 100 })).toEqual(["long", "top", "short"])
  })

  it("are divisions afterwards, so that they are not cleaned as what they were", () => {
    const html = `<form id="top"></form>`
    const body = Draft.of(Dom.parse(html))
    const [form = body] = Draft.within(body, (name) => name === "form")
    form.score = 50

    expect(gather(form).first?.name).toBe("div")
  })
})
