/**
 * Values that were found on pages whose truth is known, by the kind of their field: right, wrong or missing; and whether the
 * place that is named for a value holds it.
 *
 * A value that is found where the truth has none is wrong, so that null is better than a guess. A value is grounded where it is
 * right and the characters of the HTML that its source names say it, in this or in another form. Values are also counted by how
 * sure they are said to be.
 */
import { existsSync, readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import type { Json, JsonSchema } from "../src/contract/JsonSchema.ts"
import type { Extracted } from "../src/extract/Candidates.ts"
import * as Support from "../src/extract/Support.ts"
import * as Dom from "../src/page/Dom.ts"

interface Count {
  right: number
  wrong: number
  missing: number
  /** Of the right ones: those whose source holds them, and those of which that can be asked. */
  grounded: number
  groundable: number
  /** How many values of each certainty are right, and how many there are. */
  readonly certain: Map<string, readonly [right: number, all: number]>
}

/** The counts of a set of pages, by the kind of the field. */
export type Counts = Map<string, Count>

const empty = (): Count => ({ right: 0, wrong: 0, missing: 0, grounded: 0, groundable: 0, certain: new Map() })

/** A value as it was found, and the page that it was found on. */
interface Found {
  readonly json: Json | undefined
  readonly pointer: string
  readonly extracted: Extracted
  readonly url: string
  readonly html: string
}

export const add = (counts: Counts, schema: Json, wanted: Json | undefined, found: Found): void => {
  const truth = wanted ?? null
  const value = found.json ?? null
  if (truth === null && value === null) return
  const kind = kindOf(schema)
  const count = counts.get(kind) ?? empty()
  counts.set(kind, count)
  if (value !== null && !Array.isArray(value)) {
    const certainty = found.extracted.sources.get(found.pointer)?.certainty ?? "none"
    const [right, all] = count.certain.get(certainty) ?? [0, 0]
    count.certain.set(certainty, [right + (isDeepStrictEqual(truth, value) ? 1 : 0), all + 1])
  }
  if (value === null) {
    if (truth !== null) count.missing++
  } else if (isDeepStrictEqual(truth, value)) {
    count.right++
    // What a choice is made by need not be its word.
    if (kind !== "choice" && (typeof value === "string" || typeof value === "number")) {
      count.groundable++
      if (isGrounded(value, found)) count.grounded++
    }
  } else count.wrong++
}

const isGrounded = (value: string | number, { extracted, html, pointer, url }: Found): boolean => {
  const source = extracted.sources.get(pointer)
  if (source === undefined) return false
  const part = html.slice(source.span[0], source.span[1])
  const name = pointer.split("/").findLast((step) => !/^\d*$/.test(step)) ?? ""
  const text = `${Dom.textOf(Dom.parse(part), part.length)}\n${part}`
  const declared = Support.declaredOf({ url, html: part, metadata: {} })
  return Support.of({ [name]: value }, text, declared, nothing).sources.get(`/${name}`)?.supported === true
}

const nothing: Extracted = { data: null, sources: new Map(), missing: [] }

/** What is wanted of a field: text, number, date, address, yes or no, one of several; or a list of them. */
const kindOf = (schema: Json): string => {
  const { enum: choices, format, items, type } = isObject(schema) ? schema : {}
  if (items !== undefined) return `list of ${kindOf(items)}`
  if (choices !== undefined) return "choice"
  return typeof format === "string" ? format : String(type === "integer" ? "number" : type)
}

const isObject = (value: Json): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Share {
  readonly right: number
  readonly wrong: number
  readonly missing: number
  readonly grounding: number
}

/** The shares of a count. Grounding is the F1 of the values whose source holds them, of those that were found and those there are. */
const shareOf = ({ grounded, groundable, missing, right, wrong }: Count): Share => {
  const all = Math.max(1, right + wrong + missing)
  const held = groundable === 0 ? 0 : (grounded / groundable) * right
  const [precision, recall] = [held / Math.max(1, right + wrong), held / Math.max(1, right + missing)]
  return {
    right: right / all,
    wrong: wrong / all,
    missing: missing / all,
    grounding: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  }
}

const sumOf = (counts: Counts): Count => {
  const total = empty()
  for (const one of counts.values()) {
    total.right += one.right
    total.wrong += one.wrong
    total.missing += one.missing
    total.grounded += one.grounded
    total.groundable += one.groundable
    for (const [certainty, [right, all]] of one.certain) {
      const [before, of] = total.certain.get(certainty) ?? [0, 0]
      total.certain.set(certainty, [before + right, of + all])
    }
  }
  return total
}

export const print = (title: string, counts: Counts): void => {
  console.log(`\n${title}`)
  console.log("  kind                 right   wrong missing |  right   wrong missing grounding F1")
  for (const [kind, count] of [...counts, ["all", sumOf(counts)] as const]) {
    const { grounding, missing, right, wrong } = shareOf(count)
    const shares = [right, wrong, missing].map((share) => `${(100 * share).toFixed(1)}%`.padStart(7)).join(" ")
    const numbers = [count.right, count.wrong, count.missing].map((n) => String(n).padStart(7)).join(" ")
    console.log(
      `  ${kind.padEnd(18)} ${numbers} |${shares} ${count.groundable === 0 ? "" : grounding.toFixed(3).padStart(9)}`
    )
  }
  const { certain } = sumOf(counts)
  const shares = ["high", "medium", "low", "none"].flatMap((certainty) => {
    const [right, all] = certain.get(certainty) ?? [0, 0]
    return all === 0 ? [] : [`${certainty} ${((100 * right) / all).toFixed(1)}% of ${all}`]
  })
  console.log(`  right, by how sure: ${shares.join(", ")}`)
}

/** What a set may lose: a share of its values. */
const allowance = 0.002

/** The right and the wrong share of each set and kind, as a file keeps them. */
export const sharesOf = (
  sets: ReadonlyMap<string, Counts>
): Readonly<Record<string, readonly [right: number, wrong: number]>> =>
  Object.fromEntries(
    [...sets].flatMap(([set, counts]) =>
      [...counts, ["all", sumOf(counts)] as const].map(([kind, count]) => {
        const { right, wrong } = shareOf(count)
        return [`${set}: ${kind}`, [round(right), round(wrong)] as const]
      })
    )
  )

const round = (share: number): number => Math.round(share * 1e4) / 1e4

/** What is worse than a file allows: a wrong share that rose, or a right share that fell, by more than the allowance. */
export const lossesOf = (sets: ReadonlyMap<string, Counts>, file: string): ReadonlyArray<string> => {
  if (!existsSync(file)) return [`${file} is not there: write it with --keep ${file}`]
  const before: ReturnType<typeof sharesOf> = JSON.parse(readFileSync(file, "utf8"))
  return Object.entries(sharesOf(sets)).flatMap(([name, [right, wrong]]) => {
    const [rightBefore, wrongBefore] = before[name] ?? [right, wrong]
    return [
      ...(wrong > wrongBefore + allowance
        ? [`${name}: ${percent(wrong)} are wrong, ${percent(wrongBefore)} before`]
        : []),
      ...(right < rightBefore - allowance
        ? [`${name}: ${percent(right)} are right, ${percent(rightBefore)} before`]
        : [])
    ]
  })
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`
