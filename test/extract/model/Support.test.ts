import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import type { Extracted, Source } from "#extract/Candidates"
import * as Support from "#extract/Support"

const nothing: Extracted = { data: null, sources: new Map(), missing: [] }

/** Whether a page that says this says the value. */
const says = (text: string, value: Json): boolean | undefined =>
  Support.of({ value }, text, [], nothing).sources.get("/value")?.supported

describe("a number of a model", () => {
  it("is supported as it is written in several countries", () => {
    for (const [written, value] of [
      ["£1,299.00", 1299],
      ["1.299,00 €", 1299],
      ["1 299,50 kr", 1299.5],
      ["1\u202f299,50", 1299.5],
      ["CHF 1'299.50", 1299.5],
      ["₹12,34,567", 1_234_567],
      ["1.234.567", 1_234_567],
      ["0,5 l", 0.5],
      [".75 in", 0.75],
      ["１２３", 123],
      ["-5 °C", -5],
      ["−5,5 °C", -5.5],
      ["140.", 140],
      ["007", 7]
    ] as const) {
      expect([written, says(written, value)]).toEqual([written, true])
    }
  })

  it("is supported below nothing where the page has it in brackets, alone, as accounts do", () => {
    expect([says("Result (12)", -12), says("(1,234.50)", -1234.5), says("( £7.20 )", -7.2), says("(5%)", -5)]).toEqual([
      true,
      true,
      true,
      true
    ])
    expect([says("Result (12 of 30)", -12), says("Result 12", -12), says("(see 12)", -12)]).toEqual([
      false,
      false,
      false
    ])
  })

  it("is supported by both meanings of a separator before three digits", () => {
    expect([says("1.299", 1299), says("1.299", 1.299), says("1,299", 1299)]).toEqual([true, true, true])
  })

  it("is not supported by a number that is another", () => {
    for (const [written, value] of [
      ["140.00", 14000],
      ["1,5", 15],
      ["12.5.2019", 1_252_019],
      ["1400", 140],
      ["40", 140],
      ["5", -5],
      ["1.2.3", 123],
      ["2019-2020", -2020]
    ] as const) {
      expect([written, value, says(written, value)]).toEqual([written, value, false])
    }
  })

  it("is supported beside others: numbers of a row are not one", () => {
    const row = "Ash 140 90\n70.5 12 300"

    expect([140, 90, 70.5, 12, 300].map((value) => says(row, value))).toEqual([true, true, true, true, true])
    expect([14090, 9070.5].map((value) => says(row, value))).toEqual([false, false])
  })
})

describe("a text of a model", () => {
  it("is supported whatever its case, its blanks and its way of writing letters", () => {
    expect(says("Made by  PIKE\n& Sons", "Pike & Sons")).toBe(true)
    expect(says("Cafe\u0301 Zürich", "CAFÉ zürich")).toBe(true)
    expect(says("ﬁne ｌａｍｐ", "fine lamp")).toBe(true)
    expect(says("東京都のランプ", "ランプ")).toBe(true)
  })

  it("is supported by whole words only, in their order", () => {
    expect(says("a party of four", "art")).toBe(false)
    expect(says("sons & pike", "Pike & Sons")).toBe(false)
    expect(says("model X1400", "X140")).toBe(false)
    expect(says("the party, then art.", "art")).toBe(true)
    expect(says("anything", "")).toBe(false)
  })

  it("is supported where it is a day that the page writes in another way", () => {
    expect(says("since 3 May 2019", "2019-05-03")).toBe(true)
    expect(says("since 3 May 2019", "2019-05-03T00:00:00Z")).toBe(true)
    expect(says("since 3 May 2019", "2019-03-05")).toBe(false)
  })

  it("is supported where that day stands far behind in a long text", () => {
    const long = "Nothing of 4 days and 12 lamps is said here. ".repeat(60)

    for (const written of ["3 May 2019", "03.05.2019", "May 3, 2019", "2019年5月3日"])
      expect([written, says(`${long}since ${written}, as ever. ${long}`, "2019-05-03")]).toEqual([written, true])
    expect(says(`${long}since 3 May 2019. ${long}`, "2019-05-04")).toBe(false)
  })
})

