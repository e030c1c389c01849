/** A text as a value in a line of CSV (RFC 4180), and what becomes of one that a spreadsheet would run. */
import * as SpreadsheetText from "#base/SpreadsheetText"

/** text: it gets an apostrophe before it, so that a spreadsheet shows it. keep: it stays as it is. */
export type Formulas = "text" | "keep"

/** `isText`: whether it is a text and not, for example, a number or a time. An empty text is `""`, and null is nothing. */
export const csvField = (text: string, isText: boolean, formulas: Formulas = "text"): string =>
  quoted(isText && formulas === "text" ? SpreadsheetText.shown(text) : text)

const quoted = (text: string): string =>
  text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
