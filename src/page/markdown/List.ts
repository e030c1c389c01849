/**
 * A list that is open, and the marks of its items.
 *
 * Markdown numbers items only by digits, from 0. An item with a letter, a Roman or a negative number is an unnumbered one that begins
 * with it, because the text of a page refers to its items as a reader sees them.
 */
import type { Attributes } from "../Attributes.ts"

export class List {
  /** Whether it stands between the items of the list around it: it belongs to the item before it. */
  readonly isLoose: boolean
  /** The indentation of what belongs to its last item. */
  indent = ""
  /** How many blocks were written when its last item ended; -1: an item is open, or there is none. */
  end = -1
  private readonly write: Numerals | undefined
  /** Whether Markdown can number its items so far: two kinds of marks would be two lists. */
  private isPlain: boolean
  private readonly step: number
  private next: number

  /** `items`: how many items it has, if it counts down. */
  constructor(isOrdered: boolean, attributes: Attributes, items: number | undefined, isLoose: boolean) {
    this.write = isOrdered ? numeralsOf(attributes) : undefined
    this.isPlain = this.write === String
    this.step = items === undefined ? 1 : -1
    this.next = whole(attributes.get("start")) ?? items ?? 1
    this.isLoose = isLoose
  }

  /** Begins an item: returns its mark. */
  item(attributes: Attributes): string {
    const mark = this.write === undefined ? "- " : this.numbered(this.write, attributes)
    this.indent = " ".repeat(mark.startsWith("- ") ? 2 : mark.length)
    this.end = -1
    return mark
  }

  private numbered(write: Numerals, attributes: Attributes): string {
    const number = whole(attributes.get("value")) ?? this.next
    this.next = number + this.step
    this.isPlain &&= number >= 0
    return this.isPlain ? `${number}. ` : `- ${write(number)}. `
  }
}

type Numerals = (number: number) => string

/** How the items are numbered: by the style, which browsers prefer, or by the type. */
const numeralsOf = (attributes: Attributes): Numerals => {
  if (attributes.length === 0) return String
  const [, kind = "", script = ""] = style.exec(attributes.get("style") ?? "") ?? []
  const type =
    kind === "" ? attributes.get("type") : kind.toLowerCase() + (script.toLowerCase() === "roman" ? "i" : "a")
  return numerals.get(type ?? "") ?? String
}

const style = /list-style(?:-type)?\s*:[^;]{0,60}?\b(lower|upper)-(alpha|latin|roman)\b/i

/** The bijective number to the base of 26: a, z, aa. Beyond its letters, a number has digits, as in browsers. */
const letters: Numerals = (number) => {
  if (number < 1) return String(number)
  let text = ""
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

const roman: Numerals = (number) => {
  if (number < 1 || number > 3999) return String(number)
  let [text, rest] = ["", number]
  for (const [sign, value] of signs) for (; rest >= value; rest -= value) text += sign
  return text
}

const signs = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1
})

const numerals = new Map<string, Numerals>(
  [["a", letters] as const, ["i", roman] as const].flatMap(([type, write]) => {
    const upper: Numerals = (number) => write(number).toUpperCase()
    return [
      [type, write],
      [`lower${type}`, write],
      [type.toUpperCase(), upper],
      [`upper${type}`, upper]
    ]
  })
)

/** A whole number as written; undefined: it is none, or one that browsers cut. */
const whole = (written: string | undefined): number | undefined => {
  const value = written === undefined ? Number.NaN : Number.parseInt(written, 10)
  return Math.abs(value) < 1e9 ? value : undefined
}
