/**
 * A result and what it says of the targets that its claim has today.
 *
 * Rounds are what was measured and kept, verdicts follow from them wherever a result is read: two results are held
 * against each other by the same statistic, whenever they were measured.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Claim } from "./Claim.ts"
import { type Result, type Verdict, verdict, type WorkResult } from "./Result.ts"

export interface JudgedWork extends WorkResult {
  readonly verdicts: ReadonlyArray<Verdict>
}

export interface Judged extends Result {
  readonly works: ReadonlyArray<JudgedWork>
}

export const judged = async (result: Result): Promise<Judged> => {
  const targets = await targetsOf(result.claim)
  const works = result.works.map((work) => ({
    ...work,
    verdicts: (targets.get(work.name) ?? []).map((target) => verdict(target, work.standings))
  }))
  return { ...result, works }
}

/** By the name of the work; none of a claim that is no more. */
const targetsOf = async (name: string): Promise<ReadonlyMap<string, Claim["works"][number]["targets"]>> => {
  const file = join(import.meta.dirname, "claims", `${name}.ts`)
  if (!existsSync(file)) return new Map()
  const { claim }: { readonly claim: Claim } = await import(file)
  return new Map(claim.works.map((work) => [work.name, work.targets]))
}
