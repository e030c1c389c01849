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
})
