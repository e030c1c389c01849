/**
 * Makes text of pages safe to print on a terminal.
 *
 * Page text is data. A control character in it could move the cursor, change the title of the window or hide text, so it is
 * printed escaped. The same holds for characters that change the direction of reading.
 */

/** Line ends and tabs stay; every other control character is escaped, such as `\u001b`. */
export const printable = (text: string): string => text.replaceAll("\r\n", "\n").replace(unsafe, escaped)

/** The same on one line: line ends and other white space become one space. Plain spaces stay. */
export const printableLine = (text: string): string => printable(text.replace(/ *[^\S ]\s*/g, " "))

/** A value as one line of JSON, with the same characters escaped. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value).replace(unsafe, escaped)}\n`

const unsafe = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Rows of text in aligned columns. */
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
