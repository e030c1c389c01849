/**
 * A section among the answers, with all of its versions.
 *
 * Cited sections come first, then sections inside a cited text, then sections found by words (`tier`). Within a tier, the score
 * decides; for equal scores, the position in the index.
 */
import type { Candidate } from "./GovStore.ts"

interface Group extends Order {
  readonly identity: string
  /** The paragraph that is cited, or "". */
  readonly paragraph: string
}

/** One version of a section that was found. */
export interface Member extends Pick<Candidate, "id" | "identity"> {
  readonly tier: number
  readonly score: number
  readonly paragraph: string
}

/** One group for each section, over all versions that were found. */
export const bySection = (members: ReadonlyArray<Member>): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const { id, identity, paragraph, score, tier } of members) {
    const known = groups.get(identity)
    groups.set(identity, {
      identity,
      score: Math.max(score, known?.score ?? score),
      tier: Math.min(tier, known?.tier ?? tier),
      paragraph: paragraph === "" ? (known?.paragraph ?? "") : paragraph,
      at: Math.min(id, known?.at ?? id)
    })
  }
  return [...groups.values()].toSorted(inOrder)
}

/** Puts a section before its official interpretation if both were found: the law counts more. */
export const lawFirst = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const explaining = new Map(
    groups.flatMap((one) =>
      one.identity.endsWith(explains) ? [[one.identity.slice(0, -explains.length), one] as const] : []
    )
  )
  return groups
    .map((one) => {
      const other = explaining.get(one.identity)
      return other === undefined || other.score <= one.score ? one : { ...one, score: other.score * 1.001 }
    })
    .toSorted(inOrder)
}

/** The identity of an official interpretation is that of its section and this suffix. */
const explains = "/interp"

interface Order {
  readonly tier: number
  readonly score: number
  /** The position in the index, which is the order in the file. */
  readonly at: number
}

export const inOrder = (a: Order, b: Order): number => a.tier - b.tier || b.score - a.score || a.at - b.at
