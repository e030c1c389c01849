import { printableLine } from "./printable.ts"

/** Rows of text in columns as wide as they need to be. */
export const textTable = (table: ReadonlyArray<ReadonlyArray<string>>): string => {
  const rows = table.map((row) => row.map(printableLine))
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()
  )
  return `${lines.join("\n")}\n`
}
