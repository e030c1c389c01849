import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Page from "#page/Page"
import { parsePage } from "#web/parsePage"

const read = (html: string) =>
  parsePage({ url: "https://site.test/", body: Buffer.from(html), contentType: "text/html" }, Page.defaults)

describe("a page that is read", () => {
  it.effect("is what it says", () =>
    Effect.gen(function* () {
      expect((yield* read("<p>Hello")).markdown).toBe("Hello")
    })
  )

  it.effect("fails for good where it is too costly", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(read("<p>".repeat(500_000)))).toMatchObject({
        code: "SCRAPE_PAGE_TOO_COSTLY",
        message: "the page is too costly to read: more than 320,000 paragraphs, items, rows and cells",
        retryable: false
      })
    })
  )
})
