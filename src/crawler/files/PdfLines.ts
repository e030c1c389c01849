/**
 * The lines of one page of a PDF, gathered from its pieces of text as they come: no piece is held longer than its line.
 */
import type { Line } from "./PdfLayout.ts"

export interface PdfLines {
  /** The next pieces, in the order written. What is no text is passed over. */
  readonly add: (pieces: ReadonlyArray<unknown>) => void
  /** All lines; nothing is added afterwards. */
  readonly end: () => ReadonlyArray<Line>
}

interface Piece {
  readonly str: string
  readonly width: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
}

export const make = (): PdfLines => {
  const lines: Array<Line> = []
  let text = ""
  let from: Piece | undefined
  let end = 0
  const flush = () => {
    const words = text.replaceAll(/\s+/g, " ").trim()
    if (from !== undefined && words !== "")
      lines.push({ text: words, size: sizeOf(from), x: at(from, 4), y: at(from, 5), end })
    text = ""
    from = undefined
  }
  const add = (piece: Piece) => {
    if (from !== undefined && Math.abs(at(piece, 5) - at(from, 5)) > sizeOf(from) * 0.6) flush()
    if (from !== undefined && at(piece, 4) - end > sizeOf(from) * 0.15) text += " "
    if (piece.str.trim() !== "") from ??= piece
    text += piece.str
    end = at(piece, 4) + piece.width
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

const at = (piece: Piece, index: number): number => piece.transform[index] ?? 0

/** In half points. */
const sizeOf = (piece: Piece): number => Math.round(Math.hypot(at(piece, 2), at(piece, 3)) * 2) / 2
