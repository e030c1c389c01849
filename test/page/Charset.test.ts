import { expect, test } from "vitest"
import { decode } from "#page/Charset"

const bytes = (...parts: ReadonlyArray<string | number>): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? Array.from(Buffer.from(part, "latin1")) : [part]))
  )

test("a byte order mark beats the header", () => {
  expect(decode(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), "text/html; charset=windows-1251", "html")).toBe("é")
  expect(decode(bytes(0xff, 0xfe, 0x41, 0x00), "text/html", "html")).toBe("A")
})

test("the header beats what the page declares", () => {
  expect(decode(bytes("<meta charset=utf-8>", 0xe9), "text/html; charset=ISO-8859-1", "html")).toBe(
    "<meta charset=utf-8>é"
  )
})

test("the page declares its charset in either form of meta, or in the XML declaration", () => {
  expect(decode(bytes("<meta charset='windows-1251'>", 0xcf), undefined, "html")).toContain("П")
  expect(
    decode(bytes('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', 0xf0), "text/html", "html")
  ).toContain("П")
  expect(decode(bytes('<?xml version="1.0" encoding="windows-1251"?>', 0xcf), undefined, "xml")).toContain("П")
})

test("a declaration in a comment or in a script is none", () => {
  const body = bytes("<!-- <meta charset=windows-1251> --><script>'<meta charset=windows-1251>'</script>", 0xc3, 0xa9)
  expect(decode(body, undefined, "html")).toContain("é")
})

test("labels that nobody knows, and declarations cut short, count as none", () => {
  expect(decode(bytes(0xc3, 0xa9), "text/html; charset=utf-9", "html")).toBe("é")
  expect(decode(bytes('<meta http-equiv=content-type content="charset">', 0xe9, "."), undefined, "html")).toContain("é")
})

test("a page read as ASCII cannot be UTF-16, whatever it says", () => {
  expect(decode(bytes("<meta charset=utf-16>", 0xc3, 0xa9), undefined, "html")).toContain("é")
})

test("without a label, UTF-8 that was cut off inside a character is UTF-8, and other bytes are windows-1252", () => {
  expect(decode(bytes(0xc3, 0xa9, 0xe2, 0x82), undefined, "text")).toBe("é")
  expect(decode(bytes(0x93, 0xe9, 0x94), undefined, "text")).toBe("“é”")
})

test("NUL characters are dropped", () => {
  expect(decode(bytes("a", 0, 0, "b"), undefined, "html")).toBe("ab")
})
