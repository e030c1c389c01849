/**
 * The best assignment of columns to rows: each row has at most one column, each column serves at most one row, and the
 * sum of the scores is the greatest there is (the Hungarian method; where there are very many rows, the best first).
 */

export interface Pair {
  readonly row: number
  readonly column: number
  readonly score: number
}

/** The column of each row; undefined where it has none. */
export const assign = (rows: number, columns: number, pairs: ReadonlyArray<Pair>): ReadonlyArray<number | undefined> =>
  rows > maxRows ? greedy(rows, pairs) : hungarian(rows, columns, pairs)

const maxRows = 80

const greedy = (rows: number, pairs: ReadonlyArray<Pair>): ReadonlyArray<number | undefined> => {
  const found: Array<number | undefined> = Array.from({ length: rows })
  const taken = new Set<number>()
  for (const { column, row } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (found[row] !== undefined || taken.has(column)) continue
    found[row] = column
    taken.add(column)
  }
  return found
}

/** With potentials, row after row; the last `rows` columns stand for none. */
const hungarian = (rows: number, columns: number, pairs: ReadonlyArray<Pair>): ReadonlyArray<number | undefined> => {
  const matching = emptyMatching(rows, columns, pairs)
  for (let row = 1; row <= rows; row++) placeRow(matching, row)
  const { rowAt, scores, width } = matching
  const found: Array<number | undefined> = Array.from({ length: rows })
  for (let column = 1; column <= columns; column++) {
    const row = (rowAt[column] ?? 0) - 1
    if (row >= 0 && (scores[row * width + column - 1] ?? 0) > 0) found[row] = column - 1
  }
  return found
}

/** The rows that have a column so far. Rows and columns count from 1; column 0 has the row that is placed. */
interface Matching {
  readonly width: number
  readonly scores: Float64Array
  /** The potentials. */
  readonly ofRow: Float64Array
  readonly ofColumn: Float64Array
  readonly rowAt: Int32Array
}

const emptyMatching = (rows: number, columns: number, pairs: ReadonlyArray<Pair>): Matching => {
  const width = columns + rows
  const scores = new Float64Array(rows * width)
  for (const { column, row, score } of pairs) {
    scores[row * width + column] = Math.max(score, scores[row * width + column] ?? 0)
  }
  return {
    width,
    scores,
    ofRow: new Float64Array(rows + 1),
    ofColumn: new Float64Array(width + 1),
    rowAt: new Int32Array(width + 1)
  }
}

/** Gives a row a column, by the cheapest chain of rows that change theirs. */
const placeRow = ({ ofColumn, ofRow, rowAt, scores, width }: Matching, row: number): void => {
  rowAt[0] = row
  let at = 0
  const before = new Int32Array(width + 1)
  const least = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY)
  const used = new Uint8Array(width + 1)
  do {
    used[at] = 1
    const current = rowAt[at] ?? 0
    let step = Number.POSITIVE_INFINITY
    let next = 0
    for (let column = 1; column <= width; column++) {
      if (used[column] === 1) continue
      const cost = -(scores[(current - 1) * width + column - 1] ?? 0)
      const reduced = cost - (ofRow[current] ?? 0) - (ofColumn[column] ?? 0)
      if (reduced < (least[column] ?? 0)) {
        least[column] = reduced
        before[column] = at
      }
      if ((least[column] ?? 0) < step) {
        step = least[column] ?? 0
        next = column
      }
    }
    for (let column = 0; column <= width; column++) {
      if (used[column] === 1) {
        ofRow[rowAt[column] ?? 0] = (ofRow[rowAt[column] ?? 0] ?? 0) + step
        ofColumn[column] = (ofColumn[column] ?? 0) - step
      } else least[column] = (least[column] ?? 0) - step
    }
    at = next
  } while (rowAt[at] !== 0)
  while (at !== 0) {
    const from = before[at] ?? 0
    rowAt[at] = rowAt[from] ?? 0
    at = from
  }
}
