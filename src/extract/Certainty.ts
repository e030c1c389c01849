/**
 * How sure a value of a page is: how its place says it, how like its name is to what was asked for, and what else the page says
 * for it or against it.
 *
 * Data that a page declares and values beside a label are surer than those of a column or a repeated block, these than a sentence
 * or the text of a link. A value that the page says in another place as well is surer, and one beside which another value stands
 * as well is less sure. `bench/extract.ts` counts how many of each are right.
 */
import type { Certainty } from "#contract/Extract"
import type { Json } from "#contract/JsonSchema"
import type { Kind, Source } from "./Candidates.ts"

/** A value that was chosen for a field, or could have been. */
interface Choice {
  readonly json: Json
  readonly source: Source
  /** How like its name is to that of the field, 0 to 1. */
  readonly like: number
  /** How good it is in all, 0 to 1. */
  readonly score: number
}

/** `others`: all that could have been chosen. */
export const of = (chosen: Choice, others: ReadonlyArray<Choice>): Certainty => {
  let [agree, differ] = [false, false]
  for (const other of others) {
    if (isSamePlace(other.source, chosen.source)) continue
    if (other.json === chosen.json) agree = true
    else if (!isPart(other.json, chosen.json) && other.score >= chosen.score * close) differ = true
  }
  const ofName = chosen.like < likeOfSame ? 1 : 0
  return levelOf(ranks[chosen.source.kind] - ofName + (agree ? 1 : 0) - (differ ? 1 : 0))
}

/** That of a value of which nothing is known but its place. */
export const ofKind = (kind: Kind): Certainty => levelOf(ranks[kind])

/** That of a value for which there is one witness more: another page, or a model. */
export const raised = (certainty: Certainty | undefined): Certainty => (certainty === "low" ? "medium" : "high")

const levelOf = (rank: number): Certainty => (rank >= 3 ? "high" : rank === 2 ? "medium" : "low")

/** One is in the other: an element and its text, an attribute and its tag. */
const isSamePlace = ({ span: one }: Source, { span: other }: Source): boolean =>
  (one[0] <= other[0] && one[1] >= other[1]) || (other[0] <= one[0] && other[1] >= one[1])

/** "Ash lamp" and "Ash lamp - The shop" are not two answers. */
const isPart = (one: Json, other: Json): boolean =>
  typeof one === "string" && typeof other === "string" && (one.includes(other) || other.includes(one))

const close = 0.95
const likeOfSame = 0.8

const ranks: Readonly<Record<Kind, number>> = {
  data: 3,
  "json-ld": 3,
  microdata: 3,
  rdfa: 3,
  microformats: 3,
  table: 3,
  definition: 3,
  label: 3,
  block: 2,
  heading: 2,
  opengraph: 2,
  meta: 2,
  link: 2,
  text: 1,
  model: 1
}
