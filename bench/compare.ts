/**
 * Two runs held against each other: does every ratio of the one lie within 15% of the other's?
 *
 * Seconds that are compared with a number are not a ratio: they depend on the machine.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { judged } from "./judged.ts"
import { quotientOf } from "./Result.ts"

const allowed = 1.15

/** Says which ratios do not agree, and whether all do. */
export const compare = async (before: string | undefined, after: string | undefined): Promise<boolean> => {
  if (before === undefined || after === undefined) {
    throw new Error("compare takes two results, or two folders of them: npm run bench -- compare bench/results OTHER")
  }
  const [old, now] = [await ratiosOf(before), await ratiosOf(after)]
  let [agree, differ] = [0, 0]
  for (const [name, ratio] of old) {
    const other = now.get(name)
    if (other === undefined) {
      console.log(`only in ${before}: ${name}`)
      continue
    }
    // Two that are nothing are the same.
    const apart = ratio === other ? 1 : Math.max(ratio / other, other / ratio)
    if (apart <= allowed) agree++
    else {
      differ++
      console.log(`apart by ${((apart - 1) * 100).toFixed(0)}%: ${name}: ${ratio.toFixed(2)} and ${other.toFixed(2)}`)
    }
  }
  for (const name of now.keys()) if (!old.has(name)) console.log(`only in ${after}: ${name}`)
  console.log(`${agree} ratios lie within 15% of each other, ${differ} do not`)
  return differ === 0
}

/** What a work shows, CPU unless it says otherwise, of each contestant against ours, and every ratio that a target names. */
const ratiosOf = async (place: string): Promise<ReadonlyMap<string, number>> => {
  const files = statSync(place).isDirectory()
    ? readdirSync(place)
        .filter((file) => file.endsWith(".json"))
        .map((file) => join(place, file))
    : [place]
  const found = new Map<string, number>()
  for (const file of files) {
    const { claim, works } = await judged(JSON.parse(readFileSync(file, "utf8")))
    for (const { isUntimed, name, shown, standings, verdicts } of works) {
      const [ours, ...others] = standings
      for (const each of isUntimed === true ? [] : others) {
        const ratio = ours === undefined ? undefined : quotientOf(each, ours, shown)
        if (ratio !== undefined) found.set(`${claim}, ${name}: ${each.name}, ${shown === "cpu" ? "CPU" : shown}`, ratio)
      }
      for (const { isTime, ratio, says } of verdicts) {
        if (ratio !== undefined && isTime !== true) found.set(`${claim}, ${name}: ${says}`, ratio)
      }
    }
  }
  return found
}
