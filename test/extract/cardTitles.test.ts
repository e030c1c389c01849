import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { extract } from "#extract/byRules"

const text = { type: "string" }
const rowsOf = (card: (name: string, id: number) => string, properties: { readonly [name: string]: JsonSchema }) =>
  extract(
    {
      url: "http://blog.test/posts",
      html: `<main><h1>Posts</h1>${["A bridge", "A park", "A fair"].map(card).join("")}</main>`,
      metadata: {}
    },
    { properties: { posts: { type: "array", items: { type: "object", properties } } } },
    undefined
  ).data
const titles = (...rest: ReadonlyArray<object>) =>
  ["A bridge", "A park", "A fair"].map((title, i) => ({ title, ...rest[i] }))

describe("the title of a card", () => {
  it("is its heading, and not a link to read more, to its author or to a tag", () => {
    const url = { type: "string", format: "uri" }
    expect(
      rowsOf(
        (name, id) => `<article><h2>${name}</h2><p>Some words of it.</p><a href="/p/${id}">Read more</a></article>`,
        {
          title: text,
          url
        }
      )
    ).toEqual({ posts: titles(...[0, 1, 2].map((id) => ({ url: `http://blog.test/p/${id}` }))) })
    expect(
      rowsOf((name, id) => `<article><h2>${name}</h2><p>By <a href="/by/${id}">Ada ${id}</a></p></article>`, {
        title: text,
        author: text
      })
    ).toEqual({ posts: titles(...[0, 1, 2].map((id) => ({ author: `Ada ${id}` }))) })
  })

  it("is the link that leads to its page, where it has no heading", () => {
    expect(
      rowsOf((name, id) => `<li><a href="/p/${id}">${name}</a> <p>Some words of it.</p></li>`, { title: text })
    ).toEqual({ posts: titles() })
  })

  it("is no link that says the same in each card", () => {
    const found = rowsOf((name, id) => `<div class="card"><p>${name}</p><a href="/p/${id}">Details</a></div>`, {
      title: text,
      text
    })
    expect(JSON.stringify(found)).not.toContain("Details")
  })
})
