/**
 * Collects the lines of one page of a PDF from its pieces of text as they arrive; a piece is held only until its line
 * is complete.
 *
 * A line is the text on one baseline, however it is rotated: positions are measured along the text and across it. At a
 * gap too wide for a space, the line is divided into cells.
 */

export interface Cell {
  readonly text: string
  /** Where it begins and ends along the line, in points. */
  readonly x: number
  readonly end: number
}

export interface Line extends Cell {
  /** The size of most of its letters, in points. */
  readonly size: number
  /** The height across the line, from below. */
  readonly y: number
  /** The rotation in degrees: lines of another rotation are not its neighbours. */
  readonly turn: number
  /** At least one. Their texts are the text of the line. */
  readonly cells: ReadonlyArray<Cell>
}

interface PdfLines {
  /** Adds pieces in the order of the file. Pieces that are not text are skipped. */
  readonly add: (pieces: ReadonlyArray<unknown>) => void
  /** All lines; nothing may be added afterwards. */
  readonly end: () => ReadonlyArray<Line>
}

export const create = (): PdfLines => {
  const lines: Array<Line> = []
  let inks: Array<PdfInk> = []
  let isApart = false
  const flush = () => {
    const line = lineOf(inks)
    if (line !== undefined) lines.push(line)
    inks = []
    isApart = false
  }
  const add = (piece: Piece) => {
    if (piece.str.trim() === "") isApart ||= piece.str !== ""
    else {
      const ink = ofPiece(piece, isApart)
      const [first] = inks
      if (first !== undefined && !isOnLineOf(ink, first)) flush()
      inks.push(ink)
      isApart = false
    }
    if (piece.hasEOL) flush()
  }
  return {
    add: (pieces) => {
      for (const piece of pieces) if (isPiece(piece)) add(piece)
    },
    end: () => {
      flush()
      return lines
    }
  }
}

const isPiece = (item: unknown): item is Piece =>
  typeof item === "object" && item !== null && "str" in item && "transform" in item

const lineOf = (inks: ReadonlyArray<PdfInk>): Line | undefined => {
  const [first] = inks
  if (first === undefined) return undefined
  const cells = cellsOf(inks)
  return {
    text: cells.map(({ text }) => text).join(" "),
    x: inks.reduce((least, { x }) => Math.min(least, x), first.x),
    end: inks.reduce((most, { end }) => Math.max(most, end), first.end),
    y: first.y,
    turn: first.turn,
    size: commonestSize(inks),
    cells
  }
}

/** Divides a line at its wide gaps, but not between a bullet or number and its text. */
const cellsOf = (inks: ReadonlyArray<PdfInk>): ReadonlyArray<Cell> => {
  const groups: Array<Array<PdfInk>> = []
  let end = Number.NEGATIVE_INFINITY
  for (const ink of [...inks].sort((one, other) => one.x - other.x)) {
    const group = groups.at(-1)
    if (group === undefined || (ink.x - end > ink.size * widest && !isMark(group))) groups.push([ink])
    else group.push(ink)
    end = Math.max(end, ink.end)
  }
  const cells = groups.map((group): Cell => {
    const x = group[0]?.x ?? 0
    return { text: readingOrder(group), x, end: group.reduce((most, ink) => Math.max(most, ink.end), x) }
  })
  return isRightToLeft(inks) ? cells.reverse() : cells
}

/** A wider gap, in sizes of the letters, is not a gap between words. */
const widest = 1.3

/** The bullet or the number of an item. */
const isMark = (group: ReadonlyArray<PdfInk>): boolean =>
  /^(?:[•◦▪‣●○■·–-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)])$/i.test(group.map(({ text }) => text.trim()).join(""))

const commonestSize = (inks: ReadonlyArray<PdfInk>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of inks) letters.set(size, (letters.get(size) ?? 0) + text.length)
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

