/**
 * What a page offers to a field besides what was taken, each with why it was left: a few of the best for each field, and of a list
 * those of its first rows.
 */
import type { Considered } from "#contract/Extract"
import type { CandidateValue } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import type { Scope } from "./Objects.ts"
import { fitOf, likeEnough, type Scored, type Scorer } from "./Scorer.ts"
import type { One } from "./Wanted.ts"

/** Of one object of the schema: its scope, and what each of its fields has taken, by JSON pointer. */
interface Means {
  readonly scope: Scope
  readonly chosen: ReadonlyMap<string, Scored>
  readonly scorer: Scorer
}

export const of = (one: One, field: string, { chosen, scope, scorer }: Means): ReadonlyArray<Considered> => {
  const own = chosen.get(field)
  const left = leftOver(field, own, chosen)
  const all = left.length > 0 || own !== undefined ? left : unfit(one, field, scope, scorer)
  const some = new Map(all.map((candidate) => [`${candidate.value} ${candidate.place}`, candidate]))
  return [...some.values()].slice(0, mostOfField)
}

/** What would have fitted. */
const leftOver = (
  field: string,
  own: Scored | undefined,
  chosen: ReadonlyMap<string, Scored>
): ReadonlyArray<Considered> => {
  const takers = new Map(Array.from(chosen, ([pointer, { leaf }]) => [leaf.value, pointer]))
  return (own?.others ?? []).flatMap(({ leaf, score }) => {
    if (leaf.value === own?.leaf.value) return []
    const taker = takers.get(leaf.value)
    const why =
      taker === undefined
        ? `another value is likelier: ${percent(own?.score ?? 0)}, this one ${percent(score)}`
        : `it is taken for ${taker}`
    return [candidateOf(field, leaf, why)]
  })
}

/** What has a name that is like the field's, and does not do for it. */
const unfit = (one: One, field: string, { apart, far, near }: Scope, scorer: Scorer): ReadonlyArray<Considered> =>
  [...near, ...far, ...apart]
    .filter((leaf) => leaf.facet === "" && isNamed(one, leaf, scorer))
    .slice(0, mostOfField)
    .map((leaf) =>
      candidateOf(
        field,
        leaf,
        leaf.isListed
          ? "it is one of several in a list, and nothing says which is meant"
          : fitOf(leaf, one, scorer.setting) === undefined
            ? `it is not of the type that is wanted (${typesOf(one)})`
            : "its name is not certain to mean this"
      )
    )

/** Whether the page has the very name of a field beside a value. */
export const isNamed = (one: One, leaf: CandidateValue, scorer: Scorer): boolean =>
  Names.isSame(one.name, leaf.path.own) || scorer.like(one, leaf.path, { isInside: true }) >= likeEnough

const typesOf = ({ expected: { kind, schemas } }: One): string =>
  [...new Set(schemas.map(({ format, type }) => String(format ?? type ?? kind)))].join(" or ")

const candidateOf = (field: string, { data, value: { source } }: CandidateValue, why: string): Considered => ({
  field,
  value: String(data).slice(0, longest).toWellFormed(),
  kind: source.kind,
  place: source.path,
  why
})

const percent = (share: number): string => `${Math.round(100 * Math.min(1, share))}%`

const mostOfField = 3
const longest = 200
