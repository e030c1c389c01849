import { describe, expect, it } from "vitest"
import * as Pdf from "#site/Pdf"
import { readPdf } from "#web/readPdf"
import * as archives from "../../hostile/archives.ts"

/** One megabyte of drawing: 32,768 letters in one place, each a piece of its own. */
const drawn = () => new Uint8Array(archives.pdf(1))

describe("a PDF", () => {
  it("is read to its last letter where it has as many pieces of text as a file may have", async () => {
    const letters = (count: number) => "BT /F1 12 Tf 10 10 Td (a) Tj ET\n".repeat(count)
    const last = "BT /F1 12 Tf 30 10 Td (z) Tj ET"

    expect((await readPdf(drawn(), 1, 32_768)).pages).toEqual(["a"])
    expect((await readPdf(written(letters(999) + last), 1, 1001)).pages).toEqual(["a z"])
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

  it("has letters once that are drawn again in their place, to look bold or to cast a shadow", async () => {
    const word = (x: number, text: string) => `BT /F1 12 Tf ${x} 700 Td (${text}) Tj ET`
    const letters = [..."2011"].flatMap((letter, at) => [word(200 + at * 7, letter), word(200.4 + at * 7, letter)])
    const twice = [word(50, "Total: $1,250.00"), word(50.3, "Total: $1,250.00"), ...letters]

    expect((await readPdf(written(twice.join("\n")), 1)).pages).toEqual(["Total: $1,250.00 2011"])
  })

  it("has whole words where its letters are set apart, as fixed-width fonts are fitted to a text", async () => {
    const apart = (word: string) => `[${[...word].map((letter) => `(${letter})`).join("-120")}]`
    const drawn = ["BT /F1 10 Tf 50 700 Td (the class ) Tj", `${apart("documentclass")} TJ ( is loaded) Tj ET`]

    expect((await readPdf(written(drawn.join("\n")), 1)).pages).toEqual(["the class documentclass is loaded"])
  })

  it("has all letters of a font that is made of drawings, whose unit is its own", async () => {
    const drawing = "50 0 0 0 40 50 d1 0 0 40 50 re f"
    const read = await readPdf(
      written("BT /F2 10 Tf 50 700 Td (cell) Tj 0 -20 Td (elle) Tj 0 -20 Td (lecce) Tj ET", "", [
        "8 0 obj << /Type /Font /Subtype /Type3 /FontBBox [0 0 50 50] /FontMatrix [0.01 0 0 0.01 0 0] /FirstChar 99 /LastChar 108",
        `/Widths [${Array.from({ length: 10 }, () => 50).join(" ")}] /CharProcs << /c 9 0 R /e 9 0 R /l 9 0 R >>`,
        "/Encoding << /Type /Encoding /Differences [99 /c 101 /e 108 /l] >> /Resources << >> >> endobj",
        `9 0 obj << /Length ${drawing.length} >>\nstream\n${drawing}\nendstream endobj`
      ]),
      1
    )

    expect(read.pages[0]?.split(/\s+/)).toEqual(["cell", "elle", "lecce"])
  })

  it("has a cell for each box of a ruled table, also where one text goes over the line between two", async () => {
    const box = (x: number, y: number, width: number) => `${x} ${y} ${width} 20 re S`
    const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
    const read = await readPdf(
      written(
        [
          ...[50, 150, 200].map((x, at) => box(x, 700, [100, 50, 60][at] ?? 0)),
          ...[50, 150, 200].map((x, at) => box(x, 680, [100, 50, 60][at] ?? 0)),
          `${box(50, 660, 100)} ${box(150, 660, 110)}`,
          text(55, 706, "Region"),
          text(155, 706, "Units"),
          text(205, 706, "Price"),
          text(55, 686, "North"),
          text(157, 686, "1,087,948 1,022,490"),
          text(55, 666, "South"),
          text(155, 666, "not known")
        ].join("\n")
      ),
      1
    )

    expect(read.html).toBe(
      [
        "<table>",
        '<tr><th scope="col">Region</th><th scope="col">Units</th><th scope="col">Price</th></tr>',
        "<tr><td>North</td><td>1,087,948</td><td>1,022,490</td></tr>",
        '<tr><td>South</td><td colspan="2">not known</td></tr>',
        "</table>"
      ].join("\n")
    )
    expect(read.pages[0]).toBe(
      "| Region | Units | Price |\n| --- | --- | --- |\n| North | 1,087,948 | 1,022,490 |\n| South | not known |  |"
    )
  })

  it("has columns by gaps where lines divide groups of columns only", async () => {
    const rows = [
      "Robbery|102|25|90|22",
      "Arson|9|2|8|1",
      "Fraud|162|4|92|3",
      "Theft|1060|263|594|140",
      "Other|60|12|54|11"
    ]
    const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
    const read = await readPdf(
      written(
        [
          "50 700 m 400 700 l S 50 600 m 400 600 l S 130 600 m 130 700 l S 260 600 m 260 700 l S",
          ...rows.flatMap((row, at) =>
            row.split("|").map((words, i) => text([55, 140, 200, 270, 330][i] ?? 0, 686 - at * 18, words))
          )
        ].join("\n")
      ),
      1
    )

    expect(read.pages[0]?.split("\n").slice(2)).toEqual(rows.map((row) => `| ${row.replaceAll("|", " | ")} |`))
  })

  it("has rows where no line divides them, and further lines of a cell belong to it", async () => {
    const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
    const rows = [
      [700, "Item", "Units", "Remarks"],
      [684, "Lamp", "12", "stands on a desk"],
      [656, "Jar", "7", "holds water"],
      [640, "Box", "30", "holds jars"]
    ] as const
    const read = await readPdf(
      written(
        [
          "50 630 300 84 re S 120 630 m 120 714 l S 200 630 m 200 714 l S 50 696 m 350 696 l S",
          ...rows.flatMap(([y, a, b, c]) => [text(55, y, a), text(125, y, b), text(205, y, c)]),
          text(205, 672, "or on the wall")
        ].join("\n")
      ),
      1
    )

    expect(read.pages[0]?.split("\n").slice(2)).toEqual([
      "| Lamp | 12 | stands on a desk or on the wall |",
      "| Jar | 7 | holds water |",
      "| Box | 30 | holds jars |"
    ])
  })

  it.each([
    ["", ""],
    ["lies on a page that is turned", "/Rotate 90"]
  ])("has a table and paragraphs that are drawn lying %s", async (_, page) => {
    const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
    const drawn = [
      "50 500 200 60 re S 50 520 m 250 520 l S 50 540 m 250 540 l S 150 500 m 150 560 l S",
      ...["Item|Price", "Lamp|1.50", "Jar|2.50"].flatMap((row, at) =>
        row.split("|").map((words, i) => text(55 + i * 100, 546 - at * 20, words))
      ),
      text(50, 460, "A paragraph goes on in the next of its lines, which is"),
      text(50, 448, "as wide as they are on this page.")
    ]
    const read = await readPdf(written(`0 1 -1 0 600 0 cm ${drawn.join("\n")}`, page), 1)

    expect(read.pages[0]?.split("\n\n")).toEqual([
      "| Item | Price |\n| --- | --- |\n| Lamp | 1.50 |\n| Jar | 2.50 |",
      "A paragraph goes on in the next of its lines, which is as wide as they are on this page."
    ])
  })

  it("has the names of narrow columns that are written upwards in their table", async () => {
    const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
    const upwards = (x: number, words: string) => `BT /F1 10 Tf 0 1 -1 0 ${x} 565 Tm (${words}) Tj ET`
    const read = await readPdf(
      written(
        [
          "50 500 130 120 re S 50 560 m 180 560 l S 50 540 m 180 540 l S 50 520 m 180 520 l S",
          "120 500 m 120 620 l S 150 500 m 150 620 l S",
          text(55, 565, "Fruit"),
          upwards(138, "Harvest"),
          upwards(168, "Wastage"),
          ...["Apples|10|3", "Pears|20|4", "Plums|30|5"].flatMap((row, at) =>
            row.split("|").map((words, i) => text([55, 125, 155][i] ?? 0, 546 - at * 20, words))
          )
        ].join("\n")
      ),
      1
    )

    expect(read.pages[0]?.split("\n")[0]).toBe("| Fruit | Harvest | Wastage |")
  })

  it.each([
    ["", "1 56 87 55 10"],
    ["/Rotate 90", "1 703 56 10 55"],
    ["/CropBox [50 600 550 790]", "1 6 77 55 10"]
  ])("says in its raw HTML where each text stands on the page as it is shown: %s", async (page, place) => {
    const read = await readPdf(written("BT /F1 10 Tf 56 705 Td (Brass lamps) Tj ET", page), 1)

    expect(read.rawHtml).toBe(`<p data-pdf="${place}">Brass lamps</p>`)
    expect(read.html).toBe("<p>Brass lamps</p>")
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
