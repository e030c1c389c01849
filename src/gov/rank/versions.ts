/**
 * Which version of a section a query means.
 *
 * First, the version whose words the query has ("enrolled", "permanent", "117-80"); then, as of a day, the last one that
 * had begun by then; then the one in force, and of several the newest; of a bill the one that came furthest.
 */

import { wordsIn } from "../../text/Words.ts"
import type { Candidate } from "../index/GovStore.ts"
import type { Query } from "../query/Query.ts"

/** Versions of one section, the one that is meant first. */
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

/** The share of the words of its version that the query has. */
const wished = ({ status, version }: Candidate, { statuses, versionWords }: Query): number => {
  const own = wordsIn(version).filter((word) => !vague.has(word) && (word.length > 2 || /\d/.test(word)))
  const had = own.filter((word) => versionWords.has(word)).length
  const share = own.length === 0 ? 0 : had / own.length
  return share + (status === "historical" && statuses.has("historical") ? 0.5 : 0)
}

/** Of a bill, words that all its stages share; of a date, months and days: those are read by `AsOf`. */
const vague = new Set(["bill", "text", "version", "the", "print", "act", "section"])

/** Above 0 where it had begun by that day: the later, the higher. Below 0: the later, the lower. */
const asOf = (candidate: Candidate, day: string): number => {
  const own = dayOf(candidate)
  if (own === "") return 0
  const days = Date.parse(own) / 86_400_000 + 1_000_000
  return own <= day ? days : -days
}

const dayOf = ({ adopted, effective, versionDate }: Candidate): string => effective ?? versionDate ?? adopted ?? ""

const standing = ({ status }: Candidate): number => (status === "historical" ? 0 : 1)

/** Of a bill, how far it has come; its days are not always told. */
const stages = ["introduced", "reported", "placed", "engrossed", "received", "referred", "passed", "enrolled", "public"]
const stage = ({ status, version }: Candidate): number => {
  if (status !== "bill") return -1
  const lower = version.toLowerCase()
  return stages.findLastIndex((name) => lower.includes(name))
}

/** Codes that say no day say which release it is: "Release 81". */
const release = ({ version }: Candidate): number => Number(/^release (\d+)$/i.exec(version)?.[1] ?? 0)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
