import { describe, expect, it } from "vitest"
import { readPdf } from "../../../src/crawler/files/readPdf.ts"
import * as Pdf from "../../../src/site/Pdf.ts"
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
})

/** A PDF of one page, without the places of its objects: a reader finds them. */
const written = (content: string, more = ""): Uint8Array =>
  new TextEncoder().encode(
    [
      "%PDF-1.4",
      "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
      "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj",
      `3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R ${more} /Resources << /Font << /F1 5 0 R >> >> >> endobj`,
      `4 0 obj << /Length ${content.length} >>\nstream\n${content}\nendstream endobj`,
      "5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj",
      "trailer << /Root 1 0 R /Size 6 >>",
      "%%EOF"
    ].join("\n")
  )