/**
 * The text of a line in reading order.
 *
 * A PDF draws letters at positions without stating their order. Many programs draw Arabic and Hebrew from the left, one
 * letter at a time, each in its contextual form.
 *
 * `inks` are ordered from left to right.
 */
const readingOrder = (inks: ReadonlyArray<PdfInk>): string => {
  const ordered = inOrder(inks)
  let text = ""
  let before: PdfInk | undefined
  for (const ink of ordered) {
    if (before !== undefined && isWordBreak(before, ink)) text += " "
    text += ink.text
    before = ink
  }
  return text
    .replaceAll(presentationForms, (form) => form.normalize("NFKC"))
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** Arabic letters in their contextual forms, and their ligatures; punctuation in its vertical forms. */
const presentationForms = /[\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g

/** Pieces that run against the direction of the line keep their own order. */
const inOrder = (inks: ReadonlyArray<PdfInk>): ReadonlyArray<PdfInk> => {
  if (!inks.some((ink) => ink.isRightToLeft)) return inks
  const isReversed = isRightToLeft(inks)
  const runs: Array<Array<PdfInk>> = []
  for (const ink of isReversed ? [...inks].reverse() : inks) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]?.isRightToLeft === ink.isRightToLeft) run.push(ink)
    else runs.push([ink])
  }
  return runs.flatMap((run) => (run[0]?.isRightToLeft === isReversed ? run : run.reverse()))
}

const isWordBreak = (before: PdfInk, ink: PdfInk): boolean => {
  const [left, right] = before.x <= ink.x ? [before, ink] : [ink, before]
  const isWritten = right.isApart && !left.isRightToLeft && !right.isRightToLeft
  return isWritten || right.x - left.end > right.size * 0.15
}

/**
 * A visible piece of text of a PDF and its position, measured along its line and across it, so that rotated lines are
 * handled alike.
 */
interface PdfInk {
  readonly text: string
  /** Where it begins and ends along its line, in points. */
  readonly x: number
  readonly end: number
  /** The height across the line, from below. */
  readonly y: number
  /** The size of its letters, in half points. */
  readonly size: number
  /** The rotation of its line, in degrees. */
  readonly turn: number
  readonly isRightToLeft: boolean
  /** Whether a space precedes it. */
  readonly isApart: boolean
}

/** A piece of text as the library gives it. */
interface Piece {
  readonly str: string
  readonly dir: string
  readonly width: number
  readonly height: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
}

const ofPiece = (piece: Piece, isApart: boolean): PdfInk => {
  const { dir, height, str, transform, width } = piece
  const [a = 0, b = 0, c = 0, d = 0, left = 0, up = 0] = transform
  const size = Math.round(Math.hypot(c, d) * 2) / 2
  // Vertical Chinese and Japanese, in columns from the right: the line is rotated, its letters are not.
  const isDownward = height > size * 1.5 && str.trim().length > 1
  const length = Math.hypot(a, b)
  const [cos, sin] = isDownward ? [0, -1] : length === 0 ? [1, 0] : [a / length, b / length]
  const x = left * cos + up * sin
  return {
    text: str,
    x,
    end: x + (isDownward ? height : width),
    y: up * cos - left * sin,
    size,
    turn: Math.round((Math.atan2(sin, cos) * 180) / Math.PI),
    isRightToLeft: dir === "rtl",
    isApart: isApart || /^\s/.test(str)
  }
}

/** Whether it is on the line that `first` has begun. */
const isOnLineOf = (ink: PdfInk, first: PdfInk): boolean =>
  ink.turn === first.turn && Math.abs(ink.y - first.y) <= first.size * 0.6

/** Whether most letters of a line are written from right to left. */
const isRightToLeft = (inks: ReadonlyArray<PdfInk>): boolean => {
  let letters = 0
  for (const ink of inks) {
    if (ink.isRightToLeft) letters += ink.text.length
    else if (/\p{L}/u.test(ink.text)) letters -= ink.text.length
  }
  return letters > 0
}
