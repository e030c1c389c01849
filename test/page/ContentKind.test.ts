import { expect, test } from "vitest"
import { contentKind } from "#page/ContentKind"

const none = new Uint8Array()

test("the content type decides, whatever its case and parameters", () => {
  expect(contentKind("Text/HTML; charset=utf-8", none)).toBe("html")
  expect(contentKind("application/xhtml+xml", none)).toBe("html")
  expect(contentKind("application/rss+xml", none)).toBe("xml")
  expect(contentKind("application/ld+json", none)).toBe("json")
  expect(contentKind("text/markdown", none)).toBe("text")
  expect(contentKind("application/csv", none)).toBe("text")
  expect(contentKind("application/x-ndjson", none)).toBe("text")
  expect(contentKind("image/svg+xml", none)).toBe("other")
  expect(contentKind("application/pdf", none)).toBe("other")
})

test("a file that is plainly something else is not read as a page", () => {
  expect(contentKind("text/html", Buffer.from("%PDF-1.7\n"))).toBe("other")
  expect(contentKind("text/plain", Uint8Array.of(0x1f, 0x8b, 8, 0))).toBe("other")
  expect(contentKind("text/html", Buffer.from("%PDF is a format"))).toBe("html")
})

test("a page that its server calls a file is a page", () => {
  const kindOf = (type: string, text: string) => contentKind(type, Buffer.from(text))
  expect(kindOf("application/octet-stream", "\n<!DOCTYPE html><p>")).toBe("html")
  expect(kindOf("application/pdf", "<html><title>Not found</title>")).toBe("html")
  expect(kindOf("application/force-download", "\ufeff<!doctype html>")).toBe("html")
  expect(kindOf("application/octet-stream", "<b>")).toBe("other")
  expect(kindOf("application/octet-stream", "a,b\n1,2")).toBe("other")
  expect(kindOf("image/png", "<!doctype html>")).toBe("other")
})

test("without a usable content type the first bytes decide", () => {
  const kindOf = (text: string) => contentKind(undefined, Buffer.from(text, "latin1"))
  expect(kindOf("\n<!DOCTYPE html><p>")).toBe("html")
  expect(kindOf('<?xml version="1.0"?>\n<html>')).toBe("html")
  expect(kindOf('<?xml version="1.0"?>\n<rss>')).toBe("xml")
  expect(kindOf('{"a":1}')).toBe("json")
  expect(kindOf("hello")).toBe("text")
  expect(kindOf("\u0089PNG\r\n\u001a\n\0\0\0")).toBe("other")
  expect(contentKind("nonsense", Buffer.from("<p>"))).toBe("html")
})
