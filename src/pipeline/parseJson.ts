/**
 * The value of a JSON text as a JSON cell holds it.
 *
 * No digit is lost: a whole number beyond 2^53, or one beyond all doubles, stands there as it was written. It is what
 * `JSON.rawJSON` makes, which JSON text has again as it was.
 */
declare global {
  interface JSON {
    /** What stands in a JSON text as it is: ECMAScript 2026, in every Node that Millrace runs on. */
    rawJSON(text: string): object
  }
}

export const parseJson = (text: string): unknown =>
  // Few texts have such a number, and a reviver costs much.
  /\d{16}|e\+?\d{3}/i.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text)

function asWritten(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== "number" || source === undefined) return value
  const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(source))
  return isExact ? value : JSON.rawJSON(source)
}
