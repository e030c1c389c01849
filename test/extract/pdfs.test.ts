import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import { nothingInPdf } from "#page/pdfPlaces"
import * as Pdf from "#site/Pdf"
import { readPdf } from "#web/readPdf"

const filled = async (lines: ReadonlyArray<string>, properties: { readonly [name: string]: Json }) => {
  const { rawHtml } = await readPdf(new Uint8Array(Pdf.make("A bill", lines)), 10)
  const page = { url: "http://bills.test/1.pdf", html: rawHtml, metadata: {} }
  return byRules(page, { schema: { type: "object", properties }, prompt: undefined })
}

const text = { type: "string" }

describe("a value of a PDF", () => {
  it("has its page and its box as its way: a viewer shows them at the address of the file with it", async () => {
    const { data, sources } = await filled(
      ["Invoice number: LJ-2025", ...Array.from({ length: 48 }, () => "."), "Customer: Northgate Library"],
      { invoice_number: text, customer: text }
    )

    expect(data).toEqual({ invoice_number: "LJ-2025", customer: "Northgate Library" })
    expect(sources.get("/invoice_number")?.path).toMatch(/^#page=1&viewrect=56,\d+,\d+,\d+$/)
    expect(sources.get("/customer")?.path).toMatch(/^#page=2&viewrect=56,\d+,\d+,\d+$/)
  })

  it("is missed with a warning where the text has nothing that is asked for", async () => {
    const { data, warning } = await filled(["A page on other things."], { isbn: text })

    expect(data).toEqual({ isbn: null })
    expect(warning).toBe(nothingInPdf)
  })
})
