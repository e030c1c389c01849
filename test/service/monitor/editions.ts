/** The demo site in its revisions, one after the other behind one address, and what is known to change between them. */

import * as Effect from "effect/Effect"
import { serve } from "#site/Server"
import * as Site from "#site/Site"

export const origin = "http://northmere.test"

/** From one revision to another. */
export const editions = Effect.fnUntraced(function* (from: number, to: number) {
  const first = Site.make({ seed: 1, revision: from })
  const later = Array.from({ length: to - from }, (_, at) => Site.make({ seed: 1, revision: from + 1 + at }))
  let current = first
  const site: Site.Site = { ...first, respond: (request) => current.respond(request) }
  const { url } = yield* serve(site, { host: "127.0.0.1", port: 0, slowness: 0 })
  const turnTo = (edition: Site.Site) => {
    current = edition
  }
  return { port: Number(new URL(url).port), later, turnTo }
})

/** What is said of pages by their paths against what an edition says of itself; and how many changes there are. */
export const against = ({ revision, truth }: Site.Site, found: ReadonlyMap<string, string>) => {
  const wrong: Array<string> = []
  let changes = 0
  for (const [path, { fields, status }] of truth.changes) {
    const is = found.get(path)
    if (status !== "same") changes += 1
    // A page that is the same under two addresses is come by under one of them.
    if (is !== status && !(is === undefined && status === "same")) {
      wrong.push(`${revision} ${path}: ${is}, not ${status} (${fields.join(", ")})`)
    }
  }
  for (const [path, status] of found) {
    if (status !== "same" && status !== "error" && !truth.changes.has(path)) {
      wrong.push(`${revision} ${path}: ${status}, which nothing says`)
    }
  }
  return { wrong, changes }
}
