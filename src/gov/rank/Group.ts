/**
 * A section among the answers, with all of its versions.
 *
 * A cited section comes first, then what is inside it, then what words find; within these the score decides, and for
 * equal scores the place in the index.
 */
import { type CitedSection, tiers } from "../index/citedSections.ts"
import type { Candidate } from "../index/GovStore.ts"
import * as Score from "./Score.ts"

export interface Group {
  readonly identity: string
  readonly score: Score.Score
  /** Of `tiers`. */
  readonly tier: number
  /** The paragraph that is cited, or "". */
  readonly paragraph: string
  /** Where it stands in the index: as its file has it. */
  readonly at: number
}

/** One for each section, over all versions that were found. */
export const make = (
  candidates: ReadonlyArray<Candidate>,
  scoreOf: (one: Candidate) => Score.Score,
  cited: ReadonlyMap<number, CitedSection>
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const one of candidates) {
    const { paragraph = "", tier = tiers.found } = cited.get(one.id) ?? {}
    const known = groups.get(one.identity)
    const score = scoreOf(one)
    groups.set(one.identity, {
      identity: one.identity,
      score: known === undefined || Score.total(score) > Score.total(known.score) ? score : known.score,
      tier: Math.min(tier, known?.tier ?? tier),
      paragraph: paragraph === "" ? (known?.paragraph ?? "") : paragraph,
      at: Math.min(one.id, known?.at ?? one.id)
    })
  }
  return [...groups.values()].toSorted((a, b) => inOrder(orderOf(a), orderOf(b)))
}

/** What is explained stands before what explains it, unless that is asked for: both answer, and the law is what counts. */
export const lawFirst = <A extends Group>(groups: ReadonlyArray<A>): ReadonlyArray<A> => {
  const explaining = new Map(
    groups.flatMap((one) =>
      one.identity.endsWith(explains) ? [[one.identity.slice(0, -explains.length), one] as const] : []
    )
  )
  return groups.map((one) => {
    const other = explaining.get(one.identity)
    return other === undefined || Score.total(other.score) <= Score.total(one.score)
      ? one
      : { ...one, score: { words: Score.total(other.score) * 1.001, standing: 1 } }
  })
}

/** The official interpretation of a section has the section's identity and this. */
const explains = "/interp"

export interface Order {
  readonly tier: number
  readonly score: number
  readonly at: number
}

export const inOrder = (a: Order, b: Order): number => a.tier - b.tier || b.score - a.score || a.at - b.at

const orderOf = ({ at, score, tier }: Group): Order => ({ at, tier, score: Score.total(score) })
