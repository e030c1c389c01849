import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { FetchError } from "#web/Fetch"
import { behindPort } from "../../service/databases.ts"
import { file, gate, page, redirect } from "../../service/scriptedSite.ts"
import { job, lead, searcher, searching } from "./gathering.ts"

const closed = file("text/plain", "User-agent: *\nDisallow: /secret")

behindPort("a search through pages", (database) => {
  it.live("reads the best leads first, and weighs what each round has brought", () =>
    Effect.gen(function* () {
      const { gather, pages } = yield* searching(yield* database.fresh, {
        "/a": page("A", "/a1", "/a2"),
        "/b": page("B"),
        "/c": page("C"),
        "/a1": page("A1"),
        "/a2": page("A2")
      })
      yield* gather([lead("/b", 1), lead("/a", 9), lead("/c", 1)], { scores: { "/a1": 5, "/a2": 7 } })

      // The first round is two pages long, and equals keep the order in which they were found.
      expect(pages()).toEqual(["/a", "/b", "/a2", "/a1", "/c"])
    })
  )

  it.live("reads no more than its limit, and leaves the others to the end of the job", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 30 }, (_, index) => `/p${index}`)
      const { gather, jobs, ledger, site } = yield* searching(yield* database.fresh, {
        "/": page("Home", ...links),
        ...Object.fromEntries(links.map((path) => [path, page(path)]))
      })
      const scores = Object.fromEntries(links.map((path) => [path, 1]))
      yield* gather([lead("/")], { scores, limit: 7, concurrency: 5 })
      yield* jobs.finish(job.id, { status: "completed" }, "owner")

      expect(site.requests.filter((path) => path !== "/robots.txt")).toHaveLength(7)
      expect(yield* ledger.ledger(job.id)).toMatchObject({ scraped: 7, left: 24, queued: 0 })
    })
  )

  it.live("reads a page that was given as it is, and found ones only where robots.txt allows it", () =>
    Effect.gen(function* () {
      const { gather, pages, states } = yield* searching(yield* database.fresh, {
        "/robots.txt": closed,
        "/secret/given": page("Given", "/secret/found", "/open"),
        "/secret/found": page("Found"),
        "/open": redirect("/secret/behind"),
        "/secret/behind": page("Behind")
      })
      yield* gather([lead("/secret/given")], { scores: { "/secret/found": 2, "/open": 1 } })

      expect(pages()).toEqual(["/secret/given", "/open"])
      expect(yield* states).toEqual({ "/secret/given": "scraped", "/secret/found": "blocked", "/open": "blocked" })
    })
  )

  it.live("gives one document of two addresses that lead to one page, and ends a loop as a failure", () =>
    Effect.gen(function* () {
      const { gather, ledger, states } = yield* searching(yield* database.fresh, {
        "/one": redirect("/page"),
        "/two": redirect("/page"),
        "/page": page("Page"),
        "/here": redirect("/there"),
        "/there": redirect("/here")
      })
      yield* gather([lead("/one", 3), lead("/two", 2), lead("/here", 1)])
      const { documents } = yield* ledger.chunk(job.id, 0, 10)

      expect(documents).toEqual(['"http://site.test/page"'])
      expect(yield* states).toEqual({ "/one": "scraped", "/two": "alias", "/here": "failed" })
      expect((yield* ledger.failures(job.id)).map(({ code }) => code)).toEqual(["SCRAPE_REDIRECT_LOOP"])
    })
  )

  it.live("goes on behind a kill with what is left: nothing twice, first leads not asked again", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const held = gate(page("Held"))
      const { gather, lease, site } = yield* searching(place, {
        "/": page("Home", "/held", "/last"),
        "/held": held.answer,
        "/last": page("Last")
      })
      const scores = { "/held": 2, "/last": 1 }
      const killed = yield* Effect.forkScoped(gather([lead("/")], { scores }))
      yield* held.reached
      yield* Fiber.interrupt(killed)
      yield* lease.release
      const next = yield* searcher(place, site.port)
      yield* next.lease.take
      yield* held.open
      const before = site.requests.length
      yield* next.gather([lead("/never")], { scores })
      const { documents } = yield* next.ledger.chunk(job.id, 0, 10)

      expect(site.requests.slice(before).filter((path) => path !== "/robots.txt")).toEqual(["/held", "/last"])
      expect(documents.map((document) => new URL(JSON.parse(document)).pathname)).toEqual(["/", "/held", "/last"])
      expect(yield* next.states).toEqual({ "/": "scraped", "/held": "scraped", "/last": "scraped" })
    })
  )

  it.live("costs one page where a page trips its reader, and says why where a page cannot be had", () =>
    Effect.gen(function* () {
      const { gather, ledger, states } = yield* searching(yield* database.fresh, {
        "/bad": page("Bad"),
        "/poor": page("Poor"),
        "/good": page("Good")
      })
      yield* gather([lead("/bad", 3), lead("/poor", 2), lead("/gone", 2), lead("/good", 1)], {
        keep: ({ document: { metadata } }) => {
          if (metadata.title === "Bad") throw new RangeError("too deep")
          const why = {
            code: "SCRAPE_SITE_ERROR",
            message: `the site answers ${metadata.statusCode}`,
            retryable: false
          }
          return metadata.title === "Good"
            ? Effect.succeed({ document: "{}", credits: 1 })
            : Effect.fail(new FetchError({ url: metadata.url, ...why }))
        }
      })
      const failures = yield* ledger.failures(job.id)

      expect(yield* states).toEqual({ "/bad": "failed", "/poor": "failed", "/gone": "failed", "/good": "scraped" })
      expect(failures.map(({ code, error }) => [code, error]).toSorted()).toEqual([
        ["SCRAPE_SITE_ERROR", "the site answers 200"],
        ["SCRAPE_SITE_ERROR", "the site answers 404"],
        ["SCRAPE_UNKNOWN_ERROR", "RangeError: too deep"]
      ])
    })
  )

  it.live("stops before the round that it is told not to begin, and fails with what the question fails with", () =>
    Effect.gen(function* () {
      const { gather, pages } = yield* searching(yield* database.fresh, {
        "/": page("Home", "/1", "/2", "/3"),
        "/1": page("1"),
        "/2": page("2"),
        "/3": page("3")
      })
      let rounds = 0
      const goesOn = Effect.sync(() => ++rounds < 3)
      yield* gather([lead("/")], { scores: { "/1": 3, "/2": 2, "/3": 1 }, goesOn })
      const stopped = yield* Effect.flip(gather([lead("/")], { goesOn: Effect.fail("stop" as const) }))

      expect(pages()).toEqual(["/", "/1", "/2"])
      expect(stopped).toBe("stop")
    })
  )

  it.live("tells of each page before it is read, and writes what belongs to its end with it or not at all", () =>
    Effect.gen(function* () {
      const { gather, jobs, ledger } = yield* searching(yield* database.fresh, { "/a": page("A"), "/b": page("B") })
      const told: Array<string> = []
      const run = gather([lead("/a", 2), lead("/b", 1)], {
        begun: ({ url }) => Effect.sync(() => void told.push(`begun ${url.pathname}`)),
        ended: ({ url }, look) =>
          Effect.andThen(
            jobs.warn(job.id, "written with the end"),
            Effect.suspend(() => {
              told.push(`${look.state} ${url.pathname}`)
              return url.pathname === "/b" ? Effect.die("broken") : Effect.void
            })
          )
      })
      const exit = yield* Effect.exit(run)

      expect(exit._tag).toBe("Failure")
      expect(told).toEqual(["begun /a", "scraped /a", "begun /b", "scraped /b"])
      expect(yield* ledger.ledger(job.id)).toMatchObject({ scraped: 1, queued: 1, credits: 1 })
    })
  )

  it.live("reads single pages for who drives it: once each, and those that a killed process had begun", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const held = gate(page("Held"))
      const first = yield* searching(place, { "/a": page("A"), "/held": held.answer })
      const { read } = yield* first.make([])
      const looks = [yield* read(lead("/a")), yield* read(lead("/a")), yield* read(lead("/gone"))]
      const killed = yield* Effect.forkScoped(read(lead("/held")))
      yield* held.reached
      yield* Fiber.interrupt(killed)
      yield* first.lease.release
      const next = yield* searcher(place, first.site.port)
      yield* next.lease.take
      yield* held.open
      const again = yield* next.make([])
      const after = [yield* again.read(lead("/a")), yield* again.read(lead("/held")), yield* again.read(lead("/held"))]

      expect(looks.map((look) => look?.state)).toEqual(["scraped", undefined, "scraped"])
      expect(after.map((look) => look?.state)).toEqual([undefined, "scraped", undefined])
    })
  )

  it.live("goes to no address of this machine that a page links to", () =>
    Effect.gen(function* () {
      const { gather, ledger, states } = yield* searching(yield* database.fresh, {
        "/": page("Home"),
        "/in": redirect("http://127.0.0.1:1/admin")
      })
      const inside = new URL("http://169.254.169.254/latest/meta-data")
      yield* gather([lead("/"), lead("/in"), { url: inside, depth: 0, kind: "external", score: 0 }])

      expect(yield* states).toEqual({ "/": "scraped", "/in": "failed", "/latest/meta-data": "failed" })
      expect((yield* ledger.failures(job.id)).map(({ code }) => code)).toEqual([
        "SCRAPE_ADDRESS_BLOCKED",
        "SCRAPE_ADDRESS_BLOCKED"
      ])
    })
  )

  it.live("knows many times what it reads of a page with a hundred thousand links, and not all of them", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 60_000 }, (_, index) => `<a href="/${index}">x</a>`).join("")
      const { gather, ledger } = yield* searching(yield* database.fresh, { "/": `<title>Many</title>${links}` })
      yield* gather([lead("/")], {
        limit: 1,
        leadsOf: ({ links }) => links.map((href) => ({ url: new URL(href), depth: 1, kind: "link", score: 0 }))
      })

      expect(yield* ledger.ledger(job.id)).toMatchObject({ scraped: 1, queued: 49_999 })
    })
  )
})
