/**
 * CSV as in RFC 4180, but with line feeds: a value with the delimiter, a quote or a line break is quoted, and quotes in it are
 * doubled.
 *
 * Guarantee: null is nothing between two delimiters, and an empty text is `""`. Postgres and Arrow read this so; readers without
 * this difference read both as null. A text that a spreadsheet would run gets an apostrophe, unless `formulas` is "keep"; no other
 * text is changed, and ours are read back as they were.
 */
import { createReadStream } from "node:fs"
import * as SpreadsheetText from "#base/SpreadsheetText"
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { cellOfText, plainText } from "./cellText.ts"
import { type FileKind, type Format, hasShownTexts } from "./Format.ts"
import * as TextFile from "./TextFile.ts"

export const csv = (kind: Extract<FileKind, { readonly format: "csv" }>): Format => {
  const { delimiter, header } = kind
  const shown = hasShownTexts(kind) ? SpreadsheetText.shown : same
  const original = hasShownTexts(kind) ? SpreadsheetText.original : same
  // Some readers remove blanks around a value, and a byte order mark at the beginning of a file.
  const odd = new RegExp(`["\\r\\n${escaped(delimiter)}]|^$|^[\\s\\ufeff]|\\s$`)
  const quoted = (text: string): string => (odd.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const headerOf = (columns: ReadonlyArray<Column.Column>): string =>
    header ? `${columns.map(({ name }) => quoted(shown(name))).join(delimiter)}\n` : ""

  return {
    create: (path, columns) => {
      const cells = columns.map(({ name, type }) => {
        const text = plainText(type)
        return { name, text: type._tag === "VARCHAR" ? (cell: unknown) => shown(text(cell)) : text }
      })
      return TextFile.create(path, {
        head: headerOf(columns),
        lineOf: (row) =>
          cells
            .map(({ name, text }) => {
              const cell = row[name]
              return cell === null || cell === undefined ? "" : quoted(inColumn(name, () => text(cell)))
            })
            .join(delimiter)
      })
    },
    read: async function* (path, columns) {
      const cells = columns.map(({ name, type }) => ({
        name,
        cell: type._tag === "VARCHAR" ? original : cellOfText(type)
      }))
      let skipped = !header
      for await (const records of recordsOf(
        createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 18 }),
        delimiter
      )) {
        const own = skipped ? records : records.slice(1)
        skipped = true
        if (own.length > 0) yield own.map((fields) => rowOf(fields, cells, path))
      }
    }
  }
}

const same = (text: string): string => text

const rowOf = (
  fields: ReadonlyArray<Field>,
  cells: ReadonlyArray<{ readonly name: string; readonly cell: (text: string) => unknown }>,
  path: string
): Table.Row => {
  if (fields.length !== cells.length) {
    throw new Error(`${path} has a line of ${fields.length} values, and the table has ${cells.length} columns`)
  }
  return Object.fromEntries(
    cells.map(({ cell, name }, at) => {
      const field = fields[at] ?? null
      return [name, field === null ? null : cell(field)]
    })
  )
}

const inColumn = <A>(name: string, run: () => A): A => {
  try {
    return run()
  } catch (cause) {
    throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

const escaped = (character: string): string => character.replace(/[\\\]^-]/, "\\$&")

/** Reads the records of a CSV text in chunks. A record that is cut at the end of a chunk waits for the next chunk. */

/** A value of a record; null: there is nothing between two delimiters, not even quotes. */
type Field = string | null

export async function* recordsOf(
  chunks: AsyncIterable<unknown>,
  delimiter: string
): AsyncGenerator<ReadonlyArray<ReadonlyArray<Field>>> {
  let rest = ""
  /** The length of the rest in which no complete record was found. It is searched again when it is twice as long. */
  let tried = 0
  for await (const chunk of chunks) {
    rest += String(chunk)
    if (rest.length < 2 * tried) continue
    const { records, to } = scan(rest, delimiter, false)
    rest = rest.slice(to)
    tried = rest.length
    if (records.length > 0) yield records
  }
  const { records } = scan(rest, delimiter, true)
  if (records.length > 0) yield records
}

/** The complete records at the beginning of a text, and the end of the last one. */
const scan = (text: string, delimiter: string, isLast: boolean) => {
  const records: Array<ReadonlyArray<Field>> = []
  let to = 0
  for (let at = 0; at < text.length; ) {
    const fields: Array<Field> = []
    for (;;) {
      const end = text[at] === '"' ? endOfQuoted(text, at) : endOfPlain(text, at, delimiter)
      // A value at the end of the chunk may continue in the next one.
      if (end === undefined || (end >= text.length && !isLast)) return { records, to }
      fields.push(valueOf(text, at, end))
      at = end + 1
      if (text[end] !== delimiter) break
    }
    records.push(fields)
    to = at
  }
  return { records, to }
}

const valueOf = (text: string, from: number, to: number): Field =>
  text[from] === '"' ? text.slice(from + 1, to - 1).replaceAll('""', '"') : from === to ? null : text.slice(from, to)

/** The position after the closing quote; undefined: the text has none. */
const endOfQuoted = (text: string, from: number): number | undefined => {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1
  }
  return undefined
}

const endOfPlain = (text: string, from: number, delimiter: string): number => {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === delimiter || character === "\n") return at
  }
  return text.length
}
