/**
 * What a claim gave, as `bench/results/<claim>.json` keeps it: every round as it was, with medians. What is judged of it
 * follows from the rounds when it is read (`judged.ts`).
 *
 * Medians are of measured rounds only; a ratio is that of each round, as a machine that others use too is slower in one
 * than in the other, and of them all the middle (`middleOf`); whoever did less than the work asks wins nothing.
 */
import type { Contestant, Target, Told, Work } from "./Claim.ts"
import type { Machine } from "./Machine.ts"

export interface Round {
  /** Seconds of the whole run. */
  readonly cpu: number
  readonly wall: number
  readonly rss: number
  readonly count: number
  readonly figures: Readonly<Record<string, number>>
}

export interface Standing {
  readonly name: string
  readonly how: string
  readonly cores: number
  /** What it had to do. */
  readonly count: number
  /** Why there is nothing: it is not here, was left out, or failed. */
  readonly missing?: string
  readonly rounds: ReadonlyArray<Round>
  /** `cpu` for `per` units, `wall`, `rss`, `perSecond` (units), `count`, and each of the figures. */
  readonly medians: Readonly<Record<string, number>>
  /** Least and most of the rounds. */
  readonly spread: Readonly<Record<string, readonly [number, number]>>
  readonly didLess: boolean
}

export interface Verdict {
  readonly says: string
  readonly of: string
  readonly limit: string
  /** Ours divided by the other. */
  readonly ratio?: number
  /** Seconds against a number of seconds, and not against another contestant's: this machine's, and no ratio of two. */
  readonly isTime?: true
  readonly met?: boolean
  /** Why there is no ratio. */
  readonly missing?: string
}

export interface WorkResult {
  readonly name: string
  readonly units: string
  readonly per: number
  readonly plot: "bars" | "growth"
  readonly shown: string
  readonly isUntimed?: true
  readonly missing?: string
  readonly standings: ReadonlyArray<Standing>
}

export interface Result {
  readonly claim: string
  readonly title: string
  readonly at: string
  readonly quick: boolean
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly works: ReadonlyArray<WorkResult>
}

export const perOf = (work: Work): number => work.per ?? 1000

export const round = (measured: Omit<Round, "count" | "figures">, told: Told): Round => ({
  cpu: measured.cpu,
  wall: measured.wall,
  rss: measured.rss,
  count: told.count,
  figures: told.figures ?? {}
})

/**
 * Of some runs of one contestant: the means, and what the one that did least has done. Memory is a mean as well: the most of
 * four runs beside that of one would flatter who ran once.
 */
export const meanOf = (turns: ReadonlyArray<Round>): Round => {
  const mean = (of: (turn: Round) => number) => turns.reduce((sum, turn) => sum + of(turn), 0) / turns.length
  const names = Object.keys(turns[0]?.figures ?? {})
  return {
    cpu: mean(({ cpu }) => cpu),
    wall: mean(({ wall }) => wall),
    rss: mean(({ rss }) => rss),
    count: Math.min(...turns.map(({ count }) => count)),
    figures: Object.fromEntries(names.map((name) => [name, mean(({ figures }) => figures[name] ?? Number.NaN)]))
  }
}

export const standing = (
  work: Work,
  contestant: Contestant,
  rounds: ReadonlyArray<Round>,
  missing: string | undefined
): Standing => {
  const { how, often = 1 } = contestant
  const count = contestant.count ?? work.count
  const columns = rounds.map((round) => columnsOf(round, perOf(work)))
  const names = Object.keys(columns[0] ?? {})
  const sorted = (name: string) => columns.map((column) => column[name] ?? Number.NaN).sort((a, b) => a - b)
  return {
    name: contestant.name,
    how: often === 1 ? how : `${how}; each round runs it ${often} times, and has the mean`,
    cores: contestant.cores ?? 2,
    count,
    ...(missing === undefined ? {} : { missing }),
    rounds,
    medians: Object.fromEntries(names.map((name) => [name, median(sorted(name))])),
    spread: Object.fromEntries(names.map((name) => [name, ends(sorted(name))] as const)),
    didLess: rounds.some((round) => round.count < count - (work.slack ?? 0))
  }
}

/** Targets against standings, the first of which is ours. */
export const verdict = (target: Target, standings: ReadonlyArray<Standing>): Verdict => {
  const { against, of, ratio, says } = target
  const limit = "atMost" in ratio ? `at most ${told(ratio.atMost)}` : `at least ${told(ratio.atLeast)}`
  const named = (name: string | undefined) => standings.find((each) => each.name === name)
  const ours = target.ours === undefined ? standings[0] : named(target.ours)
  const other = "value" in against ? undefined : named(against.contestant)
  const isTime = "value" in against && (of === "wall" || of === "cpu")
  const base = { says, of, limit, ...(isTime ? { isTime } : {}) }
  if (ours === undefined || ours.missing !== undefined) return { ...base, missing: "ours was not measured" }
  if (ours.didLess) return { ...base, missing: "ours did less than the work asks", met: false }
  if ("contestant" in against) {
    if (other === undefined || other.missing !== undefined)
      return { ...base, missing: `${against.contestant} was not measured` }
    if (other.didLess) return { ...base, missing: `${against.contestant} did less than the work asks` }
  }
  const found = other === undefined ? dividedBy(ours.medians[of], against) : quotientOf(ours, other, of)
  if (found === undefined) return { ...base, missing: `nobody tells "${of}"` }
  return { ...base, ratio: found, met: "atMost" in ratio ? found <= ratio.atMost : found >= ratio.atLeast }
}

/** One's `cpu` for each unit, `wall` or other column, divided by the other's. */
export const quotientOf = (one: Standing, other: Standing, of: string): number | undefined => {
  const [ones, others] = [one, other].map(({ rounds }) => rounds.map((round) => columnsOf(round, 1)[of]))
  const ratios = (ones ?? []).flatMap((value, at) => {
    const divisor = others?.[at]
    return value === undefined || divisor === undefined ? [] : [value / divisor]
  })
  return ratios.length === 0 ? undefined : middleOf(ratios)
}

/**
 * The median of the geometric means of every two, one with itself included (Hodges and Lehmann's): a round that a neighbour
 * on the machine spoiled moves it as little as it moves the median, and it varies less from run to run, as it hears all rounds.
 */
const middleOf = (ratios: ReadonlyArray<number>): number =>
  median(ratios.flatMap((one, at) => ratios.slice(at).map((other) => Math.sqrt(one * other))).sort((a, b) => a - b))

const dividedBy = (value: number | undefined, against: Target["against"]): number | undefined =>
  value === undefined || !("value" in against) ? undefined : value / against.value

const columnsOf = ({ count, cpu, figures, rss, wall }: Round, per: number): Record<string, number> => ({
  cpu: (cpu / Math.max(count, 1)) * per,
  wall,
  rss,
  perSecond: count / wall,
  count,
  ...figures
})

const median = (sorted: ReadonlyArray<number>): number => {
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

const ends = (sorted: ReadonlyArray<number>): readonly [number, number] => [
  sorted[0] ?? Number.NaN,
  sorted.at(-1) ?? Number.NaN
]

const told = (value: number): string => String(Number(value.toPrecision(3)))
