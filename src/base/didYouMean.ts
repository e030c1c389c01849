/**
 * The name a person most likely meant: the nearest of the known ones, or none when all are far.
 *
 * Near is measured with Damerau and Levenshtein: letters added, dropped, replaced or swapped with a neighbour. Case, dash
 * and underscore do not count, so that `include_paths` finds `includePaths`.
 */
export const didYouMean = (written: string, known: Iterable<string>): string | undefined => {
  const plain = normalise(written.slice(0, longest))
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1
  for (const name of known) {
    const distance = distanceBetween(plain, normalise(name))
    if (distance < least) {
      least = distance
      nearest = name
    }
  }
  return nearest
}

/** A longer name is not a typing slip, and the work grows with the square of the length. */
const longest = 64

const normalise = (name: string): string => name.toLowerCase().replaceAll(/[-_\s]/g, "")

/** Optimal string alignment over three rows. */
const distanceBetween = (a: string, b: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          cell(last, j) + 1,
          cell(row, j - 1) + 1,
          cell(last, j - 1) + (same ? 0 : 1),
          swapped ? cell(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    beforeLast = last
    last = row
  }
  return cell(last, b.length)
}

const cell = (row: ReadonlyArray<number>, at: number): number => row[at] ?? Number.POSITIVE_INFINITY
