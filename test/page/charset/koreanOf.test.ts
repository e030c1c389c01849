import { expect, test } from "vitest"
import { koreanOf } from "#page/charset/koreanOf"

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"))

test("syllables that Windows added are read, between others and letters", () => {
  // "똠방각하 뷁 펲 힣 갂a", as Windows writes it
  expect(koreanOf(bytes("8c63 b9e6 b0a2 c7cf 20 94ee 20 bc84 20 c652 20 8141 61"))).toBe("똠방각하 뷁 펲 힣 갂a")
})

test("syllables of the standard and ASCII are read as ever", () => {
  expect(koreanOf(bytes("c7d1 b1b9 3c62 3e41"))).toBe("한국<b>A")
  expect(koreanOf(bytes("c7"))).toBe("\ufffd")
  expect(koreanOf(bytes(""))).toBe("")
})
