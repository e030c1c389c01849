/** A PDF of plain text lines, written by hand: one font, A4 pages, nothing compressed. */
import * as Charset from "./Charset.ts"

const linesPerPage = 48

export const make = (title: string, lines: ReadonlyArray<string>): Uint8Array => {
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / linesPerPage)) }, (_, i) =>
    lines.slice(i * linesPerPage, (i + 1) * linesPerPage)
  )
  // Objects 1 to 4 are the catalogue, the list of pages, the font and the title; then a page and its content in turn.
  const pageNumbers = pages.map((_, i) => 5 + i * 2)
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Title (${escape(title)}) /Producer (Northmere press) >>`,
    ...pages.flatMap((page, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + i * 2} 0 R >>`,
      stream(page)
    ])
  ]
  let file = "%PDF-1.4\n"
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Charset.encode(file, "windows-1252") // one byte a character, so the offsets hold
}

const stream = (lines: ReadonlyArray<string>): string => {
  const shown = lines.map((line) => `(${escape(line)}) Tj T*`).join("\n")
  const content = `BT\n/F1 11 Tf\n15 TL\n56 780 Td\n${shown}\nET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

const escape = (text: string): string => text.replaceAll(/[\\()]/g, (character) => `\\${character}`)
