/**
 * The key of a row as a person writes it: the value alone, `a=1,b=2`, or a JSON object.
 *
 * A value with a comma in it is written as JSON. Values are compared as the columns have them, so `1` finds a number.
 */
import * as Effect from "effect/Effect"
import { didYouMean } from "#base/didYouMean"
import type * as Table from "#engine/Table"
import { wrong } from "../CliFailure.ts"

export const rowKey = Effect.fnUntraced(function* ({ columns, key, name }: Table.Table, said: string) {
  // In a table without a key, any column may name the row.
  const names = key.length > 0 ? key : columns.map((column) => column.name)
  const values = yield* valuesIn(said, key)
  for (const own of Object.keys(values)) {
    if (names.includes(own)) continue
    const near = didYouMean(own, names)
    return yield* wrong(
      `table ${name}: ${own} is not in its key, ${names.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`
    )
  }
  const missing = key.find((own) => values[own] === undefined)
  if (missing !== undefined) {
    return yield* wrong(`table ${name}: the key lacks ${missing}: write ${key.map((own) => `${own}=...`).join(",")}`)
  }
  if (key.length === 0 && Object.keys(values).length === 0) {
    return yield* wrong(`table ${name} has no key: name a row by its columns, as ${names[0] ?? "column"}=...`)
  }
  return values
})

const valuesIn = Effect.fnUntraced(function* (said: string, key: ReadonlyArray<string>) {
  if (said.trimStart().startsWith("{")) {
    const parsed = yield* Effect.try({
      try: (): unknown => JSON.parse(said),
      catch: () => wrong(`the key begins with { but is not valid JSON: ${said}`)
    })
    return texts(parsed)
  }
  const [only] = key
  if (key.length === 1 && only !== undefined) {
    return { [only]: said.startsWith(`${only}=`) ? said.slice(only.length + 1) : said }
  }
  // A comma separates two columns only if a name and = follow it.
  const parts = said.split(/,(?=[\p{L}_][\p{L}\p{N}_]*=)/u).flatMap((part) => {
    const at = part.indexOf("=")
    return at <= 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1)] as const]
  })
  return Object.fromEntries(parts)
})

const texts = (parsed: unknown): Readonly<Record<string, string>> =>
  typeof parsed === "object" && parsed !== null
    ? Object.fromEntries(
        Object.entries(parsed).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
      )
    : {}
