/** Files that become much more than they are: what is small on the wire and large in memory. */
import {
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync
} from "node:zlib"

/** A page of so many megabytes, all of one letter. */
const page = (megabytes: number): Buffer => Buffer.concat([Buffer.from("<p>"), Buffer.alloc(megabytes * 2 ** 20, "a")])

export const bombs = (megabytes: number): Readonly<Record<"gzip" | "br" | "zstd", Buffer>> => {
  const text = page(megabytes)
  return {
    gzip: gzipSync(text),
    br: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    zstd: zstdCompressSync(text)
  }
}

/** A Word file whose text is so many megabytes of one letter. */
export const docx = (megabytes: number): Buffer =>
  word([Buffer.from("<w:p><w:r><w:t>"), Buffer.alloc(megabytes * 2 ** 20, "a"), Buffer.from("</w:t></w:r></w:p>")])

/** A Word file with such paragraphs, and more entries. */
export const word = (
  body: ReadonlyArray<Buffer>,
  more: ReadonlyArray<readonly [name: string, bytes: Buffer]> = []
): Buffer => {
  const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
  const document = Buffer.concat([
    Buffer.from(`<w:document xmlns:w="${main}"><w:body>`),
    ...body,
    Buffer.from("</w:body></w:document>")
  ])
  const types = Buffer.from(
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
  )
  const relations = Buffer.from(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
  )
  return zip([["[Content_Types].xml", types], ["_rels/.rels", relations], ["word/document.xml", document], ...more])
}

/** A PDF whose one page is written by so many megabytes of one step of drawing. */
export const pdf = (megabytes: number, step = "BT /F1 12 Tf 10 10 Td (a) Tj ET\n"): Buffer => {
  const content = deflateSync(Buffer.alloc(megabytes * 2 ** 20, step))
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
      content,
      Buffer.from("\nendstream")
    ]),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
  ]
  const parts = [Buffer.from("%PDF-1.4\n")]
  const places: Array<number> = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    places.push(at)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")])
    parts.push(part)
    at += part.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`)
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`
    )
  )
  return Buffer.concat(parts)
}

/** A zip file of such entries. */
export const zip = (files: ReadonlyArray<readonly [name: string, bytes: Buffer]>): Buffer => {
  const parts: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let at = 0
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), packed])
    parts.push(local)
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, place, Buffer.from(name)]))
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06"), end])
}
