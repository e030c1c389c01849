/**
 * Sites that change, drawn by a seed: pages with several URLs, redirects, canonical links, pages that come and go. A crawl that
 * asks only for what has changed gives the tables of a crawl that reads everything. MILLRACE_SEED repeats a site.
 */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { run, sql } from "#library/run"
import { randomFrom, seed } from "#testing/specimens"
import { type Answer, scriptedSite } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"

/** A URL of the site, in one state of it. */
type Place =
  | { readonly _tag: "Page"; readonly page: number; readonly canonical: string | undefined; readonly hasTag: boolean }
  | { readonly _tag: "Redirect"; readonly to: string }
  | { readonly _tag: "Failure"; readonly status: number }

interface SiteState {
  readonly places: ReadonlyMap<string, Place>
  readonly texts: ReadonlyMap<number, string>
  /** The URLs that each page names. */
  readonly links: ReadonlyMap<number, ReadonlyArray<string>>
}

/** URLs of which those of one line may be one page. */
const families = [
  ["/", "/index.html"],
  ["/docs/", "/docs/index.html", "/docs"],
  ["/a", "/a?ref=top", "/a/"],
  ["/b", "/b.html"],
  ["/list?page=1", "/list", "/list?page=2"],
  ["/c", "/c?sort=up", "/c?sort=down"],
  ["/d/index.php", "/d/"],
  ["/Old", "/old"]
] as const

class History {
  readonly #random
  constructor(of: number) {
    this.#random = randomFrom(of)
  }

  readonly #chance = (percent: number): boolean => this.#random(100) < percent
  readonly #one = <A>(of: ReadonlyArray<A>): A => {
    const one = of[this.#random(of.length)]
    if (one === undefined) throw new Error("nothing to draw from")
    return one
  }

