import { expect, it } from "vitest"
import * as Charset from "#site/Charset"

it("writes bytes that decoders read back", () => {
  for (const [charset, text] of [
    ["windows-1252", "€ „déjà vu“ – naïve £ œ"],
    ["shift_jis", "水車 ｶﾅ カナ、abc"],
    ["utf-16le", "河 → نهر 🦦"]
  ] as const) {
    expect(new TextDecoder(charset, { fatal: true }).decode(Charset.encode(text, charset))).toBe(text)
  }
})

it("begins UTF-16 with its mark", () => {
  expect([...Charset.encode("a", "utf-16le")]).toEqual([0xff, 0xfe, 0x61, 0x00])
})

it("writes a question mark for what a charset cannot say", () => {
  expect(Buffer.from(Charset.encode("a河b", "windows-1252")).toString("latin1")).toBe("a?b")
})
