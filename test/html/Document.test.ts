import { expect, test } from "vitest"
import { defaults, parse } from "../../src/html/Page.ts"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("what no reader sees is left out", () => {
  expect(
    md(
      "<p hidden>a</p><p aria-hidden=true>b</p><p style='color:red;DISPLAY : none'>c</p><script>d</script><video>e</video><svg><text>f</text></svg><button>g</button><template>h</template><p>i"
    )
  ).toBe("i")
})

test("mathematics is written as its source", () => {
  expect(
    md('<math><mi>x</mi><annotation encoding="application/x-tex">x^2_1</annotation></math> and <math><mi>y</mi></math>')
  ).toBe("$x^2_1$ and y")
})

test("a button in a heading, or around one, is the heading of what it unfolds", () => {
  expect(md("<h2><button aria-expanded=false>A <b>b</b></button></h2><p>c")).toBe("## A b\n\nc")
  expect(md("<button><h3>A</h3></button><p>b")).toBe("### A\n\nb")
  expect(md("<button>x <svg><text>y</text></svg><span><h3>A</h3></span></button><p>b")).toBe("### A\n\nb")
})

test("a button beside the words of a heading, and one with a hidden heading, is a control", () => {
  expect(md("<h2>A<button>Copy</button></h2><p>b")).toBe("## A\n\nb")
  expect(md("<button>x<span hidden><h3>A</h3></span>y</button><p>b")).toBe("b")
  expect(md("<button><video><h3>A</h3></video>y</button><p>b")).toBe("b")
})

test("links keep the schemes that a site may handle, and no others", () => {
  expect(md("<a href='bitcoin:1A'>a</a> <a href='javascript:b()'>b</a> <a href='data:text/plain,c'>c</a>")).toBe(
    "[a](bitcoin:1A) b c"
  )
})
