import { expect, it } from "vitest"
import { fileKind } from "#web/FileKind"

const office = "application/vnd.openxmlformats-officedocument"

it.each([
  ["%PDF-1.7", "text/html", "pdf"],
  ["\u00ef\u00bb\u00bf\n%PDF-1.4", undefined, "pdf"],
  ["<b>Notice</b>: no such variable\n%PDF-1.4 .. startxref 9 %%EOF\n", "application/pdf", "pdf"],
  ["<html><title>PDF</title><p>A file begins with %PDF-1.4", "text/html", undefined],
  ["The first bytes are %PDF-1.7, then a line break.", "text/plain", undefined],
  ["PK\u0003\u0004.. word/document.xml", "application/zip", "docx"],
  ["PK\u0003\u0004.. xl/workbook.xml", "application/octet-stream", "xlsx"],
  ["PK\u0003\u0004.. mimetypeapplication/vnd.oasis.opendocument.text", undefined, "odt"],
  ["PK\u0003\u0004.. unknown", `${office}.wordprocessingml.document`, "docx"],
  ["PK\u0003\u0004.. unknown", "application/zip", undefined],
  ["{\\rtf1 x}", "text/plain", "rtf"],
  ["\u00d0\u00cf\u0011\u00e0", undefined, "doc"],
  [`\u00d0\u00cf\u0011\u00e0${[..."EncryptedPackage"].join("\0")}\0`, `${office}.wordprocessingml.document`, "locked"],
  ["<html><p>not found", "application/pdf", undefined],
  ["Sorry, no such file, look elsewhere", "application/pdf", undefined],
  ["\u0001\u0002", "application/pdf", "pdf"],
  ["<p>page", "text/html", undefined]
])("%j sent as %s is %s", (text, contentType, kind) => {
  expect(fileKind(contentType, Buffer.from(text, "latin1"))).toBe(kind)
})

it("believes a file's name where nothing else says what it is", () => {
  expect(fileKind("application/octet-stream", Buffer.from("\u0001"), "letter.docx")).toBe("docx")
})
