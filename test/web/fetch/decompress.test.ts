import * as zlib from "node:zlib"
import { describe, expect, it } from "vitest"
import { decompress } from "#web/fetch/decompress"

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

  const compressions: ReadonlyArray<readonly [coding: string, sum: number, pack: (text: Uint8Array) => Uint8Array]> = [
    ["gzip", 8, (text) => zlib.gzipSync(text)],
    ["gzip", 8, (text) => zlib.gzipSync(text, { strategy: zlib.constants.Z_FIXED })],
    ["gzip", 8, (text) => zlib.gzipSync(text, { level: 0 })],
    ["deflate", 4, (text) => zlib.deflateSync(text)],
    ["deflate", 4, (text) => zlib.deflateSync(text, { strategy: zlib.constants.Z_FIXED })],
    ["deflate", 0, (text) => zlib.deflateRawSync(text)],
    ["br", 0, (text) => zlib.brotliCompressSync(text)],
    ["zstd", 0, (text) => zlib.zstdCompressSync(text)],
    ["zstd", 4, (text) => zlib.zstdCompressSync(text, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } })]
  ]

  it.each(compressions)(
    "is an error wherever its %s is cut before the %i bytes of its checksum",
    (coding, sum, pack) => {
      const words = Buffer.from(Array.from({ length: 60 }, (_, at) => `<p>${at * 7919}</p>`).join(""))
      const whole = pack(words)

      for (let length = 1; length <= whole.length; length++) {
        const read = () => decompress(whole.subarray(0, length), coding, limit)
        if (length < whole.length - sum) expect(read, `${length} of ${whole.length}`).toThrow("in the middle of")
        else expect(text(read()), `${length} of ${whole.length}`).toBe(words.toString())
      }
      expect(decompress(new Uint8Array(), coding, limit).length).toBe(0)
    }
  )

  it("is refused where it unpacks to more than it may", () => {
    expect(() => decompress(zlib.gzipSync(Buffer.alloc(1_000_000)), "gzip", limit)).toThrow(
      expect.objectContaining({ code: "ERR_BUFFER_TOO_LARGE" })
    )
  })

  it.each(["rot13", "constructor", "gzip, rot13", "gzip, gzip, gzip, gzip"])("is refused after %s", (coding) => {
    expect(() => decompress(page, coding, limit)).toThrow("is not supported")
  })
})
