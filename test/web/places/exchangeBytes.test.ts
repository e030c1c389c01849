import { describe, expect, it } from "vitest"
import type { ExchangeAnswer, FetchRequest } from "#web/Exchange"
import * as exchangeBytes from "#web/exchangeBytes"

const page = {
  document: Uint8Array.of(1, 2, 3),
  contentVersion: 7,
  credits: 1,
  links: "http://a.test/\nhttp://b.test/",
  refresh: undefined,
  traits: { landed: "http://a.test/", canonical: undefined }
}
const fetched = {
  status: 200,
  contentType: "text/html",
  location: undefined,
  retryAfter: undefined,
  cookies: ["a=1"],
  body: new Uint8Array()
}

describe("an exchange as bytes", () => {
  it("is the same request again, with what a thread is to make of the page", () => {
    const requests: ReadonlyArray<FetchRequest> = [
      {
        url: "http://a.test/ü",
        options: { timeoutMillis: 1, headers: { cookie: "a=ü" } },
        delayMillis: 0,
        sharer: "a"
      },
      {
        url: "http://a.test/",
        delayMillis: 2000,
        sharer: "",
        options: {
          timeoutMillis: 30_000,
          maxBytes: 7,
          skipTlsVerification: true,
          order: {
            requestedUrl: "http://a.test/",
            scrapeId: "id",
            reading: {
              formats: new Set(["markdown", "links"]),
              page: { markdown: true, html: false, rawHtml: false, onlyMainContent: true, removeBase64Images: true },
              isExtended: false
            },
            traits: { landed: "http://a.test/", trapBudget: 5 }
          }
        }
      }
    ]
    for (const request of requests) {
      expect(exchangeBytes.decodeRequest(exchangeBytes.encodeRequest(request))).toEqual(request)
    }
  })

  it("is the same answer again, whatever it is", () => {
    const body = Uint8Array.from({ length: 30_000 }, (_, index) => index % 256)
    const answers: ReadonlyArray<ExchangeAnswer> = [
      { _tag: "Moved" },
      { _tag: "Fault", code: "EMFILE", message: "no files" },
      { _tag: "Failed", url: "http://a.test/", code: "SCRAPE_DNS_ERROR", message: "no host", retryable: true },
      { _tag: "Fetched", fetched: { ...fetched, status: 404, contentType: undefined, body } },
      { _tag: "Fetched", fetched: { ...fetched, page } }
    ]
    for (const answer of answers) {
      expect(exchangeBytes.decodeAnswer(exchangeBytes.encodeAnswer(answer))).toEqual(answer)
    }
  })

  it("refuses bytes that are cut or changed", () => {
    const bytes = exchangeBytes.encodeAnswer({ _tag: "Fetched", fetched })
    for (let length = 0; length < bytes.length; length++) {
      expect(() => exchangeBytes.decodeAnswer(bytes.subarray(0, length))).toThrow()
    }
  })
})
