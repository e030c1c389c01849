/** Where a text stands in a PDF: its page and the box around it, in points from the upper left corner of the page as it is shown. */
import type { Matrix } from "./PdfDrawing.ts"

export interface PdfPlace {
  /** From 1 on. */
  readonly page: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A text as its line sees it: measured along the line and across it, whose rotation is in degrees. */
interface OnLine {
  readonly x: number
  readonly end: number
  readonly y: number
  readonly size: number
  readonly turn: number
}

/** `shown`: how points of the page become points of the page as it is shown. */
export const placesOn =
  (page: number, [a, b, c, d, e, f]: Matrix): ((text: OnLine) => PdfPlace) =>
  ({ end, size, turn, x, y }) => {
    const angle = (turn * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const corners = [y - size * descent, y + size * (1 - descent)].flatMap((across) =>
      [x, end].map((along) => {
        const [right, up] = [along * cos - across * sin, along * sin + across * cos]
        return [a * right + c * up + e, b * right + d * up + f] as const
      })
    )
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
    return { page, left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
  }

/** In sizes of the letters: so far do some of them go below their line. */
const descent = 0.2

/** The box around several, on the page of the first. */
export const around = (places: ReadonlyArray<PdfPlace | undefined>): PdfPlace | undefined => {
  const [first, ...others] = places.flatMap((place) => place ?? [])
  return others.reduce(
    (all, { bottom, left, page, right, top }) =>
      all === undefined || page !== all.page
        ? all
        : {
            page,
            left: Math.min(all.left, left),
            top: Math.min(all.top, top),
            right: Math.max(all.right, right),
            bottom: Math.max(all.bottom, bottom)
          },
    first
  )
}
