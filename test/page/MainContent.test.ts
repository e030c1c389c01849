import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const main = (html: string): string | undefined =>
  parse({ url: "https://example.com/", body: Buffer.from(html), contentType: "text/html" }, defaults).markdown

const long = "The words of the page go on for a while. ".repeat(8).trim()

test("navigation, banners, footers and asides are left out", () => {
  expect(
    main(
      `<header>Site</header><nav>Menu</nav><div role=search>Find</div><p>${long}</p><aside>Ad</aside><footer>Legal</footer>`
    )
  ).toBe(long)
})

test("classes and ids name what stands aside", () => {
  for (const name of [
    'class="sidebar"',
    'class="site-footer dark"',
    'id="cookie-banner"',
    'class="breadcrumbs"',
    'class="share-buttons"',
    'id="toc"',
    'class="skip-link"',
    'class="relatedArticles"'
  ]) {
    expect([name, main(`<div ${name}>beside</div><p>${long}</p>`)]).toEqual([name, long])
  }
})

test("names that only sound like it are content", () => {
  for (const name of [
    'class="has-sidebar"',
    'class="l-sidebar-fixed l-article-body"',
    'class="footnotes"',
    'class="tag-newsletter"',
    'class="navigate"',
    'class="shared"'
  ]) {
    expect([name, main(`<div ${name}>inside</div><p>${long}</p>`)]).toEqual([name, `inside\n\n${long}`])
  }
})

test("where main holds the text, what stands around it is left out", () => {
  expect(main(`<div>Log in</div><main><p>${long}</p></main><div>Partner sites</div>`)).toBe(long)
})

test("where main is only a part, the rest of the text stays", () => {
  expect(main(`<main><p>Short.</p></main><div><p>${long}</p></div>`)).toBe(`Short.\n\n${long}`)
})

test("a header inside an article is content", () => {
  expect(main(`<article><header><h1>Title</h1></header><p>${long}</p></article>`)).toBe(`# Title\n\n${long}`)
})

test("a page whose text all stands aside is kept whole", () => {
  expect(main(`<div class="sidebar"><p>${long}</p></div>`)).toBe(long)
  expect(main(`<nav>Short</nav><footer><p>${long}</p></footer>`)).toBe(`Short\n\n${long}`)
})

test("a page that is nothing but navigation is kept whole", () => {
  expect(main("<nav><a href=/a>One</a> <a href=/b>Two</a></nav>")).toBe(
    "[One](https://example.com/a) [Two](https://example.com/b)"
  )
})

test("a link or a mark in a line is text, whatever it is called, unless it is for machines", () => {
  expect(
    main(`<p>${long} <a class="popup" href=/x>word</a> <i class="ad">i</i> <span class="sr-only">(opens)</span>`)
  ).toBe(`${long} [word](https://example.com/x) *i*`)
})

test("the parts of an article without its own text do not win over the text", () => {
  expect(main(`<article><a href=/1>One</a></article><article><a href=/2>Two</a></article><p>${long}</p>`)).toContain(
    long
  )
})

test("links of the whole page are found, also in what is left out", () => {
  const page = parse(
    {
      url: "https://example.com/",
      body: Buffer.from(`<nav><a href=/n>n</a></nav><p>${long}<footer><a rel=nofollow href=/f>f</a></footer>`),
      contentType: "text/html"
    },
    defaults
  )
  expect(page.links).toEqual(["https://example.com/n", "https://example.com/f"])
  expect(page.markdown).toBe(long)
})
