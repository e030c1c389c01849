/**
 * Joins the hits of two searches by turns, so that neither crowds the other out. A page that both found counts once,
 * even if they spell its URL differently.
 */
import * as PageUrl from "#contract/PageUrl"

export const interleave = <Hit extends { readonly url: string }>(
  ones: ReadonlyArray<Hit>,
  others: ReadonlyArray<Hit>,
  limit: number
): ReadonlyArray<Hit> => {
  const hitsByUrl = new Map<string, Hit>()
  for (let at = 0; at < Math.max(ones.length, others.length); at++) {
    for (const hit of [ones[at], others[at]]) {
      if (hit === undefined || hitsByUrl.size >= limit) continue
      const url = PageUrl.normalize(hit.url)
      const key = url === undefined ? hit.url : PageUrl.key(url, false)
      if (!hitsByUrl.has(key)) hitsByUrl.set(key, hit)
    }
  }
  return [...hitsByUrl.values()]
}
