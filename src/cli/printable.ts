/**
 * Text of pages on its way to a terminal.
 *
 * Page text is data. A control character in it could move the cursor, change the title of the window or hide text, so it
 * is shown escaped and never sent. The same holds for characters that change the direction of reading.
 */

/** Lines and tabs stay; every other control character is written as `\u001b`. */
export const printable = (text: string): string => text.replaceAll("\r\n", "\n").replace(steering, escaped)

/** The same on one line, as names are printed: what would break it is a space, and plain spaces stay. */
export const printableLine = (text: string): string => printable(text.replace(/ *[^\S ]\s*/g, " "))

/** A value as one line of JSON that is as safe: what JSON leaves as it is, is escaped too. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value).replace(steering, escaped)}\n`

const steering = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

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
