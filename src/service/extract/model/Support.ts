/**
 * Whether a page says a value that a model gave.
 *
 * The law: a text is supported where its words stand on the page in that order, a number where the page writes the same
 * number, a date where the page writes the same day, and any value where our own rules found the same. Nothing else is.
 */
import type { Extracted, Source, Thing } from "../Candidates.ts"
import type { Input } from "../Extractor.ts"
import type { Json } from "../JsonSchema.ts"
import { isSchema } from "../JsonSchema.ts"
import { candidates } from "../read/candidates.ts"
import * as Day from "../value/Day.ts"

export interface Support {
  readonly sources: ReadonlyMap<string, Source>
  /** JSON pointers of what was asked for and is null. */
  readonly missing: ReadonlyArray<string>
}

/** `text` is what the page says, `declared` what it declares as data, `found` what rules have filled in. */
export const of = (data: Json, text: string, declared: ReadonlyArray<string>, found: Extracted): Support => {
  const page = plain([text, ...declared].join("\n"))
  const numbers = new Set((page.match(/\d[\d.,' ]*/g) ?? []).flatMap(numbersOf))
  const days = new Set(Day.all(page).map(Day.iso))
  const rules = new Map<string, Source>()
  for (const [pointer, source] of found.sources) rules.set(keyOf(at(found.data, pointer)), source)
  const sources = new Map<string, Source>()
  const missing: Array<string> = []

  const isSaid = (value: string | number | boolean): boolean => {
    if (typeof value === "boolean") return false
    if (typeof value === "number") return numbers.has(value)
    const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0]
    return page.includes(plain(value)) || (day !== undefined && days.has(day))
  }
  const visit = (value: Json, pointer: string): void => {
    if (value === null) missing.push(pointer)
    else if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${pointer}/${index}`))
    else if (isSchema(value)) {
      for (const [name, part] of Object.entries(value)) visit(part, `${pointer}/${escape(name)}`)
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      const rule = rules.get(keyOf(value))
      if (rule !== undefined) sources.set(pointer, { ...rule, supported: true })
      else if (isSaid(value)) sources.set(pointer, { kind: "text", path: "", span: [0, 0], supported: true })
      else sources.set(pointer, { kind: "model", path: "", span: [0, 0], supported: false })
    }
  }
  visit(data, "")
  return { sources, missing }
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** "1.299,00" may be 1299 and 1.299; both are what the page writes. */
const numbersOf = (written: string): ReadonlyArray<number> => {
  const digits = written.replaceAll(/[' ]/g, "").replace(/[.,]+$/, "")
  const readings = [
    digits,
    digits.replaceAll(",", ""),
    digits.replaceAll(".", "").replace(",", "."),
    digits.replaceAll(/[.,]/g, "")
  ]
  return readings.map(Number).filter(Number.isFinite)
}

const keyOf = (value: Json | undefined): string =>
  typeof value === "string" ? plain(value) : JSON.stringify(value ?? null)

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

const at = (data: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = data
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    value = Array.isArray(value) ? value[Number(key)] : isSchema(value) ? value[key] : undefined
  }
  return value
}

/** Texts that the page declares as data, beside what it shows. */
export const declaredOf = ({ html, url }: Input): ReadonlyArray<string> => {
  const { page, things } = candidates(html, url)
  const texts: Array<string> = []
  const collect = ({ properties }: Thing): void => {
    for (const { value } of properties) {
      if (value._tag === "Thing") collect(value)
      else texts.push(String(value.data))
      if (value._tag === "Value" && value.href !== undefined) texts.push(value.href)
    }
  }
  for (const thing of [page, ...things]) collect(thing)
  return texts
}
