/** By how much a number moved between two loads. It imports nothing, since the page of explore asks too. */

/** Undefined: one of the two is no number, or both are the same. */
export const moved = (old: unknown, now: unknown): number | undefined => {
  const [before, after] = [numberOf(old), numberOf(now)]
  const by = before === undefined || after === undefined ? 0 : after - before
  // What two decimals have between them has no more digits than they have.
  return by === 0 || Number.isNaN(by) ? undefined : Number(by.toPrecision(12))
}

/** In percent of what it was; undefined: it was nothing. */
export const movedPercent = (old: unknown, by: number): number | undefined => {
  const before = numberOf(old) ?? 0
  return before === 0 ? undefined : (by / Math.abs(before)) * 100
}

/** A column and a direction, as `price` for what became larger and `-price` for what became smaller. */
export const directionOf = (by: string): { readonly column: string; readonly isDown: boolean } => ({
  column: by.replace(/^-/, ""),
  isDown: by.startsWith("-")
})

/** What moved furthest is first. */
export const furthestFirst = (a: { readonly by: number }, b: { readonly by: number }): number =>
  Math.abs(b.by) - Math.abs(a.by)

/** Numbers that JavaScript cannot have exactly, such as decimals, are text. */
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number"
    ? value
    : typeof value === "string" && /^[+-]?\d+(?:\.\d+)?$/.test(value)
      ? Number(value)
      : undefined
