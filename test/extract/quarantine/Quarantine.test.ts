import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, expect } from "vitest"
import { Extractor } from "#extract/Extractor"
import * as Quarantine from "#extract/Quarantine"
import * as Pdf from "#site/Pdf"
import { FileReader } from "#web/FileReader"
import { PageAnswers } from "#web/PageAnswers"
import { SchemaFiller } from "#web/SchemaFiller"
import { Suspect } from "#web/Suspect"
import { deadly, endingsIn, loading } from "../../service/deadlyPages.ts"

const url = "http://shop.test/lamp"
const html =
  "<html lang=en><head><title>Lamp</title></head><body><main><h1>Oak lamp</h1><p>The lamp costs 12.50 euros.</p>" +
  "<table><tr><th>Price</th><td>12.50 EUR</td></tr></table><a href=/other>other</a></main></body></html>"
const pageOf = (text: string) => ({
  input: { url, body: new TextEncoder().encode(text), contentType: "text/html; charset=utf-8" },
  options: {
    markdown: true,
    html: true,
    rawHtml: true,
    onlyMainContent: true,
    removeBase64Images: true,
    images: true,
    choice: undefined
  },
  wanted: undefined
})
const input = { url, html, metadata: {} }
const wanted = { schema: { type: "object", properties: { price: { type: "number" } } }, prompt: undefined } as const
const pdf = { kind: "pdf" as const, bytes: Pdf.make("one", ["some words of a file"]), maxPages: 5 }

const over = (byModel: boolean) =>
  Quarantine.layer(byModel).pipe(Layer.provide([FileReader.layer, Extractor.layerRules]))

/** All that is made of the page. */
const all = Effect.gen(function* () {
  const files = yield* FileReader
  const { fill } = yield* SchemaFiller
  const { fill: extract } = yield* Extractor
  const answers = yield* PageAnswers
  return {
    page: yield* files.readPage(pageOf(html)),
    file: yield* files.read(pdf),
    filled: yield* fill(input, wanted),
    extracted: yield* extract(input, wanted),
    answer: yield* answers.answer(input, "What does the lamp cost?"),
    highlights: yield* answers.highlights(input, "lamp")
  }
})

describe("a quarantine", () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-quarantine-"))
  const endings = join(folder, "endings")
  const before = { ...process.env }
  beforeAll(() => {
    // What `env` would say before a command line.
    for (const said of loading(endings).slice(1)) {
      const [name = "", ...value] = said.split("=")
      process.env[name] = value.join("=")
    }
  })
  afterAll(() => {
    process.env = before
    rmSync(folder, { recursive: true })
  })

  it.live("reads suspects as any other page is read", () =>
    Effect.gen(function* () {
      const here = yield* all
      const there = yield* Effect.provideService(all, Suspect, true)

      expect(here.page.page.markdown).toContain("Oak lamp")
      expect(here.filled.data).toEqual({ price: 12.5 })
      expect(here.answer.text).toContain("12.50")
      expect(there).toEqual(here)
    }).pipe(Effect.provide(over(false)))
  )

  it.live("ends with a page that ends who reads it, which fails; the next suspect is read", () =>
    Effect.gen(function* () {
      const files = yield* FileReader
      const suspects = (text: string) => Effect.provideService(files.readPage(pageOf(text)), Suspect, true)
      const problem = yield* Effect.flip(suspects(`${deadly}${html}`))
      const next = yield* suspects(html)

      expect([problem.code, problem.message]).toEqual([
        "SCRAPE_PAGE_ENDED_PROCESS",
        "the page is not read again: a process ended while it read the page, and so did one that read nothing else, " +
          "which was ended by SIGKILL"
      ])
      expect(next.page.markdown).toContain("Oak lamp")
      expect(endingsIn(endings).map(({ parent }) => parent)).toEqual([process.pid])
    }).pipe(Effect.provide(over(false)))
  )

  it.live("leaves suspects to the rules where a model fills schemas, and says so", () =>
    Effect.gen(function* () {
      const { fill } = yield* SchemaFiller
      const filled = yield* Effect.provideService(fill(input, wanted), Suspect, true)

      expect(filled).toMatchObject({ data: { price: 12.5 }, engine: { name: "rules" } })
      expect(filled.warning).toContain("the model was not asked")
    }).pipe(Effect.provide(over(true)))
  )
})
