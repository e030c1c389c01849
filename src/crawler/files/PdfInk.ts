/**
 * A piece of text of a PDF that shows something, where it stands: measured along its line and across it, whichever way the line is
 * turned.
 */

export interface PdfInk {
  readonly text: string
  /** Where it begins and ends along its line, in points. */
  readonly x: number
  readonly end: number
  /** From below, across the line. */
  readonly y: number
  /** Of its letters, in half points. */
  readonly size: number
  /** How its line is turned, in degrees. */
  readonly turn: number
  readonly isRightToLeft: boolean
  /** Whether a space was written before it. */
  readonly isApart: boolean
}

/** A piece as the library gives it. */
export interface Piece {
  readonly str: string
  readonly dir: string
  readonly width: number
  readonly height: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
}

export const make = (piece: Piece, isApart: boolean): PdfInk => {
  const { dir, height, str, transform, width } = piece
  const [a = 0, b = 0, c = 0, d = 0, left = 0, up = 0] = transform
  const size = Math.round(Math.hypot(c, d) * 2) / 2
  // Chinese and Japanese may be written from above, in columns from the right: a line that is turned, whose letters are not.
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

/** Whether it stands on the line that another has begun. */
export const isOnLineOf = (ink: PdfInk, first: PdfInk): boolean =>
  ink.turn === first.turn && Math.abs(ink.y - first.y) <= first.size * 0.6

/** Whether most letters of a line are read from the right. */
export const isRightToLeft = (inks: ReadonlyArray<PdfInk>): boolean => {
  let letters = 0
  for (const ink of inks) {
    if (ink.isRightToLeft) letters += ink.text.length
    else if (/\p{L}/u.test(ink.text)) letters -= ink.text.length
  }
  return letters > 0
}
