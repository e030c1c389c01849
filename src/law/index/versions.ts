/**
 * Orders the versions of a section: the one that a query means comes first.
 *
 * These count, in this order: the words of a version in the query ("enrolled", "permanent", "117-80"); if the query names a
 * day, the last version that had begun by then; not being historical; for a bill, the latest stage; the newest day.
 */

import { wordsIn } from "#base/Words"
import type { Query } from "../query/Query.ts"
import type { Candidate } from "./GovStore.ts"

/** `versions`: of one section. */
export const inOrder = <A extends Candidate>(versions: ReadonlyArray<A>, query: Query): ReadonlyArray<A> =>
  versions.toSorted(
    (a, b) =>
      wished(b, query) - wished(a, query) ||
      (query.asOf === undefined ? 0 : asOf(b, query.asOf) - asOf(a, query.asOf)) ||
      standing(b) - standing(a) ||
      stage(b) - stage(a) ||
      compare(dayOf(b), dayOf(a)) ||
      release(b) - release(a) ||
      a.id - b.id
  )

/** The share of the words of the version that are in the query. */
const wished = ({ status, version }: Candidate, { statuses, versionWords }: Query): number => {
  const own = wordsIn(version).filter((word) => !vague.has(word) && (word.length > 2 || /\d/.test(word)))
  const matches = own.filter((word) => versionWords.has(word)).length
  const share = own.length === 0 ? 0 : matches / own.length
  return share + (status === "historical" && statuses.has("historical") ? 0.5 : 0)
}

/** Words that all stages of a bill share. */
const vague = new Set(["bill", "text", "version", "the", "print", "act", "section"])

/** Positive: the version had begun by that day, and a later one is higher. Negative: it begins later; 0: it has no day. */
const asOf = (candidate: Candidate, day: string): number => {
  const own = dayOf(candidate)
  if (own === "") return 0
  const days = Date.parse(own) / 86_400_000 + 1_000_000
  return own <= day ? days : -days
}

const dayOf = ({ adopted, effective, versionDate }: Candidate): string => effective ?? versionDate ?? adopted ?? ""

const standing = ({ status }: Candidate): number => (status === "historical" ? 0 : 1)

/** The stages of a bill, in order. The days of bills are often missing. */
const stages = ["introduced", "reported", "placed", "engrossed", "received", "referred", "passed", "enrolled", "public"]
const stage = ({ status, version }: Candidate): number => {
  if (status !== "bill") return -1
  const lower = version.toLowerCase()
  return stages.findLastIndex((name) => lower.includes(name))
}

/** The number of a release, for codes that have no days: "Release 81". */
const release = ({ version }: Candidate): number => Number(/^release (\d+)$/i.exec(version)?.[1] ?? 0)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
