/**
 * Where in a query its mistake is, as far as a database says it.
 *
 * DuckDB shows the line and a caret below it, of the text that it was given: the query in brackets, so a line later, and only a
 * part of a long line. Postgres names the word.
 */

/** Of a text, from one character to before another. */
interface TextSpan {
  readonly from: number
  readonly to: number
}

export const errorPlace = (sql: string, message: string): TextSpan | undefined => {
  const from = shownPlace(sql, message)
  if (from === undefined) return namedPlace(sql, message)
  const [word = " "] = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+)/u.exec(sql.slice(from)) ?? []
  return { from, to: Math.min(sql.length, from + word.length) }
}

/** By the caret below the line that the message shows. */
const shownPlace = (sql: string, message: string): number | undefined => {
  const [, head = "", number, shown = "", blank = ""] = /^(LINE (\d+): )(.*)\n( *)\^/m.exec(message) ?? []
  if (number === undefined) return undefined
  const cut = /^(?:\.\.\.)?/.exec(shown)?.[0] ?? ""
  const part = shown.slice(cut.length).replace(/\.\.\.$/, "")
  const starts = [0, ...[...sql.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lines = sql.split("\n")
  // The line of the query itself, or of the query in brackets; the first character of those is on a line of its own.
  for (const line of [Number(number) - 2, Number(number) - 1]) {
    const at = lines[line]?.indexOf(part) ?? -1
    const start = starts[line]
    if (at >= 0 && start !== undefined)
      return Math.min(sql.length, start + at + blank.length - head.length - cut.length)
  }
  return undefined
}

/** By the last word in quotes that the query has. */
const namedPlace = (sql: string, message: string): TextSpan | undefined => {
  const words = [...message.matchAll(/"([^"\n]+)"|(?:name|column|table) (\w+)/gi)].flatMap(([, a, b]) => a ?? b ?? [])
  const places = words.flatMap((word) => {
    const plain = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const found = new RegExp(`(?<![\\w$])${plain}(?![\\w$])`, "i").exec(sql)
    return found === null ? [] : [{ from: found.index, to: found.index + word.length }]
  })
  return places[0]
}
