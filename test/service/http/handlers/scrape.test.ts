import { readFileSync } from "node:fs"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Pdf from "#site/Pdf"
import * as archives from "../../../hostile/archives.ts"
import { scrapePage } from "../../scrapePage.ts"
import { file } from "../../scriptedSite.ts"

const page =
  "<html lang=en><title>Lamp</title><body><nav><a href=/home>Home</a></nav><main><h1>Lamp</h1><p class=text>Bright.</p>" +
  "<img src=/lamp.png alt=Lamp><p class=ad>Buy</p></main>"

describe("POST /v2/scrape", () => {
  it.effect("gives the formats that were asked for, as text or as objects, and no other", () =>
    Effect.gen(function* () {
      const { body } = yield* scrapePage(
        { "/": page },
        {
          formats: [
            "markdown",
            { type: "images" },
            { type: "attributes", selectors: [{ selector: "main > p", attribute: "class" }] }
          ],
          excludeTags: [".ad"]
        }
      )

      expect(body.success).toBe(true)
      expect(Object.keys(body.data).toSorted()).toEqual(["attributes", "images", "markdown", "metadata"])
      expect(body.data.markdown).toBe("# Lamp\n\nBright.\n\n![Lamp](http://site.test/lamp.png)")
      expect(body.data.images).toEqual(["http://site.test/lamp.png"])
      expect(body.data.attributes).toEqual([{ selector: "main > p", attribute: "class", values: ["text", "ad"] }])
      expect(body.data.metadata).toMatchObject({
        title: "Lamp",
        sourceURL: "http://site.test/",
        proxyUsed: "basic",
        cacheState: "miss",
        creditsUsed: 1
      })
    })
  )

  it.effect("answers 400 with the choices where a format is unknown", () =>
    Effect.gen(function* () {
      const { status, body } = yield* scrapePage({ "/": page }, { formats: ["markdwn"] })

      expect(status).toBe(400)
      expect(body.error).toContain("formats.0: must be one of the formats markdown, html")
      expect(body.details[0].path).toEqual(["formats", 0])
    })
  )

  it.effect("answers 400 with the selector where it is not supported", () =>
    Effect.gen(function* () {
      const { status, body } = yield* scrapePage({ "/": page }, { includeTags: ["p:last-child"] })

      expect(status).toBe(400)
      expect(body.error).toContain('the selector "p:last-child" cannot be used: :last-child is not supported')
    })
  )

  it.effect("answers 422 where a JSON Schema is none", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: { price: { type: "money" } } }
      const { status, body } = yield* scrapePage({ "/": page }, { formats: [{ type: "json", schema }] })

      expect(status).toBe(422)
      expect(body.error).toContain('price has the type "money"')
    })
  )

  it.effect("says what the site answered where it is an error, and gives the page all the same", () =>
    Effect.gen(function* () {
      const { body } = yield* scrapePage({ "/": file("text/html", "<p>gone", 410) })

      expect(body.data.markdown).toBe("gone")
      expect(body.data.metadata).toMatchObject({ statusCode: 410, error: "the site answers 410" })
    })
  )

  it.effect("answers a question and gives highlights, by the page's own words", () =>
    Effect.gen(function* () {
      const hall =
        "<title>Hall</title><main><h1>Hall</h1><h2>Opening hours</h2><p>The hall is open on Tuesdays from 9:00 to 16:00.</p></main>"
      const formats = [
        { type: "question", question: "When is the hall open?" },
        { type: "highlights", query: "opening hours" }
      ]
      const { body } = yield* scrapePage({ "/": hall }, { formats })
      const { body: silent } = yield* scrapePage(
        { "/": hall },
        { formats: [{ type: "query", prompt: "Who is the mayor?" }] }
      )

      expect(body.data.answer).toContain("open on Tuesdays from 9:00")
      expect(body.data.highlights).toContain("Tuesdays")
      expect(body.data.rawHtml).toBeUndefined()
      expect(body.data.metadata.creditsUsed).toBe(1)
      expect(silent.data.answer).toBeUndefined()
      expect(silent.data.warning).toBe("the page does not answer the question")
      for (const question of ["???", "Kto jest burmistrzem?", "Wann ist die Halle geöffnet?"]) {
        const page = hall.replace("<title>", "<html lang=en><title>")
        const { body: other } = yield* scrapePage({ "/": page }, { formats: [{ type: "question", question }] })

        expect([question, other.data.answer, other.data.warning]).toEqual([
          question,
          undefined,
          expect.stringContaining("the question was not understood")
        ])
      }
    })
  )

  it.effect("gives the branding of a page, with the style sheets that it links", () =>
    Effect.gen(function* () {
      const html = `<link rel="stylesheet" href="/s.css"><link rel="stylesheet" href="/gone.css"><meta property="og:site_name" content="Hall"><p>Hall</p>`
      const sheet = file("text/css", ":root{--primary:#123456} body{font-family:Inter}")
      const { body } = yield* scrapePage({ "/": html, "/s.css": sheet }, { formats: ["branding"] })

      expect(body.data.branding).toEqual({
        brandName: "Hall",
        colors: { primary: "#123456" },
        fonts: [{ family: "Inter" }],
        typography: { fontFamilies: { primary: "Inter" }, fontStacks: { primary: ["Inter"] } }
      })
      expect(body.data.warning).toBe("1 style sheet was not read; branding is what the others say")
    })
  )

  it.effect("reads a PDF, by its bytes whatever it is called, at a credit a page", () =>
    Effect.gen(function* () {
      const bytes = Pdf.make("Minutes", ["The council met.", "", "It agreed on https://example.com/plan."])
      const { body } = yield* scrapePage(
        { "/": file("application/octet-stream", bytes) },
        { formats: ["markdown", "links"] }
      )

      expect(body.data.markdown).toContain("The council met.")
      expect(body.data.links).toEqual(["https://example.com/plan"])
      expect(body.data.metadata).toMatchObject({ title: "Minutes", numPages: 1, creditsUsed: 1, statusCode: 200 })
    })
  )

  it.effect("fills a schema from the lines of a PDF, each by itself and with its own letters", () =>
    Effect.gen(function* () {
      const bytes = Pdf.make("Invoice", ["Invoice number: INV_7", "File: my_file*name*.txt", "Total: $1,234.50"])
      const properties = { invoice_number: { type: "string" }, file: { type: "string" }, total: { type: "number" } }
      const { body } = yield* scrapePage(
        { "/": file("application/pdf", bytes) },
        { formats: ["html", { type: "json", schema: { type: "object", properties } }] }
      )

      expect(body.data.json).toEqual({ invoice_number: "INV_7", file: "my_file*name*.txt", total: 1234.5 })
      expect(body.data.html).toContain("Invoice number: INV_7<br>")
    })
  )

  it.effect("reads as many pages of a PDF as asked, says so, and bills those", () =>
    Effect.gen(function* () {
      const bytes = Pdf.make(
        "Long",
        Array.from({ length: 150 }, (_, i) => `Line ${i}`)
      )
      const { body } = yield* scrapePage(
        { "/": file("application/pdf", bytes) },
        { parsers: [{ type: "pdf", maxPages: 2, pages: true, pageMarkers: true }] }
      )

      expect(body.data.pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual([1, 2])
      expect(body.data.markdown).toContain("\n\n---\n\n<!-- page 2 -->\n\nLine 48")
      expect(body.data.markdown).not.toContain("Line 96")
      expect(body.data.warning).toBe("the PDF has 4 pages; the first 2 were read")
      expect(body.data.metadata).toMatchObject({ numPages: 2, totalPages: 4, creditsUsed: 2 })
    })
  )

  it.effect("leaves a PDF as it is where no parser is wanted", () =>
    Effect.gen(function* () {
      const bytes = Pdf.make("As it is", ["Text"])
      const { body } = yield* scrapePage({ "/": file("application/pdf", bytes) }, { parsers: [] })

      expect(Buffer.from(body.data.markdown, "base64")).toEqual(Buffer.from(bytes))
      expect(body.data.metadata.creditsUsed).toBe(1)
    })
  )

  it.effect.each([
    ["a broken PDF", "%PDF-1.7 and then nothing", "SCRAPE_FILE_BROKEN_ERROR", "the PDF is broken"],
    ["a broken DOCX", "PK\u0003\u0004word/document.xml", "SCRAPE_FILE_BROKEN_ERROR", "the document is broken"],
    ["a workbook", "PK\u0003\u0004xl/workbook.xml", "SCRAPE_UNSUPPORTED_FILE_ERROR", "an Excel workbook (XLSX) cannot"],
    [
      "an encrypted DOCX",
      `\u00d0\u00cf\u0011\u00e0${[..."EncryptedPackage"].join("\0")}\0`,
      "SCRAPE_FILE_ENCRYPTED_ERROR",
      "the document is encrypted"
    ],
    ["a picture", "\u0089PNG\r\n", "SCRAPE_UNSUPPORTED_FILE_ERROR", "not a kind of page"]
  ] as const)("tells why %s is not read", ([, text, code, why]) =>
    Effect.gen(function* () {
      const { status, body } = yield* scrapePage({ "/": file("application/octet-stream", Buffer.from(text, "latin1")) })

      expect(status).toBe(code === "SCRAPE_UNSUPPORTED_FILE_ERROR" ? 400 : 200)
      expect(body).toMatchObject({ success: false, code })
      expect(body.error).toContain(why)
    })
  )

  it.effect("tells that a PDF is encrypted", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(Pdf.make("Secret", ["Text"])).toString("latin1")
      const encrypted = bytes.replace(
        "/Info 4 0 R",
        `/Info 4 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${"00".repeat(32)}> /U <${"00".repeat(32)}> /P -4 >>`
      )
      const { body } = yield* scrapePage({ "/": file("application/pdf", Buffer.from(encrypted, "latin1")) })

      expect(body).toMatchObject({ success: false, code: "SCRAPE_FILE_ENCRYPTED_ERROR" })
      expect(body.error).toContain("needs a password")
    })
  )

  it.effect("reads all of a Word document: it has no navigation around its text", () =>
    Effect.gen(function* () {
      const link = (i: number) =>
        `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://example.com/${i}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>link ${i}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
      const heading = `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Useful links</w:t></w:r></w:p>`
      const links = Array.from({ length: 10 }, (_, i) => `<w:p>${link(i)}</w:p>`)
      const sentence = "The owner of a lamp shall keep it clean and in good order at all times. "
      const articles = Array.from(
        { length: 20 },
        (_, i) => `<w:p><w:r><w:t>Article ${i}. ${sentence.repeat(3)}</w:t></w:r></w:p>`
      )
      const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>`
      const core = `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Duties</dc:title><dc:creator>Ann Lee</dc:creator></cp:coreProperties>`
      const bytes = archives.word(
        [Buffer.from([heading, ...links, ...articles].join(""))],
        [
          ["word/styles.xml", Buffer.from(styles)],
          ["docProps/core.xml", Buffer.from(core)]
        ]
      )
      const { body } = yield* scrapePage(
        { "/": file("application/octet-stream", bytes) },
        { formats: ["markdown", "links"] }
      )

      expect(body.data.markdown).toMatch(/^# Useful links\n\n\[link 0\]/)
      expect(body.data.links).toHaveLength(10)
      expect(body.data.metadata).toMatchObject({ title: "Duties", author: "Ann Lee" })
    })
  )

  it.effect("reads a Word document through the same pass as a page", () =>
    Effect.gen(function* () {
      const bytes = readFileSync(
        new URL("../../../../node_modules/mammoth/test/test-data/simple-list.docx", import.meta.url)
      )
      const { body } = yield* scrapePage(
        { "/": file("application/octet-stream", bytes) },
        { formats: ["markdown", "html"] }
      )

      expect(body.data.markdown).toBe("- Apple\n- Banana")
      expect(body.data.html).toBe("<ul><li>Apple</li><li>Banana</li></ul>")
    })
  )
})
