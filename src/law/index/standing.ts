/**
 * The factor of a section's score for its status and for the names in the query.
 *
 * Texts in force count more than earlier ones, law counts more than guidance and bills, and texts of a named place, code or
 * agency count more than others. A factor never removes a section.
 */

import type { Query } from "../query/Query.ts"
import type { KnownDocument } from "../query/Vocabulary.ts"
import type { Candidate } from "./GovStore.ts"

export const standing = (candidate: Candidate, document: KnownDocument | undefined, query: Query): number => {
  const { collections, mentions, statuses } = query
  let factor = statuses.has(candidate.status) ? 1.25 : byStatus[candidate.status]
  if (document !== undefined && collections.has(document.collection)) factor *= 1.25
  for (const kind of ["jurisdiction", "collection", "issuer", "document"] as const) {
    const named = mentions.filter((mention) => mention.kind === kind && mention.documents.size > 0)
    if (named.length === 0) continue
    const isOne = named.some(({ documents }) => documents.has(candidate.documentId))
    factor *= isOne ? byMention[kind] : 1
  }
  return factor
}

const byStatus = { "in force": 1, reproduction: 0.85, guidance: 0.8, bill: 0.75, historical: 0.6 }
const byMention = { jurisdiction: 3, collection: 3, issuer: 2.2, document: 2 }
