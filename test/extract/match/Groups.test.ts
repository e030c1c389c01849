import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"
import * as Groups from "#extract/match/Matcher"
import { group } from "../offered.ts"

describe("the lists of a page", () => {
  it("are the largest of very many, in their order", () => {
    const [small, large, larger] = [1, 2, 3].map((rows) => group(Array.from({ length: rows }, (_, i) => ({ name: i }))))
    const all = [small, large, larger].flatMap((one) => one ?? [])

    expect(Groups.largest(all, 2)).toEqual([large, larger])
    expect(Groups.largest(all, 3)).toBe(all)
  })

  it("may be lists of lists under their headings", () => {
    const text = { type: "string" } as const
    const list = (items: object) => ({ type: "array", items: { type: "object", properties: { ...items } } })
    const chapter = (name: string) =>
      `<h2>${name}</h2><ul><li><a href=/${name}/1>${name} one</a></li><li><a href=/${name}/2>${name} two</a></li></ul>`
    const { data } = byRules(
      {
        url: "http://site.test/",
        html: `<main><h1>Manual</h1>${chapter("Gates")}${chapter("Plans")}</main>`,
        metadata: {}
      },
      {
        schema: { type: "object", properties: { chapters: list({ name: text, pages: list({ title: text }) }) } },
        prompt: undefined
      }
    )

    expect(data).toEqual({
      chapters: [
        { name: "Gates", pages: [{ title: "Gates one" }, { title: "Gates two" }] },
        { name: "Plans", pages: [{ title: "Plans one" }, { title: "Plans two" }] }
      ]
    })
  })
})

const read = (language: string, properties: object, body: string) =>
  byRules(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: { language } },
    { schema: { type: "object", properties: { ...properties } }, prompt: undefined }
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
