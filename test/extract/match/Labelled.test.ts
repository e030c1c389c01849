import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const read = (language: string, properties: object, body: string) =>
  extract(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: { language } },
    { type: "object", properties: { ...properties } },
    undefined
  ).data

const number = { type: "number" }

describe("a sum under a label of its own", () => {
  it("is not the price of the page", () => {
    const pairs =
      '<div><div class="name">Czynsz</div><div class="val">680 zł</div></div><div><div class="name">Piętro</div><div class="val">4/10</div></div>'
    const body = `<p class="cena"><strong>649 000 zł</strong> <span>12 409 zł/m²</span></p><div class="facts">${pairs}</div>`

    expect(read("pl", { price: number, czynsz: number }, body)).toEqual({ price: 649_000, czynsz: 680 })
  })

  it("is no price of another thing, as the rent is no fee", () => {
    const body = "<table><tr><th>賃料</th><td>8.2万円</td><th>管理費</th><td>5,000円</td></tr></table>"

    expect(read("ja", { management_fee: number }, body)).toEqual({ management_fee: null })
  })

  it("is the price where no other sum is named", () => {
    expect(read("de", { price: number }, "<p>Jetzt nur: 40 €</p>")).toEqual({ price: 40 })
  })
})

describe("a class", () => {
  it("names what stands behind a label", () => {
    expect(read("uk", { sku: { type: "string" } }, '<p class="sku">Код товару: 348812</p>')).toEqual({ sku: "348812" })
  })

  it("keeps a title with a colon", () => {
    expect(read("en", { title: { type: "string" } }, '<p class="title">Author: The Movie</p>')).toEqual({
      title: "Author: The Movie"
    })
  })
})
