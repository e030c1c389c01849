import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const number = { type: "number" }
const money = { type: "object", properties: { price: number } }

const dataOf = (body: string, head = "", schema: object = money) =>
  extract(
    {
      url: "http://site.test/p/1",
      html: `<!doctype html><html lang="en"><head>${head}</head><body><main>${body}</main></body></html>`,
      metadata: {}
    },
    { ...schema },
    undefined
  ).data

describe("the price of a page that says several sums, or none by a name", () => {
  it.each([
    ["in the title alone", "<h1>Station Road</h1>", "<title>4 bed house for sale - £725,000</title>", 725_000],
    [
      "in a tag of the head",
      "<h1>Road</h1>",
      `<meta property="og:title" content="Road... 4 bed house - £725,000">`,
      725_000
    ],
    ["beside its code", "<h1>Lamp</h1><p>300.000 VND</p>", "", 300_000],
    ["after what it was", `<h1>Lamp</h1><p class="price">Was $120.00 Now $60.00</p>`, "", 60],
    ["after what it was, behind a label", "<h1>Lamp</h1><p>Price: Was $120.00 Now $60.00</p>", "", 60],
    [
      "behind a label with more words",
      "<h1>A house near the £2 shop</h1><dl><dt>Guide price</dt><dd>£725,000 (3 beds)</dd></dl>",
      "",
      725_000
    ],
    ["beside instalments", "<h1>Sofa</h1><p>or 4 interest-free payments of $30.00</p><p>$110.00</p>", "", 110],
    ["beside a deposit", "<h1>2 bed flat to rent</h1><p>Deposit £1,384</p><p>£1,200 pcm</p>", "", 1200],
    [
      "that its title says too, beside a sum in a heading",
      "<h1>House</h1><h4>Monthly repayment</h4><h5>£3,170</h5><div>£695,000</div>",
      "<title>3 bedroom house for £695,000</title>",
      695_000
    ],
    [
      "that it declares, beside a sentence",
      "<h1>Lamp for the $5 shelf</h1>",
      `<script type="application/ld+json">{"@type":"Product","name":"Lamp","description":"Worth $99","offers":{"price":"60","priceCurrency":"USD"}}</script>`,
      60
    ]
  ])("is the one %s", (_, body, head, price) => {
    expect(dataOf(body, head)).toEqual({ price })
  })

  it("is no deposit, instalment or saving, which fill fields of their own", () => {
    const body = "<h1>Flat</h1><dl><dt>Deposit</dt><dd>£500</dd><dt>Monthly payment</dt><dd>£90</dd></dl>"
    const properties = { price: number, deposit: number, monthly_payment: number }

    expect(dataOf(body)).toEqual({ price: null })
    expect(dataOf(body, "", { type: "object", properties })).toEqual({ price: null, deposit: 500, monthly_payment: 90 })
  })

  it("is no number of an address or of a tag for robots", () => {
    const head = `<meta name="robots" content="index, follow, max-snippet:-1">`

    expect(dataOf(`<h1>Lamp</h1><p><a href="https://video.test/p3kF2c23Q">Video</a></p>`, head)).toEqual({
      price: null
    })
  })
})
