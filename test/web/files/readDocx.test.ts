import { describe, expect, it } from "vitest"
import { readDocx } from "#web/readDocx"
import * as archives from "../../hostile/archives.ts"

const word = (body: string, more: Readonly<Record<string, string>> = {}) =>
  archives.word(
    [Buffer.from(body)],
    Object.entries(more).map(([name, text]) => [name, Buffer.from(text)] as const)
  )

const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

describe("a Word document", () => {
  it("says its title, its author and its times", async () => {
    const core = `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lamps &amp; jars</dc:title>
      <dc:creator>Ann Lee</dc:creator><dc:description/><cp:keywords>brass</cp:keywords>
      <dcterms:created>2024-03-05T10:00:00Z</dcterms:created><dcterms:modified>2024-03-06T11:00:00Z</dcterms:modified></cp:coreProperties>`

    const { facts } = await readDocx(word(paragraph("Text"), { "docProps/core.xml": core }))

    expect(facts).toEqual({
      title: "Lamps & jars",
      author: "Ann Lee",
      keywords: "brass",
      dcTermsCreated: "2024-03-05T10:00:00Z",
      modifiedTime: "2024-03-06T11:00:00Z"
    })
  })

  it("has its title above its text, as a heading", async () => {
    const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    const styles = `<w:styles xmlns:w="${main}"><w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>`
    const title = `<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr><w:r><w:t>Lamps</w:t></w:r></w:p>`

    const { html } = await readDocx(word(title + paragraph("Text"), { "word/styles.xml": styles }))

    expect(html).toBe("<h1>Lamps</h1><p>Text</p>")
  })

  it("has the words of its fields, and of text in another direction", async () => {
    const field = `<w:p><w:r><w:t>Figure </w:t></w:r><w:fldSimple w:instr=" SEQ Figure "><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>`
    const other = `<w:p><w:bdo w:val="rtl"><w:r><w:t>other way</w:t></w:r></w:bdo></w:p>`

    const { html, warnings } = await readDocx(word(field + other))

    expect(html).toBe("<p>Figure 7</p><p>other way</p>")
    expect(warnings).toEqual([])
  })

  it("says that its equations are left out", async () => {
    const math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    const equation = `<w:p><w:r><w:t>So </w:t></w:r><m:oMath xmlns:m="${math}"><m:r><m:t>a=b</m:t></m:r></m:oMath></w:p>`

    const { html, warnings } = await readDocx(word(equation))

    expect(html).toBe("<p>So </p>")
    expect(warnings).toEqual(["the document has equations, which are left out"])
  })

  it("is not unpacked further than it may be, whatever it says of its size", async () => {
    const bytes = archives.docx(201)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = bytes.indexOf("PK\u0001\u0002"); at !== -1; at = bytes.indexOf("PK\u0001\u0002", at + 1)) {
      view.setUint32(at + 24, 1000, true)
    }

    await expect(readDocx(bytes)).rejects.toMatchObject({
      code: "SCRAPE_FILE_TOO_LARGE_ERROR",
      message: "the document unpacks to more than 200 MB"
    })
  })

  it.each([
    ["cut in half", word(paragraph("Text")).subarray(0, 400), "it is not a zip file, or its end is missing"],
    ["a zip file of other files", archives.zip([["a.docx", word(paragraph("Text"))]]), "it has no text"],
    ["XML that ends too early", word("<w:p>"), "its XML cannot be read"],
    [
      "a note that is not there",
      word(`<w:p><w:r><w:footnoteReference w:id="9"/></w:r></w:p>`),
      "it refers to something that it does not have"
    ]
  ])("is broken in words that people understand: %s", async (_, bytes, why) => {
    await expect(readDocx(bytes)).rejects.toMatchObject({
      code: "SCRAPE_FILE_BROKEN_ERROR",
      message: `the document is broken: ${why}`
    })
  })
})
