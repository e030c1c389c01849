/**
 * The text of what stands on a line, in the order in which it is read.
 *
 * A PDF draws letters at places, and says nothing of their order: many programs draw Arabic and Hebrew from the left, a letter at a
 * time and each in the form that it has in its word.
 */
import { isRightToLeft, type PdfInk } from "./PdfInk.ts"

/** `inks` go from left to right. */
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

/**
 * The letters of Arabic as they are shaped at the start, in the middle and at the end of a word, and pairs of them; marks as they are
 * in text that is written from above.
 */
const presentationForms = /[\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g

/** Those that are read in the other direction than the line is keep their own order. */
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
