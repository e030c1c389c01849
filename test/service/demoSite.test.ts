import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import { crawlPages } from "#contract/crawlPages"
import { serve } from "#site/Server"
import * as Site from "#site/Site"
import { isEveryCase, soaking } from "../thoroughness.ts"
import { behindPort, type Database } from "./databases.ts"

const origin = "http://northmere.test"
const pathOf = (url: string) => url.replace(origin, "")

const crawl = Effect.fnUntraced(function* (site: Site.Site, database: Database) {
  const { url } = yield* serve(site, { host: "127.0.0.1", port: 0, slowness: 0 })
  const service = database.embedded(Number(new URL(url).port), ["northmere.test", "www.northmere.test"])
  const events = yield* Effect.provide(Stream.runCollect(crawlPages({ url: `${origin}/` })), service)
  const ended = events.at(-1)
  if (ended?._tag !== "Ended") return yield* Effect.die("the crawl has no end")
  return { documents: events.flatMap((event) => (event._tag === "Pages" ? event.documents : [])), ...ended }
}, Effect.scoped)

/** What the truth of the site means for a crawl of it. */
const expected = (site: Site.Site) => {
  const answers = Array.from(site.pages.keys(), (path) => site.respond({ method: "GET", path, headers: {}, origin }))
  const pages = answers.filter(({ status }) => status === 200)
  const html = pages.map(({ body }) => new TextDecoder().decode(body)).join("\n")
  // A redirect that only another redirect names is a hop, and no URL that the crawl discovers.
  const isLinked = (path: string) => html.includes(`href="${path}"`) || html.includes(`href="${origin}${path}"`)

  const documents = new Map<string, number>()
  const failures = new Map<string, string>()
  const blocked: Array<string> = []
  let aliases = 0
  for (const [path, { kind, sameAs, status, target }] of site.truth.pages) {
    const draft = site.pages.get(path)
    if (kind === "blocked") blocked.push(path)
    else if (draft?.behaviour === "reset") failures.set(path, "SCRAPE_CONNECTION_ERROR")
    else if (status < 300 || status >= 400) {
      if (sameAs === undefined) documents.set(path, status)
    } else if (kind === "failing" && isLinked(path)) failures.set(path, "SCRAPE_REDIRECT_LOOP")
    else if (target?.startsWith("https:") === true) failures.set(path, "EXTERNAL_LINK")
    else if (kind === "redirect" && isLinked(path)) aliases += 1
  }
  // Routes of a page that draws itself are pages of their own.
  for (const [, route = ""] of html.matchAll(/href="(\/app#\/[^"]*)"/g)) documents.set(route, 200)
  return { documents, failures, blocked, aliases }
}

behindPort("the demo site", (database) => {
  for (const seed of [1, 7]) {
    for (const revision of [1, 3]) {
      // On a commit each database has half of the sites: what is read of a page is the same on both.
      const isHere =
        soaking ||
        ((database.name === "SQLite") === (seed + revision === 2 || seed + revision === 10) &&
          (isEveryCase || seed === 7))
      it.live.runIf(isHere)(`of seed ${seed} in revision ${revision} is crawled exactly as its truth says`, () =>
        Effect.gen(function* () {
          const site = Site.make({ seed, revision })
          const { documents, status, errors } = yield* crawl(site, database)
          const truth = expected(site)
          const statuses = documents.map(({ metadata }) => [pathOf(metadata.url), metadata.statusCode] as const)

          expect(new Map(statuses.toSorted())).toEqual(new Map([...truth.documents].toSorted()))
          expect(documents.length).toBe(truth.documents.size)
          expect(new Map(errors.errors.map(({ url, code }) => [pathOf(url), code]))).toEqual(truth.failures)
          expect(errors.robotsBlocked.map(pathOf).toSorted()).toEqual(truth.blocked.toSorted())
          expect(status).toMatchObject({ status: "completed", total: documents.length, completed: documents.length })
          expect(status.warning).toBeUndefined()
          expect(status.ledger).toEqual({
            discovered: truth.documents.size + truth.failures.size + truth.blocked.length,
            scraped: truth.documents.size,
            failed: truth.failures.size,
            blocked: truth.blocked.length,
            left: 0,
            aliases: truth.aliases
          })
          // Every page that can be read has something to read, and a title.
          const empty = documents.filter(({ markdown, metadata }) => (markdown ?? "") === "" || metadata.title === "")
          expect(empty.map(({ metadata }) => metadata.url)).toEqual([])
        })
      )
    }
  }
})
