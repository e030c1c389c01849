/** Reads the records of a CSV text in chunks. A record that is cut at the end of a chunk waits for the next chunk. */

/** A value of a record; null: there is nothing between two delimiters, not even quotes. */
export type Field = string | null

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
