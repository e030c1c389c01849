import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const text = "<p>We had a database for each customer, and most of them slept all day. This is what we did about it.</p>"
const authorOf = (html: string) =>
  extract(
    { url: "http://blog.test/p/one", html: `<title>Blog</title><main>${html}</main>`, metadata: {} },
    { properties: { author: { type: "string" } } },
    undefined
  ).data
const signed = (line: string) => authorOf(`<article><h1>Why we moved</h1><div>${line}</div>${text}</article>`)

describe("a line below the headline with a name and a day", () => {
  it("signs where a portrait or the address of a person stands beside the name", () => {
    expect(
      signed(`<img class="rounded-full" src="/me.jpg"><span>Nora Blum</span> · <span>March 4, 2026</span>`)
    ).toEqual({
      author: "Nora Blum"
    })
    expect(signed(`<a href="/team/nora">Nora Blum</a> | March 4, 2026`)).toEqual({ author: "Nora Blum" })
    expect(signed(`<img alt="Nora Blum" src="/1.jpg"><p>Nora Blum</p><p><time>March 4</time></p>`)).toEqual({
      author: "Nora Blum"
    })
  })

  it("signs nothing without, because a name may be a category or a town", () => {
    expect(signed("<span>New York</span> · <span>March 4, 2026</span>")).toEqual({ author: null })
    expect(signed(`<a href="/topics/ml">Machine Learning</a> · <span>March 4, 2026</span>`)).toEqual({ author: null })
    expect(signed(`<img class="rounded-full" src="/me.jpg"><span>Case Study</span> · <span>6 min read</span>`)).toEqual(
      {
        author: null
      }
    )
  })

  it("is not that of a comment, or of a card that leads to another page", () => {
    const line = (name: string) =>
      `<div><img class="avatar" src="/x.jpg"><span>${name}</span> · <span>May 1, 2026</span></div>`
    const long = text.repeat(30)
    expect(authorOf(`<h1>Why we moved</h1>${long}<h2>What others say</h2>${line("Ada Rook")}`)).toEqual({
      author: null
    })
    const card = (at: string, name: string) =>
      `<div class="p-4"><h2><a href="/p/${at}">Post ${at}</a></h2>${line(name)}</div>`
    expect(authorOf(`<h1>Blog</h1>${card("a", "Ada Rook")}${card("b", "Bo Lind")}`)).toEqual({ author: null })
  })
})
