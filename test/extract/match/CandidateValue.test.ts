import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"
import { listedParts } from "#extract/match/CandidateValue"
import { thing } from "../offered.ts"

const read = (properties: object, body: string) =>
  byRules(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: {} },
    { schema: { type: "object", properties: { ...properties } }, prompt: undefined }
  ).data

describe("a value in a list of the page", () => {
  it("is no value of the page", () => {
    const others = ["Mill", "Cup", "Pot"].map(
      (name, i) => `<li><a href=/${i}>${name}</a> <span>Price: £${i}.50</span> <i>Weight: 1 kg</i></li>`
    )

    expect(read({ price: { type: "number" } }, `<h1>Kettle</h1><ul>${others.join("")}</ul>`)).toEqual({ price: null })
  })

  it("is one where the list is of facts under names of their own", () => {
    const facts = "<ul><li>Vorbereitungszeit: 25 Minuten</li><li>Backzeit: 40 Minuten</li><li>Portionen: 12</li></ul>"

    expect(read({ prep_time_minutes: { type: "integer" }, servings: { type: "integer" } }, facts)).toEqual({
      prep_time_minutes: 25,
      servings: 12
    })
  })

  it("is one where each is a label and its value, in elements of their own", () => {
    const facts =
      "<div><span>Gia dinh</span><span>4</span></div><div><span>Dien tich</span><span>76 m²</span></div><div><span>Dia chi</span><span>Quan 7</span></div>"

    expect(read({ dien_tich: { type: "number" }, dia_chi: { type: "string" } }, facts)).toEqual({
      dien_tich: 76,
      dia_chi: "Quan 7"
    })
  })

  it("is none where the names have sums beside them, as in a menu", () => {
    const menu = ["Espresso", "Latte", "Mocha"].map(
      (name, i) => `<div><span>${name}</span><span>${i + 2},50 €</span></div>`
    )

    expect(read({ price: { type: "number" } }, `<h1>Café</h1>${menu.join("")}`)).toEqual({ price: null })
  })

  it("is none where a class says what each value is", () => {
    const hotels = ["Adler", "Post", "Krone"].map(
      (name, i) => `<div><span class="name">${name}</span><span class="rating">4.${i}</span></div>`
    )

    expect(read({ rating: { type: "number" } }, `<h1>Hotels</h1>${hotels.join("")}`)).toEqual({ rating: null })
  })
})

describe("the parts of a thing that are a list", () => {
  const named = { product: [{ name: "Arc" }, { name: "Bow" }], vendor: { name: "Lumen" } }

  it("are those that have a name together, in an answer that is data", () => {
    const answer = thing(named, "data")

    expect(listedParts(answer).map(({ properties }) => properties[0]?.value)).toMatchObject([
      { data: "Arc" },
      { data: "Bow" }
    ])
  })

  it("do not exist in what a page declares: the first of several authors is an author", () => {
    expect(listedParts(thing(named))).toEqual([])
  })
})
