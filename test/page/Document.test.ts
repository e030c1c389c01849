import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

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

test("mathematics without a source keeps its fractions, powers and roots", () => {
  const math = (inner: string) => md(`<math>${inner}</math>`)
  expect(math("<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>")).toBe("x=1/2")
  expect(math("<mn>3</mn><mo>⋅</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>")).toBe("3⋅10^(−3)")
  expect(math("<mfrac>\n <mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>\n <msqrt><mi>c</mi></msqrt>\n</mfrac>")).toBe(
    "(a+b)/(√c)"
  )
  expect(math("<msubsup><mo>∫</mo><mn>0</mn><mi>∞</mi></msubsup><msup><mi>f</mi><mo>′</mo></msup>")).toBe("∫_0^∞f′")
  expect(math("<mroot><mi>x</mi><mn>3</mn></mroot>")).toBe("x^(1/3)")
  expect(math('<semantics><mi>y</mi><annotation encoding="MathType-MTEF">MathType@MTEF</annotation></semantics>')).toBe(
    "y"
  )
})

test("a template that a browser shows at once is a part of the page, and one in it is not", () => {
  const card = (attribute: string) =>
    `<my-card><template ${attribute}><style>p{}</style><p>a <a href="/c">c</a></p><template>d</template><p>e</p></template><p>b</p></my-card>`

  expect(md(card("shadowrootmode=open"))).toBe("a [c](https://example.com/c)\n\ne\n\nb")
  expect(md(card(""))).toBe("b")
})
