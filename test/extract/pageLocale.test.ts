import { describe, expect, it } from "vitest"
import { pageLocale } from "#extract/pageLocale"
import { offered, thing } from "./offered.ts"

const url = "http://shop.test/"

describe("the setting of a page", () => {
  it("has the language that the page says, else the one that it was read with", () => {
    expect(pageLocale(url, offered({ language: "de-AT" }), "en").language).toBe("de-AT")
    expect(pageLocale(url, offered({}), "fr").language).toBe("fr")
    expect(pageLocale(url, offered({}), undefined).language).toBeUndefined()
  })

  it("has the currency that the page names, where it names one", () => {
    const offer = (priceCurrency: string) => thing({ "@type": "Offer", price: 5, priceCurrency })

    expect(pageLocale(url, offered({}, [offer("CAD")]), undefined).currency).toBe("CAD")
    expect(pageLocale(url, offered({}, [offer("CAD"), offer("USD")]), undefined).currency).toBeUndefined()
  })
})

describe("a sign that languages share", () => {
  it("is that of the language of the page", () => {
    expect(pageLocale("http://x.test/", offered({}), "zh-CN").currency).toBe("CNY")
    expect(pageLocale("http://x.test/", offered({}), "ja")).not.toHaveProperty("currency")
  })
})
