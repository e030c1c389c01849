import { describe, expect, it } from "vitest"
import { article } from "#extract/article/article"
import { byRules } from "#extract/byRules"

const authors = (body: string, head = "") =>
  article(`<html><head>${head}</head><body>${body}</body></html>`, "https://valley.test/mill").authors

const ld = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe("authors", () => {
  it("are the people who are declared, before what is shown", () => {
    const head = ld({ "@type": "Article", headline: "The mill", author: { "@type": "Person", name: "Ada Stone" } })

    expect(authors("<h1>The mill</h1><p>By Bo Wood</p>", head)).toEqual(["Ada Stone"])
  })

  it("are shown people before the site that publishes, and the site where there is nobody", () => {
    const head = ld({
      "@type": "Article",
      headline: "The mill",
      author: { "@type": "Organization", name: "Valley News" },
      publisher: { "@type": "Organization", name: "Valley News" }
    })

    expect(authors("<h1>The mill</h1><p>By Bo Wood</p>", head)).toEqual(["Bo Wood"])
    expect(authors("<h1>The mill</h1><p>It turns.</p>", head)).toEqual(["Valley News"])
  })

  it.each([
    "<p class=byline>By Ada Stone, Staff Writer</p>",
    "<p>By <a href=/a>Ada Stone</a> | May 3, 2026</p>",
    "<p>Written by<br>Ada Stone</p>",
    "<div><span>By</span> <a href=/authors/ada-stone>Ada Stone</a></div>",
    "<a rel=author href=/ada>Ada Stone</a>",
    "<span class=author-name>Ada Stone</span><span>5 min read</span>",
    "<p>Von Ada Stone</p>",
    "<p>Par Ada Stone</p>"
  ])("are shown below the headline: %s", (html) => {
    expect(authors(`<h1>The mill</h1>${html}<p>It turns.</p>`)).toEqual(["Ada Stone"])
  })

  it.each([
    "<p>By leveraging our data you can turn faster.</p>",
    "<p>By default, the mill turns.</p>",
    "<div class=comments><a rel=author href=/ada>Ada Stone</a></div>",
    "<p class=author>About the author</p>",
    "<nav><a rel=author href=/ada>Ada Stone</a></nav>"
  ])("are not in %s", (html) => {
    expect(authors(`<h1>The mill</h1>${html}<p>It turns.</p>`)).toEqual([])
  })

  it("of a list of posts are not the authors of the page", () => {
    const posts = ["Ada Stone", "Bo Wood", "Cleo Reed"].map(
      (name) => `<li><h2>Mills</h2><p class=byline>By ${name}</p>`
    )

    expect(authors(`<h1>News</h1><ul>${posts.join("")}</ul>`)).toEqual([])
  })

  it("are the author of a question, and a library's names the right way around", () => {
    const question = { "@type": "Question", name: "Why?", author: { "@type": "Person", name: "mill_7" } }

    expect(authors("<h1>Why?</h1>", ld({ "@type": "QAPage", mainEntity: question }))).toEqual(["mill_7"])
    expect(
      authors(
        "<h1>Mills</h1>",
        '<meta name="citation_author" content="Stone, Ada"><meta name="citation_author" content="Wood, Bo">'
      )
    ).toEqual(["Ada Stone", "Bo Wood"])
  })

  it("are not the maker of a page that is no article", () => {
    expect(authors("<h1>Prices</h1>", '<meta name="author" content="Valley Docs Inc">')).toEqual([])
    expect(authors("<h1>Prices</h1>", '<meta name="author" content="Ada Stone">')).toEqual(["Ada Stone"])
  })
})

const text = "<p>We had a database for each customer, and most of them slept all day. This is what we did about it.</p>"
const authorOf = (html: string) =>
  byRules(
    { url: "http://blog.test/p/one", html: `<title>Blog</title><main>${html}</main>`, metadata: {} },
    { schema: { properties: { author: { type: "string" } } }, prompt: undefined }
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
