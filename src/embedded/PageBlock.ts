/**
 * How page documents stand in a block of a run: column by column, each text once as UTF-8.
 *
 * The texts of pages are nearly all of a document, so they stand apart from the rest, which is JSON. Everything else takes
 * a block for bytes: another encoding needs another version here, and nothing else.
 */
import * as Struct from "effect/Struct"
import type { PageDocument } from "../api/PageDocument.ts"

/** The documents of a block, each made when it is asked for. */
export interface PageBlock {
  readonly count: number
  readonly document: (at: number) => PageDocument
}

export const encode = (documents: ReadonlyArray<PageDocument>): Buffer => {
  const rest = Buffer.from(JSON.stringify(documents.map((document) => Struct.omit(document, columnNames))))
  const columns = columnNames.map((name) => {
    const texts = documents.map((document) => textOf(document, name))
    return { texts, lengths: texts.map((text) => (text === undefined ? absent : Buffer.byteLength(text))) }
  })
  const bytesOf = (lengths: ReadonlyArray<number>) => lengths.reduce((sum, n) => sum + 4 + (n === absent ? 0 : n), 0)
  const size = headBytes + rest.length + columns.reduce((sum, { lengths }) => sum + bytesOf(lengths), 0)
  const block = Buffer.allocUnsafe(size)
  let at = block.writeUInt32LE(version, 0)
  at = block.writeUInt32LE(documents.length, at)
  at = block.writeUInt32LE(rest.length, at)
  at += rest.copy(block, at)
  for (const { lengths, texts } of columns) {
    for (const length of lengths) at = block.writeUInt32LE(length, at)
    for (const text of texts) if (text !== undefined) at += block.write(text, at)
  }
  return block
}

export const decode = (bytes: Uint8Array): PageBlock => {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (block.readUInt32LE(0) !== version)
    throw new Error(`a block of pages of an unknown kind: ${block.readUInt32LE(0)}`)
  const count = block.readUInt32LE(4)
  const restLength = block.readUInt32LE(8)
  let at = headBytes + restLength
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` wrote it of documents, and its checksum held
  const rest = JSON.parse(block.toString("utf8", headBytes, at)) as ReadonlyArray<Omit<PageDocument, ColumnName>>
  const columns = columnNames.map((name) => {
    const places: Array<readonly [from: number, to: number] | undefined> = []
    let text = at + 4 * count
    for (let n = 0; n < count; n++) {
      const length = block.readUInt32LE(at + 4 * n)
      places.push(length === absent ? undefined : [text, (text += length)])
    }
    at = text
    return [name, places] as const
  })
  return {
    count,
    document: (at) => {
      const own = rest[at]
      if (own === undefined) throw new Error(`a block of ${count} pages has no page ${at}`)
      const texts: { -readonly [Name in ColumnName]?: PageDocument[Name] } = {}
      for (const [name, places] of columns) {
        const place = places[at]
        if (place === undefined) continue
        const text = block.toString("utf8", ...place)
        if (name === "links") texts.links = text === "" ? [] : text.split("\n")
        else texts[name] = text
      }
      return { ...texts, ...own }
    }
  }
}

const version = 1
const headBytes = 12
/** The length of a text that is not there. */
const absent = 0xffffffff

const columnNames = ["markdown", "html", "rawHtml", "links"] as const
type ColumnName = (typeof columnNames)[number]

/** Links are URLs, and none of them has a line feed. */
const textOf = (document: PageDocument, name: ColumnName): string | undefined =>
  name === "links" ? document.links?.join("\n") : document[name]
