/**
 * One question whose answer is known, what engines make of it, and the figures of many.
 *
 * An answer counts where `isRight` says so of the address; answers that `isAside` are taken out before ranks are
 * counted, for every engine alike. What is missed is kept, so that people can see what it was.
 */
import type { Engine } from "./Engine.ts"

export interface Trial {
  readonly query: string
  readonly isRight: (url: string) => boolean
  /** What would answer and is not what is looked for, as the section that a sentence was taken from. */
  readonly isAside?: (url: string) => boolean
  /** For who reads the misses. */
  readonly wanted: string
}

export interface Row {
  /** "citations: 17 U.S.C. § 101". */
  readonly name: string
  readonly trials: number
  /** By engine. */
  readonly figures: Readonly<Record<string, Figures>>
  readonly target?: { readonly figure: keyof Omit<Figures, "misses">; readonly least: number }
}

export interface Figures {
  /** The share whose first answer is right. */
  readonly first: number
  /** The mean of 1 / rank of the first right answer, 0 beyond the tenth. */
  readonly mrr: number
  /** The share with a right answer among ten. */
  readonly within: number
  readonly misses: ReadonlyArray<{ readonly query: string; readonly wanted: string; readonly first: string }>
}

/** Answers looked at; some more are asked for where some are put aside. */
const looked = 10
const spare = 10

export const row = async (
  name: string,
  trials: ReadonlyArray<Trial>,
  engines: ReadonlyArray<Engine>,
  target?: Row["target"]
): Promise<Row> => {
  const figures: Record<string, Figures> = {}
  for (const engine of engines) figures[engine.name] = await figuresOf(trials, engine)
  return { name, trials: trials.length, figures, ...(target === undefined ? {} : { target }) }
}

const figuresOf = async (trials: ReadonlyArray<Trial>, engine: Engine): Promise<Figures> => {
  let [first, reciprocal, within] = [0, 0, 0]
  const misses: Array<Figures["misses"][number]> = []
  for (const { isAside, isRight, query, wanted } of trials) {
    const all = await engine.search(query, isAside === undefined ? looked : looked + spare)
    const found = (isAside === undefined ? all : all.filter((url) => !isAside(url))).slice(0, looked)
    const rank = found.findIndex(isRight) + 1
    if (rank === 1) first++
    else if (misses.length < maxMisses) misses.push({ query, wanted, first: found[0] ?? "nothing" })
    if (rank > 0) {
      reciprocal += 1 / rank
      within++
    }
  }
  const share = (n: number) => (trials.length === 0 ? 0 : n / trials.length)
  return { first: share(first), mrr: share(reciprocal), within: share(within), misses }
}

const maxMisses = 50
