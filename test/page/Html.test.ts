import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const clean = (html: string, main = false): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html" },
    { ...defaults, markdown: false, html: true, onlyMainContent: main }
  ).html

test("what runs, hides or only styles is gone", () => {
  expect(
    clean(
      '<head><title>t</title><style>p{}</style></head><body onload=x()><script>1</script><!-- c --><p style="a" onclick="b" class=c>x<noscript>n</noscript></p><iframe src=x></iframe>'
    )
  ).toBe('<p class="c">x</p>')
})

test("addresses are absolute, and those that would run are dropped", () => {
  expect(
    clean(
      '<a href="../c?x=1&amp;y">l</a><a href=" JavaScript:alert(1)">m</a><img src=i.png srcset="i.png 1x, j.png 2x">'
    )
  ).toBe(
    '<a href="https://example.com/c?x=1&amp;y">l</a><a>m</a><img src="https://example.com/a/i.png" srcset="https://example.com/a/i.png 1x, https://example.com/a/j.png 2x">'
  )
})

test("text and values are escaped again", () => {
  expect(clean('<p title="&quot;&lt;">a &lt;script&gt; &amp;amp;</p>')).toBe(
    '<p title="&quot;&lt;">a &lt;script&gt; &amp;amp;</p>'
  )
})

test("embedded images are left out", () => {
  expect(clean('<img alt=a src="data:image/png;base64,AAAA">')).toBe('<img alt="a">')
})

test("the main content is whole and the rest is gone", () => {
  expect(
    clean(`<div><nav>n</nav><main><h1>T</h1><p>${"text ".repeat(50)}</p></main><footer>f</footer></div>`, true)
  ).toBe(`<main><h1>T</h1><p>${"text ".repeat(50)}</p></main>`)
})
