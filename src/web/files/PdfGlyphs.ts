/**
 * The letters of a page of a PDF one by one, for pages that draw some of them again in their place, to look bold or to cast a shadow, and
 * for pages that set letters apart. The reader of PDFs puts letters together into texts: there a letter that is drawn again cannot be told
 * from the next one, and the room between two letters not from a space.
 *
 * @see ISO 32000-1, 9.4: text objects
 */
import { type Matrix, matrices, type Operations, product } from "./PdfDrawing.ts"
import { OPS } from "./pdfjs.ts"

/** A letter or a space as a text of its own, as the reader of PDFs gives texts. */
interface Glyph {
  readonly str: string
  readonly dir: "ltr"
  readonly width: number
  readonly height: number
  readonly transform: Matrix
  readonly fontName: string
  readonly hasEOL: false
}

/** How many sizes of its letters a unit of a font is: a thousandth, or what a font says that is made of drawings. */
export type UnitOf = (font: string) => number

/** The letters of a page, each place once, and how many of them are drawn again. */
export const once = (operations: Operations, unitOf: UnitOf): Once => {
  const places = new Map<string, Array<Glyph>>()
  const made: Array<Glyph> = []
  let again = 0
  for (const glyph of glyphsOf(operations, unitOf)) {
    if (glyph.str.trim() === "") continue
    const others = places.get(glyph.str) ?? []
    const isAgain = others.some((other) => isNear(glyph, other))
    if (isAgain) again += 1
    else {
      made.push(glyph)
      others.push(glyph)
      if (others.length > mostPlaces) others.shift()
      places.set(glyph.str, others)
    }
  }
  return { letters: made, again }
}

interface Once {
  readonly letters: ReadonlyArray<Glyph>
  readonly again: number
}

/** So many letters that are drawn again are a word. */
export const aWord = 4

/** Whether a text of the reader has a space after each of its letters: it takes the room between letters that stand apart for spaces. */
export const isSpacedOut = (text: string): boolean => /(?:^|\s)(?:\S\s){4}\S(?:\s|$)/.test(text)

/** Room between two letters that are drawn one after the other on one line: measured along it, and how high it is. */
export interface Gap {
  readonly turn: number
  readonly y: number
  readonly end: number
  readonly x: number
}

/** In sizes of the letters. Where spaces are letters too, there is no room between words; else it is narrower than this. */
const narrowest = { ofSpaced: 0.15, ofOthers: 0.45 }

/** The room between letters of a page that no space fills: between its words or its cells. The reader of PDFs writes a space for it. */
export const gaps = (operations: Operations, unitOf: UnitOf): ReadonlyArray<Gap> => {
  const found: Array<Gap & { readonly wide: number }> = []
  let before: (Gap & { readonly height: number }) | undefined
  let letters = 0
  let spaces = 0
  for (const { height, str, transform, width } of glyphsOf(operations, unitOf)) {
    const { turn, x, y } = placeOf(transform)
    const isSpace = str.trim() === ""
    letters += 1
    spaces += isSpace ? 1 : 0
    const isBeside = before?.turn === turn && Math.abs(y - before.y) <= height * 0.1
    const wide = before === undefined ? 0 : (x - before.end) / height
    if (before !== undefined && isBeside && !isSpace && wide > narrowest.ofSpaced)
      found.push({ turn, y, end: before.end, x, wide })
    before = { turn, y, x, end: x + width, height }
  }
  const least = spaces * leastSpaces > letters ? narrowest.ofSpaced : narrowest.ofOthers
  return found.filter(({ wide }) => wide > least)
}

/** So many letters have one space among them, at most, where spaces are letters. */
const leastSpaces = 200

/** Where a text begins, measured along its line and across it; and the rotation of the line, in degrees. */
const placeOf = ([a = 0, b = 0, , , left = 0, up = 0]: ReadonlyArray<number>) => {
  const length = Math.hypot(a, b)
  const [cos, sin] = length === 0 ? [1, 0] : [a / length, b / length]
  return {
    x: left * cos + up * sin,
    y: up * cos - left * sin,
    turn: Math.round((Math.atan2(sin, cos) * 180) / Math.PI)
  }
}

/** A letter is compared with so many before it: whole texts that come again much later are not taken apart. */
const mostPlaces = 100
/** In sizes of the letters: so far is a shadow from its letter. */
export const shadow = 0.2

