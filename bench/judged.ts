/**
 * A result judged by the targets that its claim has today: rounds are what was measured, verdicts only follow from them.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Claim } from "./Claim.ts"
import { type Result, verdict } from "./Result.ts"

export const judged = async (result: Result): Promise<Result> => {
  const file = join(import.meta.dirname, "claims", `${result.claim}.ts`)
  if (!existsSync(file)) return result
  const { claim }: { readonly claim: Claim } = await import(file)
  const targets = new Map(claim.works.map((work) => [work.name, work.targets]))
  const works = result.works.map((work) => {
    const verdicts = targets.get(work.name)?.map((target) => verdict(target, work.standings))
    return verdicts === undefined ? work : { ...work, verdicts }
  })
  return { ...result, works }
}
