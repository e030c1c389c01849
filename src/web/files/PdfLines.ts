/**
 * Collects the lines of one page of a PDF from its pieces of text as they arrive; a piece is held only until its line
 * is complete.
 *
 * A line is the text on one baseline, however it is rotated: positions are measured along the text and across it. At a
 * gap too wide for a space, the line is divided into cells.
 */
import * as PdfInk from "./PdfInk.ts"
import { readingOrder } from "./readingOrder.ts"

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
  let inks: Array<PdfInk.PdfInk> = []
  let isApart = false
  const flush = () => {
    const line = lineOf(inks)
    if (line !== undefined) lines.push(line)
    inks = []
    isApart = false
  }
  const add = (piece: PdfInk.Piece) => {
    if (piece.str.trim() === "") isApart ||= piece.str !== ""
    else {
      const ink = PdfInk.ofPiece(piece, isApart)
      const [first] = inks
      if (first !== undefined && !PdfInk.isOnLineOf(ink, first)) flush()
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

const isPiece = (item: unknown): item is PdfInk.Piece =>
  typeof item === "object" && item !== null && "str" in item && "transform" in item

const lineOf = (inks: ReadonlyArray<PdfInk.PdfInk>): Line | undefined => {
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
const cellsOf = (inks: ReadonlyArray<PdfInk.PdfInk>): ReadonlyArray<Cell> => {
  const groups: Array<Array<PdfInk.PdfInk>> = []
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
  return PdfInk.isRightToLeft(inks) ? cells.reverse() : cells
}

/** A wider gap, in sizes of the letters, is not a gap between words. */
const widest = 1.3

/** The bullet or the number of an item. */
const isMark = (group: ReadonlyArray<PdfInk.PdfInk>): boolean =>
  /^(?:[•◦▪‣●○■·–-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)])$/i.test(group.map(({ text }) => text.trim()).join(""))

const commonestSize = (inks: ReadonlyArray<PdfInk.PdfInk>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of inks) letters.set(size, (letters.get(size) ?? 0) + text.length)
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}
