/**
 * Rows that a prompt asks for by a plain rule: "only products in stock", "jobs in London", "under 50".
 *
 * A rule is applied only if its words are plain and the rows contain what it is about; a row without that fact stays. A
 * place that no row names is not a rule.
 */
import type { Thing } from "../Candidates.ts"
import * as Choice from "../value/Choice.ts"
import * as Numeral from "../value/Numeral.ts"
import * as Price from "../value/Price.ts"
import type { CandidateValue, Leaves } from "./CandidateValue.ts"
import * as Names from "./Names.ts"

export interface Filter {
  readonly rows: (things: ReadonlyArray<Thing>, leaves: Leaves) => ReadonlyArray<Thing>
}

/** true: fits; false: does not; undefined: does not say. */
type Rule = (leaf: CandidateValue) => boolean | undefined

export const of = (prompt: string | undefined): Filter => {
  const rules = prompt === undefined ? [] : rulesOf(prompt.slice(0, 2000))
  return {
    rows: (things, leaves) =>
      rules.reduce((some, rule) => {
        const judged = some.map((thing) => ({ thing, fits: judge(rule, leaves.of(thing)) }))
        return judged.some(({ fits }) => fits === true)
          ? judged.filter(({ fits }) => fits !== false).map(({ thing }) => thing)
          : some
      }, things)
  }
}

/**
 * "Only lamps in stock", and not "all lamps and whether they are in stock" or "all lamps with price and stock, if available":
 * a word between that begins another thought says that it is a field.
 */
const stocked =
  /\b(?:only|just|all|that are|which|currently)\b(?:(?!\b(?:and|or|plus|with|whether|if|how|including|their|its)\b)[^.;:]){0,40}\b(?:in stock|available)\b(?! (?:status|information|flag|or not|since|from|until)\b)/i

const judge = (rule: Rule, leaves: ReadonlyArray<CandidateValue>): boolean | undefined => {
  let found: boolean | undefined
  for (const leaf of leaves) {
    const fits = rule(leaf)
    if (fits === true) return true
    found = fits ?? found
  }
  return found
}

const rulesOf = (prompt: string): ReadonlyArray<Rule> => {
  const found: Array<Rule> = []
  if (stocked.test(prompt)) {
    found.push(({ data, path }) =>
      Names.conceptOf(path.own)?.id === "availability" ? Choice.truth(String(data)) : undefined
    )
  }
  const bound =
    /\b(under|below|less than|cheaper than|at most|over|above|more than|at least)\s+([€$£]?\s?\d[\d.,]*\s?[€$£]?)/i.exec(
      prompt
    )
  const limit = bound === null ? undefined : Numeral.all(bound[2] ?? "")[0]?.value
  if (bound !== null && limit !== undefined) {
    const isUpper = /under|below|less|cheaper|most/i.test(bound[1] ?? "")
    found.push(({ data, path }) => {
      if (Names.conceptOf(path.own)?.kind !== "money") return undefined
      const amount = typeof data === "number" ? data : Price.parse(String(data))?.amount
      return amount === undefined ? undefined : isUpper ? amount <= limit : amount >= limit
    })
  }
  const place = /\b(?:in|near|at|from)\s+(\p{Lu}[\p{L}'-]+(?:\s\p{Lu}[\p{L}'-]+){0,3})/u.exec(prompt)?.[1]
  if (place !== undefined) {
    const wanted = place.toLowerCase()
    found.push(({ data, path }) => {
      const concept = Names.conceptOf(path.own)
      const isPlace = concept?.id === "location" || concept?.broader === "location" || concept?.id === "address"
      return isPlace ? String(data).toLowerCase().includes(wanted) : undefined
    })
  }
  return found
}
