/**
 * A table in CSV as things: each row is one, under the names of its first row.
 *
 * A table is recognised by its shape: names above rows of as many fields, with one mark between them. A text of sentences
 * is not a table.
 */
import type { Source, Thing } from "../../Candidates.ts"
import type { Budget } from "../../page/Budget.ts"
import { thing, valueOf } from "../../page/Page.ts"

/** Undefined: the text is not such a table. */
export const read = (text: string, room: Budget): ReadonlyArray<Thing> | undefined => {
  if (/^\ufeff?\s*</.test(text)) return undefined
  const mark = marks.find((one) => isTable(rowsOf(text, one, maxSample + 1)))
  if (mark === undefined) return undefined
  const [head, ...rows] = rowsOf(text, mark)
  const names = (head?.fields ?? []).map(({ text }) => text.trim())
  return rows.flatMap(({ fields, from, to }, i) => {
    if (room.isFull) return []
    const path = `row[${i + 1}]`
    const made = thing({ kind: "data", path, span: [from, to] }, ["row"])
    for (const [at, field] of fields.entries()) {
      const name = names[at] ?? ""
      if (name === "" || field.text.trim() === "") continue
      // A row of which the budget takes only a part would lack values that the table has.
      if (!room.take()) return []
      const source: Source = { kind: "data", path: `${path}/${name}`, span: [field.from, field.to] }
      made.properties.push({ name, value: valueOf(field.text, source) })
    }
    return made.properties.length === 0 ? [] : [made]
  })
}

const marks = [",", ";", "\t", "|"] as const
const maxSample = 50
const maxName = 60
const maxFields = 1000

interface Field {
  readonly text: string
  readonly from: number
  readonly to: number
}

interface Row {
  readonly fields: ReadonlyArray<Field>
  readonly from: number
  readonly to: number
}

const isTable = ([head, ...rows]: ReadonlyArray<Row>): boolean => {
  const names = (head?.fields ?? []).map(({ text }) => text.trim())
  return (
    names.length > 1 &&
    rows.length > 0 &&
    names.every((name) => /\p{L}/u.test(name) && name.length <= maxName && !/[.!?:]$/.test(name)) &&
    new Set(names).size === names.length &&
    rows.every(({ fields }) => fields.length === names.length)
  )
}

/** The rows that are not empty. A field in quotes may hold the mark, ends of lines, and quotes written twice. */
const rowsOf = (text: string, mark: string, most = Number.POSITIVE_INFINITY): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let fields: Array<Field> = []
  let begin = text.startsWith("\ufeff") ? 1 : 0
  let from = begin
  while (from <= text.length && rows.length < most && fields.length < maxFields) {
    const to = endOfField(text, from, mark)
    const written = text.slice(from, to)
    const isQuoted = written.startsWith('"')
    fields.push({ text: isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written, from, to })
    from = to + 1
    if (text[to] === mark) continue
    if (text[to] === "\r" && text[to + 1] === "\n") from++
    if (fields.some((field) => field.text.trim() !== "")) rows.push({ fields, from: begin, to })
    fields = []
    begin = from
  }
  return rows
}

const endOfField = (text: string, from: number, mark: string): number => {
  let at = from
  if (text[at] === '"') {
    do {
      at = text.indexOf('"', at + 1)
      if (at === -1) return text.length
      at++
    } while (text[at] === '"')
  }
  while (at < text.length && text[at] !== mark && text[at] !== "\n" && text[at] !== "\r") at++
  return at
}
