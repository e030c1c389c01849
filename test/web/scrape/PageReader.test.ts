import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Page from "#page/Page"
import { FileProblem } from "#web/FileProblem"
import { FileReader } from "#web/FileReader"
import { alone, LongPage, parseAside, parsePage } from "#web/PageReader"
import { Suspect } from "#web/Suspect"

/** A reader that says that it was asked. */
const refuse = () => Effect.fail(new FileProblem("ASKED", "another thread was asked"))
const another = FileReader.of({ read: refuse, readPage: refuse })

const read = (html: string) =>
  parseAside(
    { url: "https://site.test/", body: Buffer.from(html), contentType: "text/html", status: 200 },
    Page.defaults
  ).pipe(
    Effect.map(({ page }) => page.markdown?.length),
    Effect.catchTag("FetchError", ({ code }) => Effect.succeed(code)),
    Effect.provideService(FileReader, another)
  )

const readHere = (html: string) =>
  parsePage(
    { url: "https://site.test/", body: Buffer.from(html), contentType: "text/html", status: 200 },
    Page.defaults
  )

describe("a page that is read", () => {
  it.effect("is what it says", () =>
    Effect.gen(function* () {
      expect((yield* readHere("<p>Hello")).markdown).toBe("Hello")
    })
  )

  it.effect("fails for good where it is too costly", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(readHere("<p>".repeat(500_000)))).toMatchObject({
        code: "SCRAPE_PAGE_TOO_COSTLY",
        message: "the page is too costly to read: more than 320,000 paragraphs, items, rows and cells",
        retryable: false
      })
    })
  )
})

describe("a page that may take long", () => {
  const text = `<p>${"a word ".repeat(100_000)}`
  const cells = `<table>${"<tr><td>1<td>2".repeat(8000)}</table>`

  it.effect("is read by another thread, whether its bytes or its tags say so", () =>
    Effect.gen(function* () {
      expect(yield* read(text)).toBe("ASKED")
      expect(yield* read(cells)).toBe("ASKED")
      expect(yield* read("<p>short")).toBe(5)
    })
  )

  it.effect("is read at once by a crawl that has its process for itself", () =>
    Effect.gen(function* () {
      expect(yield* read(text)).toBe(699_999)
      expect(yield* read(cells)).toBeGreaterThan(16_000)
    }).pipe(Effect.provideService(LongPage, alone))
  )

  it.effect("is read by another thread there too, where it takes more than a second or ended a process before", () =>
    Effect.gen(function* () {
      expect(yield* read(`<p>${"a word ".repeat(600_000)}`)).toBe("ASKED")
      expect(yield* read("<b>x".repeat(100_000))).toBe("ASKED")
      expect(yield* Effect.provideService(read("<p>short"), Suspect, true)).toBe("ASKED")
    }).pipe(Effect.provideService(LongPage, alone))
  )

  it.effect("is known by the number of its tags, to the last one", () =>
    Effect.gen(function* () {
      expect(yield* read("<p>one<p>two")).toBe(8)
      expect(yield* read("<p>one<p>two<p>three")).toBe("ASKED")
      expect(yield* read("<p><p><p>")).toBe("ASKED")
    }).pipe(Effect.provideService(LongPage, { bytes: 1000, tags: 3 }))
  )
})