const isNear = ({ height, transform: [, , , , x, y] }: Glyph, { transform: [, , , , left, up] }: Glyph): boolean =>
  Math.abs(x - left) <= height * shadow && Math.abs(y - up) <= height * shadow

/** What a page says about the letters that follow. */
interface TextState {
  readonly matrix: Matrix
  readonly line: Matrix
  readonly font: string
  readonly size: number
  readonly spacing: number
  readonly wordSpacing: number
  readonly scale: number
  readonly leading: number
  readonly rise: number
}

const begun: TextState = {
  matrix: [1, 0, 0, 1, 0, 0],
  line: [1, 0, 0, 1, 0, 0],
  font: "",
  size: 0,
  spacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0
}

function* glyphsOf(operations: Operations, unitOf: UnitOf): Generator<Glyph> {
  let state = begun
  const saved: Array<TextState> = []
  for (const { given, matrix, operation } of matrices(operations)) {
    if (operation === OPS.save) saved.push(state)
    else if (operation === OPS.restore) state = saved.pop() ?? state
    else if (operation === OPS.showText) {
      const shown = show(state, unitOf(state.font), matrix, Array.isArray(given) ? given[0] : undefined)
      yield* shown.glyphs
      state = shown.state
    } else state = changes[operation]?.(state, listOf(given)) ?? state
  }
}

const listOf = (given: unknown): ReadonlyArray<unknown> => (Array.isArray(given) ? given : [])

const moved = (state: TextState, x: number, y: number): TextState => {
  const line = product(state.line, [1, 0, 0, 1, x, y])
  return { ...state, line, matrix: line }
}

/** How each operation changes what is said about letters. */
const changes: Readonly<Record<number, (state: TextState, given: ReadonlyArray<unknown>) => TextState>> = {
  [OPS.beginText]: (state) => ({ ...state, matrix: begun.matrix, line: begun.line }),
  [OPS.setFont]: (state, [font, size]) => ({ ...state, font: String(font), size: Number(size) }),
  [OPS.setCharSpacing]: (state, [spacing]) => ({ ...state, spacing: Number(spacing) }),
  [OPS.setWordSpacing]: (state, [wordSpacing]) => ({ ...state, wordSpacing: Number(wordSpacing) }),
  [OPS.setHScale]: (state, [percent]) => ({ ...state, scale: Number(percent) / 100 }),
  [OPS.setLeading]: (state, [leading]) => ({ ...state, leading: -Number(leading) }),
  [OPS.setTextRise]: (state, [rise]) => ({ ...state, rise: Number(rise) }),
  [OPS.moveText]: (state, [x, y]) => moved(state, Number(x), Number(y)),
  [OPS.setLeadingMoveText]: (state, [x, y]) => ({ ...moved(state, Number(x), Number(y)), leading: Number(y) }),
  [OPS.nextLine]: (state) => moved(state, 0, state.leading),
  [OPS.setTextMatrix]: (state, given) => {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(
      given.length === 1 && typeof given[0] === "object" && given[0] !== null ? Object.values(given[0]) : given,
      Number
    )
    const line: Matrix = [a, b, c, d, e, f]
    return { ...state, line, matrix: line }
  }
}

const show = (state: TextState, unit: number, page: Matrix, shown: unknown) => {
  const glyphs: Array<Glyph> = []
  const { font, rise, scale, size, spacing, wordSpacing } = state
  let { matrix } = state
  for (const each of listOf(shown)) {
    if (typeof each === "number") matrix = product(matrix, [1, 0, 0, 1, (-each / 1000) * size * scale, 0])
    if (typeof each !== "object" || each === null || !("unicode" in each) || !("width" in each)) continue
    const advance = Number(each.width) * unit * size
    const isSpace = "isSpace" in each && each.isSpace === true
    const transform = product(page, product(matrix, [size * scale, 0, 0, size, 0, rise]))
    const [a, b, c, d] = transform
    const str = String(each.unicode)
    const width = (advance * scale * Math.hypot(a, b)) / (Math.abs(size * scale) || 1)
    glyphs.push({ str, dir: "ltr", width, height: Math.hypot(c, d), transform, fontName: font, hasEOL: false })
    matrix = product(matrix, [1, 0, 0, 1, (advance + spacing + (isSpace ? wordSpacing : 0)) * scale, 0])
  }
  return { glyphs, state: { ...state, matrix } }
}
