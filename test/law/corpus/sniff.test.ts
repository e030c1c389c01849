import { describe, expect, it } from "vitest"
import { sniff } from "#law/corpus/sniff"

describe("sniffing a format", () => {
  it.each([
    [
      "uslm",
      `<?xml version="1.0"?>\n<?xml-stylesheet href="x"?><!-- a > b --><uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0">`
    ],
    ["uslm", `\ufeff<bill xmlns="http://schemas.gpo.gov/xml/uslm">`],
    ["regml", `<regulation xmlns="eregs" xmlns:xsi="x">`],
    ["open-law", `<section xmlns="https://code.dccouncil.us/schemas/dc-library">`],
    ["open-law", `<container xmlns="https://open.law/schemas/library">`],
    ["html", `<!DOCTYPE html>\n\n<html lang="en">`],
    ["html", `<HTML>`]
  ])("finds %s by the first element", (format, head) => {
    expect(sniff(head)).toBe(format)
  })

  it("takes an element for ours only with our namespace", () => {
    expect(sniff(`<section><num>1</num>`)).toEqual({
      why: "its first element is <section>, which is not a known format of government texts"
    })
    expect(sniff(`<bill xmlns="http://example.com/invoice">`)).toHaveProperty("why")
    expect(sniff(`<regulation xmlns="other">`)).toHaveProperty("why")
  })

  it("ends soon on a head that tries to keep it busy", () => {
    const began = process.threadCpuUsage()

    expect(sniff(`${"<!-- -->".repeat(8000)}<!doctype ${"[".repeat(8000)}`)).toHaveProperty("why")

    expect(process.threadCpuUsage(began).user / 1e6).toBeLessThan(1)
  })
})
