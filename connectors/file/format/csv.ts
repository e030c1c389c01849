/**
 * CSV as in RFC 4180, but with line feeds: a value with the delimiter, a quote or a line break is quoted, and quotes in it are
 * doubled.
 *
 * Guarantee: null is nothing between two delimiters, and an empty text is `""`. Postgres and Arrow read this so; readers without
 * this difference read both as null. No text is changed, not even one that a spreadsheet would take for a formula.
 */
import { createReadStream } from "node:fs"
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { cellOfText, plainText } from "./cellText.ts"
import { type Field, recordsOf } from "./csvRecords.ts"
import type { FileKind, Format } from "./Format.ts"
import * as TextFile from "./TextFile.ts"

export const csv = ({ delimiter, header }: Extract<FileKind, { readonly format: "csv" }>): Format => {
  // Some readers remove blanks around a value, and a byte order mark at the beginning of a file.
  const odd = new RegExp(`["\\r\\n${escaped(delimiter)}]|^$|^[\\s\\ufeff]|\\s$`)
  const quoted = (text: string): string => (odd.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const headerOf = (columns: ReadonlyArray<Column.Column>): string =>
    header ? `${columns.map(({ name }) => quoted(name)).join(delimiter)}\n` : ""

  return {
    create: (path, columns) => {
      const cells = columns.map(({ name, type }) => ({ name, text: plainText(type) }))
      return TextFile.make(path, {
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
      const cells = columns.map(({ name, type }) => ({ name, cell: cellOfText(type) }))
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