describe("a value of a model that a page says in another form", () => {
  const saysOf = (name: string, text: string, value: Json, declared: ReadonlyArray<string> = []) =>
    Support.of({ [name]: value }, text, declared, nothing).sources.get(`/${name}`)?.supported

  it("is supported: numbers in words, measures, shares, currencies, lengths of time, telephones", () => {
    for (const [name, text, value] of [
      ["staff", "employs about a thousand people", 1000],
      ["staff", "employs two hundred and ten people", 210],
      ["rooms", "a house with twenty-five rooms", 25],
      ["revenue", "a turnover of 2.5 million", 2_500_000],
      ["weight_g", "weighs 1.5 kg", 1500],
      ["share", "25 % of all", 0.25],
      ["currency", "for £140.00 each", "GBP"],
      ["cook_time", "1 hour and 30 minutes", "PT1H30M"],
      ["cook_time", "takes 45 minutes", "PT45M"],
      ["phone", "Tel. 020 7946 0958", "+44 20 7946 0958"],
      ["opens", "open from 9 am to 5:30 p.m.", "09:00"],
      ["closes", "open from 9 am to 5:30 p.m.", "17:30"],
      ["opens", "geöffnet ab 9 Uhr", "09:00"],
      ["founded", "founded in May 2019", "2019-05"],
      ["price", "now £1,299.00", "1299 GBP"],
      ["weight", "weighs 1500 g", "1.5 kg"],
      ["maker", "Made by Pike, Sons & Co.", "Pike Sons Co"],
      ["address", "12 High Street\nNorthmere NM1 2AB", "12 High Street, Northmere, NM1 2AB"]
    ] as const) {
      expect([text, value, saysOf(name, text, value)]).toEqual([text, value, true])
    }
  })

  it("is not supported by what means something else", () => {
    for (const [name, text, value] of [
      ["staff", "employs a thousand people", 2000],
      ["weight_g", "weighs 1.5 kg", 150],
      ["currency", "for £140.00 each", "EUR"],
      ["cook_time", "takes 45 minutes", "PT54M"],
      ["phone", "Tel. 020 7946 0958", "+44 20 7946 0959"],
      ["opens", "open from 9 am to 5:30 p.m.", "21:00"],
      ["founded", "founded in May 2019", "2019-06"],
      ["price", "now £1,299.00", "1299 EUR"],
      ["address", "12 High Street, Northmere", "14 High Street, Northmere"]
    ] as const) {
      expect([text, value, saysOf(name, text, value)]).toEqual([text, value, false])
    }
  })

  it("is an address only where the page leads there or writes it", () => {
    const declared = Support.declaredOf({
      url: "http://site.test/about",
      html: `<a href="/contact?utm_source=x">Contact</a><img src="logo.png">`,
      metadata: {}
    })
    const isThere = (value: string) => saysOf("url", "see https://pike.test/shop.", value, declared)

    expect(
      ["http://site.test/contact", "http://site.test/logo.png", "http://site.test/", "https://pike.test/shop"].map(
        isThere
      )
    ).toEqual([true, true, true, true])
    expect(["http://site.test/team", "https://pike.test/", "https://pike.test/sho"].map(isThere)).toEqual([
      false,
      false,
      false
    ])
  })
})

describe("the support of a model's data", () => {
  it("says of each value by its pointer, and names what is null", () => {
    const data = { "a/b": ["Ash", null], price: 7, "~": null, on: true }
    const { missing, sources } = Support.of(data, "Ash", [], nothing)

    expect([...sources].map(([pointer, { kind, supported }]) => [pointer, kind, supported])).toEqual([
      ["/a~1b/0", "text", true],
      ["/price", "model", false],
      ["/on", "model", false]
    ])
    expect(missing).toEqual(["/a~1b/1", "/~0"])
  })

  it("takes what rules found, and what the page declares without showing it", () => {
    const source: Source = { kind: "json-ld", path: "$.offers.price", span: [3, 9] }
    const found: Extracted = { data: { cost: 140 }, sources: new Map([["/cost", source]]), missing: [] }
    const { sources } = Support.of({ price: 140, sku: "ash-1" }, "", ["ASH-1"], found)

    expect(sources.get("/price")).toEqual({ ...source, certainty: "high", supported: true })
    expect(sources.get("/sku")?.supported).toBe(true)
  })

  it("has the place of what the text says: the smallest element that says it, also in another form", () => {
    const html = `<body><div id="about"><h1>Pike</h1><p>It has <b>a thousand</b> workers.</p></div><p>Since 3 May 2019</p>`
    const given = { name: "Pike", staff: 1000, since: "2019-05-03", boss: "Rook" }
    const text = "Pike It has a thousand workers. Since 3 May 2019"
    const { sources } = Support.of(given, text, [], nothing, { html, url: "http://site.test/" })
    const places = [...sources].map(([pointer, { path, span }]) => [pointer, path, html.slice(...span)])

    expect(places).toEqual([
      ["/name", "#about > h1", "<h1>Pike</h1>"],
      ["/staff", "#about > p > b", "<b>a thousand</b>"],
      ["/since", "p", "<p>Since 3 May 2019</p>"],
      ["/boss", "", ""]
    ])
  })

  it("has the places of many values of a long page: all that is said is gone through once", () => {
    const card = (i: number) =>
      `<li><h3>Lamp <i>number</i> ${i}</h3><b>£${i + 0.25}</b> since <em>${1 + (i % 28)}</em> May ${1800 + (i % 200)}</li>`
    const html = `<body><ul>${Array.from({ length: 3000 }, (_, i) => card(i)).join("")}</ul>`
    const { sources } = Support.of(
      { name: "Lamp number 2711", price: 2711.25, since: "1911-05-24" },
      "Lamp number 2711 £2711.25 since 24 May 1911",
      [],
      nothing,
      { html, url: "http://site.test/" }
    )

    expect([...sources].map(([, { span }]) => html.slice(...span))).toEqual([
      "<h3>Lamp <i>number</i> 2711</h3>",
      "<b>£2711.25</b>",
      card(1311)
    ])
  })

  it("reads what a page declares", () => {
    const html = `<script type="application/ld+json">{"@type":"Product","name":"Ash","offers":{"price":"140"}}</script>`

    expect(Support.declaredOf({ url: "http://site.test/", html, metadata: {} })).toEqual(
      expect.arrayContaining(["Ash", "140"])
    )
  })

  it("is told of a page of nothing but digits and blanks in no long time", () => {
    const digits = "1 ".repeat(30_000) + "1,".repeat(30_000) + "1.".repeat(30_000)

    expect(says(digits, 2)).toBe(false)
  })
})
