import { describe, expect, it } from "vitest"
import { extract } from "../../src/extract/extract.ts"
import { isList, isSchema } from "../../src/jsonSchema/JsonSchema.ts"

const schema = {
  type: "object",
  properties: {
    lamps: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } }
    }
  }
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const kinds: ReadonlyArray<readonly [kind: string, page: (count: number) => string]> = [
  [
    "a table",
    (count) =>
      `<table><tr><th>Name</th><th>Price</th></tr>${numbers(count)
        .map((at) => `<tr><td>Lamp ${at}</td><td>${at}.50 EUR</td></tr>`)
        .join("")}</table>`
  ],
  [
    "cards",
    (count) =>
      `<div class=lamps>${numbers(count)
        .map((at) => `<div class=lamp><h3>Lamp ${at}</h3><p class=price>${at}.50 EUR</p></div>`)
        .join("")}</div>`
  ],
  [
    "JSON-LD",
    (count) =>
      `<script type="application/ld+json">${JSON.stringify(
        numbers(count).map((at) => ({
          "@context": "https://schema.org",
          "@type": "Product",
          name: `Lamp ${at}`,
          offers: { "@type": "Offer", price: `${at}.50`, priceCurrency: "EUR" }
        }))
      )}</script>`
  ],
  [
    "microdata",
    (count) =>
      numbers(count)
        .map(
          (at) =>
            `<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Lamp ${at}</b>` +
            `<span itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemprop=price>${at}.50</i></span></div>`
        )
        .join("")
  ]
]

const lampsOf = (page: string) => {
  const { data, warning } = extract(
    { html: `<h1>Lamps</h1>${page}`, url: "http://site.test/lamps", metadata: {} },
    schema,
    undefined
  )
  const lamps = isSchema(data) ? data["lamps"] : undefined
  return { lamps: isList(lamps) ? lamps : [], warning }
}

describe("a long list", () => {
  it.each(kinds)("is read whole: %s", (_kind, page) => {
    const { lamps, warning } = lampsOf(page(1100))

    expect(lamps).toHaveLength(1100)
    expect(lamps[0]).toEqual({ name: "Lamp 0", price: 0.5 })
    expect(lamps.at(-1)).toEqual({ name: "Lamp 1099", price: 1099.5 })
    expect(warning).toBeUndefined()
  })

  it("that is longer than a list may be says so", () => {
    const [, page] = kinds[0] ?? []
    const { lamps, warning } = lampsOf(page?.(20_010) ?? "")

    expect(lamps.length).toBeGreaterThan(19_000)
    expect(warning).toBe(
      "the page says more than is read of one page (20,000 rows of a list, 200,000 values): the rest is not in the data"
    )
  })
})
