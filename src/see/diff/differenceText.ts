/**
 * Differences as text for people: one paragraph per row, its fields below it, with the changed words marked.
 *
 * Page text is data, so none of its control characters reach the terminal. Colour is used only on request; without
 * colour, changes are written as `[-old-]` and `{+new+}`.
 */
import { type Piece, words } from "#base/wordDiff"
import type * as Difference from "#engine/Difference"
import { printable, printableLine } from "../printable.ts"

export const differenceText = (change: Difference.Change, color: boolean): string => {
  const paint = painter(color)
  const name = nameOf(change)
  const head = paint(change.kind, `${marks[change.kind]} ${name === "" ? change.kind : printableLine(name)}`)
  const width = Math.max(0, ...change.fields.map((field) => printableLine(field).length))
  const lines = change.fields.map((field) => {
    const shown =
      change.kind === "changed" ? pair(change, field, paint) : printable(short(textOf(valueOf(change, field))))
    return `    ${printableLine(field).padEnd(width)}  ${shown.replaceAll("\n", `\n    ${" ".repeat(width)}  `)}`
  })
  return `${[head, ...lines].join("\n")}\n`
}

/** The key of a row as text. */
const nameOf = ({ key }: Difference.Change): string => {
  const parts = Object.entries(key)
  const [only] = parts
  return parts.length === 1 && only !== undefined
    ? textOf(only[1])
    : parts.map(([name, value]) => `${name}=${textOf(value)}`).join(" ")
}

/** A JSON value as text. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? "null" : typeof value === "string" ? value : JSON.stringify(value)

/** The change of a field's value in pieces: word by word if both values are texts, otherwise old → new. */
export const piecesOf = (change: Difference.Change, field: string, around: number): ReadonlyArray<Piece> => {
  const [old, now] = [change.old[field], change.new[field]]
  if (change.kind !== "changed") return [{ kind: "same", text: textOf(valueOf(change, field)) }]
  if (isText(old) && isText(now)) return words(textOf(old), textOf(now), around)
  return [
    { kind: "removed", text: textOf(old) },
    { kind: "same", text: " → " },
    { kind: "added", text: textOf(now) }
  ]
}

const valueOf = (change: Difference.Change, field: string): unknown =>
  change.kind === "removed" ? change.old[field] : change.new[field]

/**
 * Whether a value has words. A list or an object is compared as its text. A text of one word, such as a decimal, a day or an
 * id, changes as a whole; a script may write its words without spaces.
 */
const isText = (value: unknown): boolean =>
  typeof value === "string" ? /\s|\p{Lo}/u.test(value.trim()) : typeof value === "object" && value !== null

const pair = (change: Difference.Change, field: string, paint: Paint): string => {
  const [old, now] = [textOf(change.old[field]), textOf(change.new[field])]
  const isShort = old.length + now.length <= 60 && !/\s\S+\s/.test(`${old}${now}`)
  if (isShort) return `${paint("removed", printable(old))} → ${paint("added", printable(now))}`
  return piecesOf(change, field, 60)
    .map(({ kind, text }) => {
      if (kind === "gap") return " … "
      if (kind === "same") return printable(text)
      return paint.isColored
        ? paint(kind, printable(text))
        : kind === "removed"
          ? `[-${printable(text)}-]`
          : `{+${printable(text)}+}`
    })
    .join("")
}

const marks: Readonly<Record<Difference.Kind, string>> = { added: "+", removed: "-", changed: "~", written: "*" }

interface Paint {
  (kind: Difference.Kind, text: string): string
  readonly isColored: boolean
}

const painter = (color: boolean): Paint =>
  Object.assign((kind: Difference.Kind, text: string) => (color ? `\u001b[${colors[kind]}m${text}\u001b[0m` : text), {
    isColored: color
  })

const colors: Readonly<Record<Difference.Kind, number>> = { added: 32, removed: 31, changed: 33, written: 33 }

const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ")
  return line.length <= 100 ? line : `${line.slice(0, 99).toWellFormed()}…`
}
