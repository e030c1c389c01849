/**
 * Which page supports each value that a model gave at the end of a run.
 */
import type { Sources } from "../api/Extract.ts"
import * as Support from "../extract/model/Support.ts"
import type { Json } from "../jsonSchema/JsonSchema.ts"
import type { ReadPage } from "./Reader.ts"

/** A value is supported by the first page that says it; one that none says is the model's own. */
export const of = (data: Json, pages: ReadonlyArray<ReadPage>) => {
  const sources: Record<string, Sources[string]> = {}
  const without = Support.of(data, "", [], nothing)
  if (pages.length === 0) for (const [pointer, source] of without.sources) sources[pointer] = [{ ...source, url: "" }]
  let { missing } = without
  for (const { filled, html, text, url } of pages) {
    const support = Support.of(data, text, Support.declaredOf({ url, html, metadata: {} }), filled)
    missing = support.missing
    for (const [pointer, source] of support.sources) {
      const before = sources[pointer]?.[0]
      if (before === undefined || (before.supported === false && source.supported === true)) {
        sources[pointer] = [{ ...source, url }]
      }
    }
  }
  return { sources, missing }
}

const nothing = { data: null, sources: new Map(), missing: [] }
