import { describe, expect, it } from "vitest"
import { extract } from "../../../src/extract/extract.ts"

const read = (properties: object, body: string) =>
  extract(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: {} },
    { type: "object", properties: { ...properties } },
    undefined
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
})
