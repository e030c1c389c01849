/**
 * How near a text comes to the true one: the metric of article-extraction-benchmark (its `evaluate.py`), rule by rule.
 *
 * Words are runs of letters, digits and underscores; what is counted are runs of four words; a page weighs the same
 * however long it is; F1 is that of the mean precision and the mean recall.
 */
export interface Score {
  readonly right: number
  readonly wrong: number
  readonly lost: number
}

export const score = (truth: string, text: string): Score => {
  const [wanted, got] = [shingles(truth), shingles(text)]
  let [right, wrong, lost] = [0, 0, 0]
  for (const key of new Set([...wanted.keys(), ...got.keys()])) {
    const [a, b] = [wanted.get(key) ?? 0, got.get(key) ?? 0]
    right += Math.min(a, b)
    wrong += Math.max(0, b - a)
    lost += Math.max(0, a - b)
  }
  const sum = right + wrong + lost
  return sum > 0 ? { right: right / sum, wrong: wrong / sum, lost: lost / sum } : { right, wrong, lost }
}

export const precision = ({ right, wrong, lost }: Score): number =>
  wrong === 0 && lost === 0 ? 1 : right === 0 && wrong === 0 ? 0 : right / (right + wrong)

export const recall = ({ right, wrong, lost }: Score): number =>
  wrong === 0 && lost === 0 ? 1 : right === 0 && lost === 0 ? 0 : right / (right + lost)

export const f1 = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)

export const summary = (
  scores: ReadonlyArray<Score>
): { readonly precision: number; readonly recall: number; readonly f1: number } => {
  const p = mean(scores.filter(({ right, wrong }) => right + wrong > 0).map(precision))
  const r = mean(scores.filter(({ right, lost }) => right + lost > 0).map(recall))
  return { precision: p, recall: r, f1: f1(p, r) }
}

const mean = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const shingles = (text: string): ReadonlyMap<string, number> => {
  const words = text.match(word) ?? []
  const counts = new Map<string, number>()
  for (let i = 0; i < Math.max(1, words.length - 3); i++) {
    const shingle = words.slice(i, i + 4).join(" ")
    if (shingle !== "") counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

/** Python's `\w+`: letters and numbers of every script, without combining marks. */
const word = /[\p{L}\p{N}_]+/gu
