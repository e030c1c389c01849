import { expect, test } from "vitest"
import { defaults, parse } from "../../../../src/service/crawl/page/Page.ts"

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
