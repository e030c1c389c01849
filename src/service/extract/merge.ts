/** Several pages' data as one. */
import type { Extracted, Source } from "./Candidates.ts"
import type { Json, JsonSchema } from "./JsonSchema.ts"

export interface Page {
  readonly url: string
  readonly extracted: Extracted
}

export const merge = (pages: ReadonlyArray<Page>, _schema: JsonSchema | undefined) => {
  const [first] = pages
  const sources = new Map<string, ReadonlyArray<Source & { readonly url: string }>>()
  for (const [pointer, source] of first?.extracted.sources ?? [])
    sources.set(pointer, [{ ...source, url: first?.url ?? "" }])
  const data: Json = first?.extracted.data ?? null
  return { data, sources, missing: first?.extracted.missing ?? [] }
}
