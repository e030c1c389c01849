/**
 * The head of a table that marks none: how many rows at its top name its columns.
 *
 * Numbers or dates stand below names: a column of them begins below its head. In a table of words only, the first row is a head if it
 * has a style of its own. Years and dates may name columns of numbers. A row of data above says that there is no head. Of two columns the
 * second may be values of the first, so that its numbers must be written alike.
 */

/** A cell, with what its letters look like: cells of one style have equal texts there. */
export interface HeadCell {
  readonly text: string
  readonly style?: string | undefined
}

/** A head has no more rows. */
const mostRows = 4

/** `rows`: cells side by side, in the order of the columns. */
export const headRows = (rows: ReadonlyArray<ReadonlyArray<HeadCell>>): number => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (rows.length < 2 || width < 2) return 0
  const begins = Array.from({ length: width }, (_, column) => {
    const texts = rows.map((row) => row[column]?.text ?? "")
    const begin = beginOf(texts.map(kindOf))
    return begin === undefined || begin === 0 || width > 2 || areAlike(texts.slice(begin)) ? begin : undefined
  })
  const some = begins.flatMap((begin) => begin ?? [])
  if (some.length > 0) {
    const first = withoutGroups(rows, Math.min(...some))
    return first <= mostRows && first < rows.length ? first : 0
  }
  return isApart(rows) ? 1 : 0
}

/** Where rows of the table have a text in the first column only, one right below the head is the head of a group as well. */
const withoutGroups = (rows: ReadonlyArray<ReadonlyArray<HeadCell>>, heads: number): number => {
  const isGroup = (row: ReadonlyArray<HeadCell> = []) => row.every(({ text }, column) => (text === "") === column > 0)
  return heads > 1 && isGroup(rows[heads - 1]) && rows.slice(heads).some(isGroup) ? heads - 1 : heads
}

type Kind = "none" | "number" | "date" | "text"

const kindOf = (text: string): Kind => {
  const plain = text.trim()
  if (/^[\p{P}\p{S}\s]*$/u.test(plain)) return "none"
  if (
    /^\D{0,4}(?:1[89]|20)\d\d(?:[-/–]\d{2,4})?\D{0,3}$/u.test(plain) ||
    /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(plain)
  )
    return "date"
  const digits = plain.match(/\p{Nd}/gu)?.length ?? 0
  const letters = plain.match(/\p{L}/gu)?.length ?? 0
  return digits > 0 &&
    letters <= Math.max(4, digits / 2) &&
    /^[^\p{L}]*\p{L}{0,4}[^\p{L}]*\p{L}{0,4}[^\p{L}]*$/u.test(plain)
    ? "number"
    : "text"
}

/** In which row a column of numbers or dates begins; undefined: it is none. */
const beginOf = (kinds: ReadonlyArray<Kind>): number | undefined => {
  for (const kind of ["number", "date"] as const) {
    const begin = kinds.indexOf(kind)
    const body = kinds.slice(begin).filter((each) => each !== "none")
    if (begin !== -1 && body.filter((each) => each === kind).length >= body.length * 0.8) return begin
  }
  return undefined
}

/** Whether most of these numbers have the same signs, letters and points. */
const areAlike = (texts: ReadonlyArray<string>): boolean => {
  const forms = texts
    .filter((text) => text !== "")
    .map((text) => text.replaceAll(/\p{Nd}+(?:[.,' ]\p{Nd}{3})*/gu, "9").trim())
  const same = forms.filter((form) => form === forms[0]).length
  return forms.length >= 2 && same >= forms.length * 0.8
}

/** Whether all cells of the first row look alike, and no cell of the others looks like them. */
const isApart = ([first = [], ...others]: ReadonlyArray<ReadonlyArray<HeadCell>>): boolean => {
  const own = new Set(first.filter(({ text }) => text !== "").map(({ style }) => style))
  const [style] = own
  if (own.size !== 1 || style === undefined || first.some(({ text }) => text === "") || others.length < 2) return false
  const cells = others.flat().filter(({ text }) => text !== "")
  return cells.filter((cell) => cell.style === style).length <= cells.length * 0.1
}
