import { describe, expect, it } from "vitest"
import * as Passages from "#extract/answer/Passages"
import { promptedData } from "#extract/answer/promptedData"
import { group, offered, thing } from "../offered.ts"

const setting = { url: "http://site.test/page" }
const shelf = group(
  [
    { name: "Lamp", price: "£5", availability: "in stock" },
    { name: "Pot", price: "£80", availability: "sold out" }
  ],
  "Products"
)

describe("promptedData", () => {
  it("is an object with what the prompt names, null where the page does not say it", () => {
    const page = offered({ Salary: "£31,500 a year", Employer: "Pike & Sons" })

    expect(promptedData(page, setting, "Find the salary, the employer and the phone number.")).toMatchObject({
      data: { salary: "£31,500 a year", employer: "Pike & Sons", phone_number: null },
      missing: ["/phone_number"]
    })
  })

  it("is all that the page has where the prompt names the thing and nothing of it", () => {
    const page = offered({ Gewicht: "3,4 kg" })

    for (const prompt of ["Get the product", "Extract the job offer details"]) {
      expect(promptedData(page, setting, prompt).data).toMatchObject({ url: setting.url, things: [] })
    }
    expect(promptedData(page, setting, "Get the product and its price").data).toEqual({ product: null, price: null })
  })

  it("has the price that a class names once, and not those of a list", () => {
    const page = offered({ price: "£5", color: "red" }, [], [], "block")
    const list = offered({ price: ["£5", "£6", "£7"] }, [], [], "block")

    expect(promptedData(page, setting, "").data).toMatchObject({ facts: { price: "£5" } })
    expect(promptedData(list, setting, "").data).not.toHaveProperty("facts.price")
  })

  it("is a list where the prompt asks for all of something", () => {
    expect(promptedData(offered({}, [], [shelf]), setting, "the name and price of all products").data).toEqual({
      products: [
        { name: "Lamp", price: "£5" },
        { name: "Pot", price: "£80" }
      ]
    })
  })

  it("is all that the page has in a stable shape where the prompt names nothing known", () => {
    const page = offered(
      { title: "Shop", Price: "5" },
      [thing({ "@type": "Product", name: "Lamp", tag: ["a", "b"] })],
      [shelf]
    )
    const { data, sources } = promptedData(page, setting, "")

    expect(data).toEqual({
      url: "http://site.test/page",
      title: "Shop",
      description: null,
      things: [{ type: "Product", name: "Lamp", tag: ["a", "b"] }],
      lists: [
        {
          name: "Products",
          rows: [
            { name: "Lamp", price: "£5", availability: "in stock" },
            { name: "Pot", price: "£80", availability: "sold out" }
          ]
        }
      ],
      facts: { title: "Shop", Price: "5" }
    })
    expect(sources.get("/lists/0/rows/1/price")?.kind).toBe("table")
  })
})

describe("questions", () => {
  const passages = () => Passages.read("<p>The pump weighs 182 kg.</p>", "http://site.test/")

  it("are answered with passages, under no keys made of their words", () => {
    expect(promptedData(offered({}), setting, "How much does the pump weigh?", passages).data).toMatchObject({
      answers: [{ question: "How much does the pump weigh?", answer: "The pump weighs 182 kg." }]
    })
  })

  it("that only name a value give the value", () => {
    expect(promptedData(offered({ Price: "£5" }), setting, "What is the price?", passages).data).toEqual({
      price: "£5"
    })
  })

  it("which of several give the rows that fit", () => {
    const page = offered({}, [], [shelf])

    expect(promptedData(page, setting, "Which products are in stock and what do they cost?", passages).data).toEqual({
      products: [{ name: "Lamp", availability: "in stock", price: "£5", url: null }]
    })
  })

  it("about everything give everything", () => {
    expect(promptedData(offered({ title: "Shop" }), setting, "everything about this", passages).data).toMatchObject({
      title: "Shop",
      things: []
    })
  })
})
