/**
 * The sections that a query cites.
 *
 * The first reading of a citation that names anything counts. If a number is in several codes, those that the query
 * names count, or all of them if it names none. A citation in the form of the text is always understood. A number alone
 * is a citation only if its text is named.
 */
import * as Effect from "effect/Effect"
import type { Query } from "../query/Query.ts"
import * as Citation from "../text/Citation.ts"
import { GovStore } from "./GovStore.ts"

/** How well a section matches what the query cites; lower is better. Sections found only by words come last. */
export const tiers = { named: -2, copied: -1, explains: 0, asWritten: 1, cited: 2, within: 3, found: 4 } as const

export interface CitedSection {
  readonly id: number
  readonly tier: number
  /** "(a)(1)", or "". */
  readonly paragraph: string
}

export const citedSections = Effect.fnUntraced(function* (query: Query) {
  const store = yield* GovStore
  const { bare, cited, mentions, statuses, text } = query
  const all = [...cited, ...bare]
  const wholes = Citation.wholeKeys(text)
  const rows = yield* store.keyed([...new Set([...all.flatMap(({ keys }) => keys), ...wholes])])
  if (rows.length === 0) return []
  const places = new Map((yield* store.places(rows.map(({ id }) => id))).map((one) => [one.id, one]))
  const named = mentions.filter(({ documents }) => documents.size > 0)
  const documentOf = ({ id }: { readonly id: number }): number => places.get(id)?.documentId ?? -1
  const isNamed = (row: { readonly id: number }): boolean =>
    named.length > 0 && named.every(({ documents }) => documents.has(documentOf(row)))
  const isNamedAtAll = (row: { readonly id: number }): boolean =>
    named.some(({ documents, kind }) => kind !== "jurisdiction" && documents.has(documentOf(row)))
  const isGuidance = ({ id }: { readonly id: number }): boolean => places.get(id)?.status === "guidance"

  const [whole] = wholes.map((key) => rows.filter((row) => row.key === key)).filter((some) => some.length > 0)
  const read = all.flatMap(({ isBare, keys, paragraph }): ReadonlyArray<CitedSection> => {
    for (const key of keys) {
      const own = rows.filter((row) => row.key === key)
      const exact = own.filter(({ isExact }) => isExact)
      // If the query asks for guidance on a section, its interpretation comes first, then the section.
      const guidance = statuses.has("guidance") && !isBare ? own.filter(isGuidance) : []
      const hits = exact.length > 0 ? exact : own
      const meant = [hits.filter(isNamed), hits.filter(isNamedAtAll), isBare ? [] : hits].find(
        (some) => some.length > 0
      )
      if (meant === undefined) continue
      const tier = exact.length > 0 ? tiers.cited : tiers.within
      return [
        ...meant.map(({ id }) => ({ id, tier, paragraph })),
        ...guidance.map(({ id }) => ({ id, tier: tiers.explains, paragraph }))
      ]
    }
    return []
  })
  const paragraph = cited[0]?.paragraph ?? ""
  return [...(whole ?? []).map(({ id }) => ({ id, tier: tiers.asWritten, paragraph })), ...read]
})
