/**
 * How much a link promises: by the words that its address and its text share with what is wanted.
 */

import { isSchema, type Json } from "../jsonSchema/JsonSchema.ts"
import { termsOf } from "../search/Relevance.ts"
import type { Wanted } from "./Extractor.ts"

export type Score = (href: string, text: string) => number

/**
 * What scores links by what is wanted. 0: nothing in common; each shared word counts once, more where it stands in the text
 * of the link.
 */
export const linkScore = (wanted: Wanted): Score => {
  const terms = termsOfWanted(wanted)
  return (href, text) => {
    const path = URL.parse(href)?.pathname ?? ""
    const inPath = new Set(termsOf(path))
    const inText = new Set(termsOf(text))
    let score = 0
    for (const term of terms) score += inText.has(term) ? 2 : inPath.has(term) ? 1 : 0
    return score
  }
}

/** Words of the prompt, and the names that the schema has on its upper levels. */
const termsOfWanted = (wanted: Wanted): ReadonlySet<string> => {
  const names: Array<string> = []
  const collect = (schema: Json | undefined, depth: number): void => {
    if (!isSchema(schema) || depth > 3) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === "properties" && isSchema(value)) {
        for (const name of Object.keys(value)) names.push(name)
        for (const child of Object.values(value)) collect(child, depth + 1)
      } else if (key === "items") collect(value, depth + 1)
      else if ((key === "title" || key === "description") && typeof value === "string") names.push(value)
    }
  }
  collect(wanted.schema, 0)
  const words = names
    .join(" ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll("_", " ")
  return new Set([...termsOf(wanted.prompt ?? ""), ...termsOf(words)])
}
