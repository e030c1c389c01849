import * as zlib from "node:zlib"
import { describe, expect, it } from "vitest"
import { decompress } from "../../../src/crawler/fetch/decompress.ts"

const page = Buffer.from("<p>a page</p>".repeat(100))
const limit = 100_000
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describe("the body of an answer", () => {
  it.each([
    ["gzip", zlib.gzipSync(page)],
    ["X-GZIP", zlib.gzipSync(page)],
    ["deflate", zlib.deflateSync(page)],
    ["deflate", zlib.deflateRawSync(page)],
    ["br", zlib.brotliCompressSync(page)],
    ["zstd", zlib.zstdCompressSync(page)],
    ["identity", page],
    ["windows-1251", page],
    ["UTF8", page],
    ["charset=utf-8, gzip", zlib.gzipSync(page)],
    ["text/html", page],
    ["8bit", page],
    [undefined, page]
  ])("is the page again after %s", (coding, body) => {
    expect(text(decompress(body, coding, limit))).toBe(page.toString())
  })

  it("is freed of several codings, the last first", () => {
    const twice = zlib.gzipSync(zlib.brotliCompressSync(page))

    expect(text(decompress(twice, "br, gzip", limit))).toBe(page.toString())
  })

  it("is what has come where its stream was cut short", () => {
    const whole = zlib.gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)))

    expect(decompress(whole.subarray(0, whole.length - 10), "gzip", limit).length).toBeGreaterThan(0)
    expect(decompress(new Uint8Array(), "gzip", limit).length).toBe(0)
  })

  it("is refused where it unpacks to more than it may", () => {
    expect(() => decompress(zlib.gzipSync(Buffer.alloc(1_000_000)), "gzip", limit)).toThrow(
      expect.objectContaining({ code: "ERR_BUFFER_TOO_LARGE" })
    )
  })

  it.each(["rot13", "constructor", "gzip, rot13", "gzip, gzip, gzip, gzip"])("is refused after %s", (coding) => {
    expect(() => decompress(page, coding, limit)).toThrow("is not supported")
  })
})