  draw(): ReadonlyArray<SiteState> {
    const states = [this.#first()]
    const count = 3 + this.#random(3)
    while (states.length < count) states.push(this.#next(states.at(-1) ?? this.#first()))
    return states
  }

  #first(): SiteState {
    const used = families.filter((_, at) => at === 0 || this.#chance(60))
    const places = new Map<string, Place>()
    let pages = 0
    for (const family of used) {
      const shared = pages++
      for (const [at, path] of family.entries()) {
        if (at > 0 && this.#chance(30)) continue
        places.set(path, this.#place(at > 0 && this.#chance(25) ? pages++ : shared, family))
      }
    }
    const numbers = Array.from({ length: pages }, (_, page) => page)
    return {
      places,
      texts: new Map(numbers.map((page) => [page, this.#text(page)])),
      links: new Map(numbers.map((page) => [page, page === 0 ? [...places.keys()] : this.#links(places)]))
    }
  }

  #place(page: number, family: ReadonlyArray<string>): Place {
    const isStart = family[0] === "/"
    if (!isStart && this.#chance(10)) return { _tag: "Redirect", to: this.#one(family) }
    if (!isStart && this.#chance(5)) return { _tag: "Failure", status: this.#one([404, 410, 403]) }
    return { _tag: "Page", page, canonical: this.#chance(20) ? this.#one(family) : undefined, hasTag: this.#chance(80) }
  }

  #text(page: number): string {
    return `Text ${page} of edition ${this.#random(1_000_000)}.`
  }

  #links(places: ReadonlyMap<string, Place>): ReadonlyArray<string> {
    return [...places.keys()].filter(() => this.#chance(30))
  }

  /** The same site, a little later; now and then nothing has changed. */
  #next(before: SiteState): SiteState {
    const [places, texts, links] = [new Map(before.places), new Map(before.texts), new Map(before.links)]
    for (let changes = this.#random(4); changes > 0; changes--) {
      const page = this.#one([...texts.keys()])
      const kind = this.#random(5)
      if (kind <= 1) texts.set(page, this.#text(page))
      else if (kind === 2) links.set(page, page === 0 ? [...places.keys()] : this.#links(places))
      else {
        const path = this.#one([...places.keys()])
        const was = places.get(path)
        const family: ReadonlyArray<string> = families.find((one: ReadonlyArray<string>) => one.includes(path)) ?? [
          path
        ]
        if (path !== "/") places.set(path, this.#place(was?._tag === "Page" ? was.page : page, family))
      }
    }
    return { places, texts, links }
  }
}

const answersOf = ({ links, places, texts }: SiteState): ReadonlyArray<readonly [string, Answer]> =>
  [...places].map(([path, place]) => [
    path,
    (request, response) => {
      if (place._tag === "Redirect") return void response.writeHead(301, { location: place.to }).end()
      if (place._tag === "Failure") return void response.writeHead(place.status, { "content-type": "text/html" }).end()
      const canonical = place.canonical === undefined ? "" : `<link rel=canonical href="${place.canonical}">`
      const anchors = (links.get(place.page) ?? []).map((href) => `<li><a href="${href}">${href}</a></li>`).join("")
      const text = texts.get(place.page) ?? ""
      const html = `<title>Page ${place.page}</title>${canonical}<main><h1>Page ${place.page}</h1><p>${text}</p></main><ul>${anchors}</ul>`
      const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 8)}"`
      const isKnown = place.hasTag && request.headers["if-none-match"] === etag
      response.writeHead(isKnown ? 304 : 200, { "content-type": "text/html", ...(place.hasTag ? { etag } : {}) })
      response.end(isKnown ? undefined : html)
    }
  ])

const questions = [
  "SELECT url, title, markdown, is_current, dense_rank() OVER (ORDER BY valid_from) AS since, dense_rank() OVER (ORDER BY valid_to) AS until FROM pages ORDER BY ALL",
  "SELECT page_url, list(link ORDER BY position) AS links FROM page_links GROUP BY ALL ORDER BY ALL",
  "SELECT url, code FROM crawl_errors ORDER BY ALL"
]

/** What the tables hold after each run, and how many URLs the run found. */
const load = async (states: ReadonlyArray<SiteState>, revalidate: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-history-"))
  const scope = Scope.makeUnsafe()
  try {
    const site = await Effect.runPromise(Scope.provide(scriptedSite({}), scope))
    const file = join(folder, "site.yaml")
    writeFileSync(
      file,
      [
        `source: { type: crawl, url: "http://site.test/", revalidate: ${revalidate}, scrapeOptions: { formats: [markdown, links] } }`,
        "checks: [{ whole: off }]",
        "sinks: { db: { type: duckdb, path: ./out.duckdb, write: scd2, removed: close } }",
        "network: { tries: 1 }"
      ].join("\n")
    )
    const loaded: Array<unknown> = []
    let unread = 0
    for (const state of states) {
      for (const path of Object.keys(site.routes)) delete site.routes[path]
      Object.assign(site.routes, Object.fromEntries(answersOf(state)))
      const { accounting, status } = await run(file, { resolve: [`site.test=127.0.0.1:${site.port}`] })
      const { discovered, gone, revalidated = 0 } = Option.getOrThrow(accounting)
      unread += revalidated
      const tables: Array<unknown> = [{ status, discovered, gone }]
      for (const question of questions)
        tables.push((await sql(file, question)).map((row) => Object.values(row).join(" ")))
      loaded.push(tables)
    }
    return { loaded, unread }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const count = timesOf(3, 10, 200)
/** How many pages were not read, over all sites: a site may have none that answers 304. */
let unread = 0
it.each(Array.from({ length: count }, (_, at) => seed + at))(
  "a crawl that asks only for what has changed gives the tables of one that reads everything, seed %i",
  async (of) => {
    const states = new History(of).draw()
    const [whole, saved] = await Promise.all([load(states, false), load(states, true)])

    expect(whole.unread).toBe(0)
    unread += saved.unread
    expect(saved.loaded).toEqual(whole.loaded)
  }
)

it("such a crawl leaves pages unread", () => expect(unread).toBeGreaterThan(0))
