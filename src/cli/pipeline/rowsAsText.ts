/**
 * Rows as a person reads them on a terminal: one line a cell, cut to the width, rows apart.
 */
import type { Row } from "../../pipeline/Table.ts"
import { printableLine } from "../printable.ts"

/** The cells of the rows are JSON values: numbers, texts, times as text. */
export const rowsAsText = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  width = process.stdout.columns ?? 100
): string => {
  const margin = Math.max(...columns.map((name) => name.length))
  const line = (row: Row, name: string) => cut(`  ${name.padEnd(margin)}  ${cell(row[name])}`, width)
  return rows
    .map((row, index) => {
      const filled = columns.filter((name) => row[name] !== null && row[name] !== undefined)
      return [`${index + 1}.`, ...filled.map((name) => line(row, name))].join("\n")
    })
    .join("\n")
}

const cell = (value: unknown): string => printableLine(typeof value === "string" ? value : JSON.stringify(value))

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
