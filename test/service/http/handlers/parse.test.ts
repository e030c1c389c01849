import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Pdf from "#site/Pdf"
import { serve } from "../../serve.ts"

const parse = (
  name: string,
  bytes: string | Uint8Array,
  options?: object | string,
  type = "application/octet-stream"
) => {
  const form = new FormData()
  if (options !== undefined) form.append("options", typeof options === "string" ? options : JSON.stringify(options))
  form.append("file", new Blob([Buffer.from(bytes)], { type }), name)
  return send(form)
}

const send = (form: FormData, path = "/v2/parse") =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(serve(), (url) =>
        Effect.promise(async () => {
          const response = await fetch(url + path, { method: "POST", body: form })
          const body: any = await response.json()
          return { status: response.status, body }
        })
      )
    )
  )

describe("POST /v2/parse", () => {
  it("takes a form at an address that ends in a slash too", async () => {
    const form = new FormData()
    form.append("file", new Blob(["<h1>Q3</h1>"]), "report.html")

    expect((await send(form, "/v2/parse/")).body).toMatchObject({ success: true, data: { markdown: "# Q3" } })
  })

  it("reads HTML as a page", async () => {
    const { status, body } = await parse("report.html", "<title>Report</title><h1>Q3</h1><p>Up <b>4</b></p>", {
      formats: ["markdown", "html"],
      origin: "js-sdk@4"
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      data: {
        markdown: "# Q3\n\nUp **4**",
        html: "<h1>Q3</h1><p>Up <b>4</b></p>",
        metadata: { title: "Report", sourceURL: "report.html", statusCode: 200, creditsUsed: 1 }
      }
    })
  })

  it.each([
    ["notes.txt", "one\n# two", "one\n# two"],
    ["notes.md", "# one\n\n*two*", "# one\n\n*two*"],
    ["rows.csv", "a,b\n1,2\n", "a,b\n1,2"],
    ["data.json", '{"a":1}', '```json\n{"a":1}\n```']
  ])("reads %s", async (name, text, markdown) => {
    const { body } = await parse(name, text)

    expect(body.data.markdown).toBe(markdown)
  })

  it("takes a JSON file for a file, although its type is that of a field", async () => {
    const { body } = await parse("data.json", "[1]", undefined, "application/json")

    expect(body.data.markdown).toBe("```json\n[1]\n```")
  })

  it("reads a PDF and bills it by the page", async () => {
    const { body } = await parse(
      "minutes.pdf",
      Pdf.make(
        "Minutes",
        Array.from({ length: 100 }, (_, i) => `Item ${i}`)
      )
    )

    expect(body.data.markdown).toContain("Item 0\nItem 1\n")
    expect(body.data.metadata).toMatchObject({ title: "Minutes", numPages: 3, creditsUsed: 3 })
  })

  it.each([
    ["options that are no JSON", "{", "the part options is not valid JSON"],
    ["an unknown option", { waitFor: 100 }, "waitFor"],
    ["a format that needs a site", { formats: ["screenshot"] }, "a file has no screenshot"]
  ])("refuses %s", async (_, options, why) => {
    const { status, body } = await parse("a.txt", "text", options)

    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: expect.stringContaining(why) })
  })

  it("refuses a form without a file", async () => {
    const form = new FormData()
    form.append("options", "{}")
    const { status, body } = await send(form)

    expect(status).toBe(400)
    expect(body.error).toContain("a part named file")
  })

  it("refuses a file over the limit with 413", async () => {
    const { status, body } = await parse("big.txt", new Uint8Array(20 * 1024 * 1024 + 1).fill(97))

    expect(status).toBe(413)
    expect(body).toEqual({ success: false, error: "Payload Too Large: a file takes at most 20 MB" })
  })

  it("names a kind of file that it cannot read", async () => {
    const { status, body } = await parse("letter.rtf", "{\\rtf1 hello}")

    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR" })
    expect(body.error).toContain("a rich text file (RTF) cannot be read here")
  })
})
