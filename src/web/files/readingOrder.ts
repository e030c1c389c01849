/**
 * The text of a line in reading order.
 *
 * A PDF draws letters at positions without stating their order. Many programs draw Arabic and Hebrew from the left, one
 * letter at a time, each in its contextual form.
 */
import { isRightToLeft, type PdfInk } from "./PdfInk.ts"

/** `inks` are ordered from left to right. */
export const readingOrder = (inks: ReadonlyArray<PdfInk>): string => {
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
