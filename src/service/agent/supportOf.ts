/**
 * The data of a model at the end of a run, with the page that supports each value: the first one that says it. A fact that no
 * page says is left out and listed.
 */
import * as Effect from "effect/Effect"
import type { Sources } from "#contract/Extract"
import type { Json } from "#contract/JsonSchema"
import type { Source } from "#extract/Candidates"
import { Extractor, type Wanted } from "#extract/Extractor"
import { grounded } from "#extract/Grounded"
import * as Support from "#extract/Support"
import type { ReadPage } from "./Reader.ts"

export const supportOf = Effect.fnUntraced(function* (data: Json, wanted: Wanted, pages: ReadonlyArray<ReadPage>) {
  const { support } = yield* Extractor
  const found = new Map<string, Source & { readonly url: string }>()
  const without = Support.of(data, "", [], nothing)
  if (pages.length === 0) for (const [pointer, source] of without.sources) found.set(pointer, { ...source, url: "" })
  for (const { filled, html, text, url } of pages) {
    // A page that is too costly to compare supports nothing.
    const compared = support({ url, html, metadata: {} }, { data, text, found: filled })
    const outcome = yield* Effect.catchTag(compared, "FetchError", () => Effect.succeed(without))
    for (const [pointer, source] of outcome.sources) {
      const before = found.get(pointer)
      if (before === undefined || (before.supported === false && source.supported === true)) {
        found.set(pointer, { ...source, url })
      }
    }
  }
  const { inferred: _, sources, ...checked } = grounded(data, wanted, found)
  const placed: Sources = Object.fromEntries(Array.from(sources, ([pointer, source]) => [pointer, [source]]))
  return { ...checked, sources: placed }
})

const nothing = { data: null, sources: new Map(), missing: [] }
