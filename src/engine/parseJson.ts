/**
 * The value of a JSON text for a JSON cell.
 *
 * No digit is lost: a whole number beyond 2^53, or a number beyond all doubles, becomes a `JSON.rawJSON` object, which
 * `JSON.stringify` writes as it was.
 */
declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes unchanged: ECMAScript 2026, in every Node that Millrace runs on. */
    rawJSON(text: string): object
  }
}

export const parseJson = (text: string): unknown =>
  // Few texts have such a number, and a reviver is slow.
  /\d{16}|e\+?\d{3}/i.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text)

function asWritten(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== "number" || source === undefined) return value
  const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(source))
  return isExact ? value : JSON.rawJSON(source)
}
