/**
 * Hits of two searches as one list, by turns, so that neither crowds the other out.
 */
import type { Hit } from "./Search.ts"

export const alternating = (
  ones: ReadonlyArray<Hit>,
  others: ReadonlyArray<Hit>,
  limit: number
): ReadonlyArray<Hit> => {
  const found = new Map<string, Hit>()
  for (let at = 0; at < Math.max(ones.length, others.length); at++) {
    for (const hit of [ones[at], others[at]]) {
      if (hit !== undefined && found.size < limit && !found.has(hit.url)) found.set(hit.url, hit)
    }
  }
  return [...found.values()]
}
