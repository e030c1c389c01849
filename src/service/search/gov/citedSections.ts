/**
 * The sections that a query cites.
 *
 * The law: of the readings of a citation the first that names anything counts; where a number is in several codes, those that
 * the query names count, and all of them where it names none. A number alone is no citation unless its text is named.
 */
import * as Effect from "effect/Effect"
import { GovStore } from "./GovStore.ts"
import type { Query } from "./query/Query.ts"

export interface CitedSection {
  readonly id: number
  /** 0: it is what is cited; 1: it stands in it. */
  readonly tier: 0 | 1
  /** "(a)(1)", or "". */
  readonly paragraph: string
}

export const citedSections = Effect.fnUntraced(function* ({ bare, cited, mentions }: Query) {
  const store = yield* GovStore
  const all = [...cited, ...bare]
  if (all.length === 0) return []
  const rows = yield* store.keyed([...new Set(all.flatMap(({ keys }) => keys))])
  if (rows.length === 0) return []
  const documentOf = new Map((yield* store.places(rows.map(({ id }) => id))).map((one) => [one.id, one.documentId]))
  const named = mentions.filter(({ documents }) => documents.size > 0)
  const isNamed = ({ id }: { readonly id: number }): boolean => {
    const document = documentOf.get(id) ?? -1
    return named.length > 0 && named.every(({ documents }) => documents.has(document))
  }
  const isNamedAtAll = ({ id }: { readonly id: number }): boolean => {
    const document = documentOf.get(id) ?? -1
    return named.some(({ documents, kind }) => kind !== "jurisdiction" && documents.has(document))
  }
  return all.flatMap(({ isBare, keys, paragraph }): ReadonlyArray<CitedSection> => {
    for (const key of keys) {
      const own = rows.filter((row) => row.key === key)
      const exact = own.filter(({ isExact }) => isExact)
      const tier = exact.length > 0 ? 0 : 1
      const hits = exact.length > 0 ? exact : own
      const meant = [hits.filter(isNamed), hits.filter(isNamedAtAll), isBare ? [] : hits].find(
        (some) => some.length > 0
      )
      if (meant !== undefined) return meant.map(({ id }) => ({ id, tier, paragraph }))
    }
    return []
  })
})
