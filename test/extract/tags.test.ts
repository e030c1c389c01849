import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const post: JsonSchema = { type: "object", properties: { title: text, tags: { type: "array", items: text } } }
const dataOf = (html: string, schema: JsonSchema) =>
  byRules({ url: "http://blog.test/p/one", html: `<main>${html}</main>`, metadata: {} }, { schema, prompt: undefined })
    .data
const tags = (...names: ReadonlyArray<string>) =>
  `<div class="tags">${names.map((name) => `<a href="/tag/${name}">${name}</a>`).join("")}</div>`

describe("links side by side under one class", () => {
  it("are a value each, on a page and in each card", () => {
    expect(dataOf(`<h1>A bridge</h1>${tags("Город", "Транспорт")}`, post)).toEqual({
      title: "A bridge",
      tags: ["Город", "Транспорт"]
    })
    const card = (title: string, ...names: ReadonlyArray<string>) =>
      `<article><h2>${title}</h2>${tags(...names)}</article>`
    const html = `<h1>Posts</h1>${card("A bridge", "city", "traffic")}${card("A park", "green")}${card("A fair", "city", "fun")}`
    expect(dataOf(html, { properties: { posts: { type: "array", items: post } } })).toEqual({
      posts: [
        { title: "A bridge", tags: ["city", "traffic"] },
        { title: "A park", tags: ["green"] },
        { title: "A fair", tags: ["city", "fun"] }
      ]
    })
  })

  it("are a value each where commas stand between them", () => {
    const html = `<h1>A bridge</h1><p class="tags"><a href="/a">city</a>, <a href="/b">traffic</a></p>`
    expect(dataOf(html, post)).toEqual({ title: "A bridge", tags: ["city", "traffic"] })
  })
})
