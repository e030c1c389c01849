/**
 * A visible piece of text of a PDF and its position, measured along its line and across it, so that rotated lines are
 * handled alike.
 */

export interface PdfInk {
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
export interface Piece {
  readonly str: string
  readonly dir: string
  readonly width: number
  readonly height: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
}

export const ofPiece = (piece: Piece, isApart: boolean): PdfInk => {
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
export const isOnLineOf = (ink: PdfInk, first: PdfInk): boolean =>
  ink.turn === first.turn && Math.abs(ink.y - first.y) <= first.size * 0.6

/** Whether most letters of a line are written from right to left. */
export const isRightToLeft = (inks: ReadonlyArray<PdfInk>): boolean => {
  let letters = 0
  for (const ink of inks) {
    if (ink.isRightToLeft) letters += ink.text.length
    else if (/\p{L}/u.test(ink.text)) letters -= ink.text.length
  }
  return letters > 0
}
