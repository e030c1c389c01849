import { describe, expect, it } from "vitest"
import * as Pdf from "#site/Pdf"
import { readPdf } from "#web/readPdf"
import * as archives from "../../hostile/archives.ts"

/** One megabyte of drawing: 32,768 letters, each a piece of its own. */
const drawn = () => new Uint8Array(archives.pdf(1))

describe("a PDF", () => {
  it("is read to its last letter where it has as many pieces of text as a file may have", async () => {
    const read = await readPdf(drawn(), 1, 32_768)

    expect(read.pages.join("").match(/a/g)).toHaveLength(32_768)
  })

  it("that has more is left as soon as that is known, and the reason says so", async () => {
    const reading = readPdf(drawn(), 1, 1000)

    await expect(reading).rejects.toMatchObject({
      code: "SCRAPE_FILE_TOO_LARGE_ERROR",
      message: "the PDF has more than 1,000 pieces of text"
    })
  })

  it("is counted as one file: no page has pieces of its own", async () => {
    const lines = Array.from({ length: 3 * 48 }, () => "a line of text")
    const read = await readPdf(new Uint8Array(Pdf.make("three pages", lines)), 3)
    const reading = readPdf(new Uint8Array(Pdf.make("three pages", lines)), 3, 100)

    expect(read.pages).toHaveLength(3)
    await expect(reading).rejects.toMatchObject({ code: "SCRAPE_FILE_TOO_LARGE_ERROR" })
  })

  it("names where its links lead, which its text need not say", async () => {
    const links = ["https://other.example/prices", "notes.html", "javascript:alert(1)"].map(
      (address, i) =>
        `<< /Type /Annot /Subtype /Link /Rect [50 ${700 - i * 20} 200 ${715 - i * 20}] /A << /S /URI /URI (${address}) >> >>`
    )
    const read = await readPdf(
      written("BT /F1 12 Tf 50 700 Td (See our prices.) Tj ET", `/Annots [${links.join(" ")}]`),
      1
    )

    expect(read.pages).toEqual(["See our prices."])
    expect(read.links).toEqual(["https://other.example/prices", "notes.html", "javascript:alert(1)"])
  })

  it.each([
    ["90ms-RKSJ-H", "Japan1", "93 8c 8b 9e 41", "東京A"],
    ["EUC-H", "Japan1", "c5 ec b5 fe 41", "東京A"],
    ["UniJIS-UTF16-H", "Japan1", "67 71 4e ac 00 41", "東京A"],
    ["GBK-EUC-H", "GB1", "b1 b1 be a9 41", "北京A"],
    ["UniGB-UCS2-H", "GB1", "53 17 4e ac 00 41", "北京A"],
    ["ETen-B5-H", "CNS1", "bb 4f a5 5f 41", "臺北A"],
    ["KSCms-UHC-H", "Korea1", "bc bc b0 e8 41", "세계A"]
  ])("has the letters of old fonts in the encoding %s", async (encoding, ordering, codes, text) => {
    const read = await readPdf(asian(encoding, ordering, codes), 1)

    expect(read.pages).toEqual([text])
    expect(read.unknownEncodings).toEqual([])
  })

  it.each([
    ["Identity-H", "0412 0533", "Identity"],
    ["GBK2K-H", "b1b1", "GBK2K-H"]
  ])("names the encoding of text that nobody can read here: %s", async (encoding, codes, name) => {
    const read = await readPdf(asian(encoding, encoding.startsWith("GB") ? "GB1" : "Japan1", codes), 1)

    expect(read.pages).toEqual([""])
    expect(read.unknownEncodings).toEqual([name])
  })
})

/** A PDF with a font of Chinese, Japanese or Korean that brings no table of its letters. */
const asian = (encoding: string, ordering: string, codes: string): Uint8Array =>
  written(`BT /F2 12 Tf 50 700 Td <${codes}> Tj ET`, "", [
    `8 0 obj << /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${encoding} /DescendantFonts [9 0 R] >> endobj`,
    `9 0 obj << /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 10 0 R >> endobj`,
    "10 0 obj << /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /Ascent 800 /Descent -200 >> endobj"
  ])

/** A PDF of one page, without the places of its objects: a reader finds them. */
const written = (content: string, more = "", objects: ReadonlyArray<string> = []): Uint8Array =>
  new TextEncoder().encode(
    [
      "%PDF-1.4",
      "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
      "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj",
      `3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R ${more} /Resources << /Font << /F1 5 0 R /F2 8 0 R >> >> >> endobj`,
      `4 0 obj << /Length ${content.length} >>\nstream\n${content}\nendstream endobj`,
      "5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj",
      ...objects,
      "trailer << /Root 1 0 R /Size 11 >>",
      "%%EOF"
    ].join("\n")
  )
