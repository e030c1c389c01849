import { hash } from "node:crypto"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { byDice, firstFirst, lastFirst, settle } from "./settledSite.ts"

/** Six letters of a hash. */
const wordOf = (hex: string) => hex.slice(0, 6).replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A list of 100 things, each linked with where the reader comes from; the things link on, with another origin each. */
const tracked = (path: string): string | undefined => {
  const url = new URL(path, "http://site.test")
  const id = Number(url.searchParams.get("id") ?? Number.NaN)
  if (path === "/") return page("home", ...numbers(25).flatMap((n) => [`/thing?id=${n}&via=a`, `/thing?via=b&id=${n}`]))
  if (url.pathname !== "/thing" || Number.isNaN(id)) return undefined
  const next = (id + 25) % 100
  return page(`thing ${id}`, `/thing?id=${next}&via=c`, `/thing?id=${next}&via=d`, `/thing?id=${next}`)
}

describe("the levels of a crawl", () => {
  it.live("learn a parameter that makes no difference to meaning, and ask with it no more", () =>
    Effect.gen(function* () {
      const straight = yield* settle(tracked, { order: firstFirst })
      const later = straight.requests.filter((path) => path.includes("via=c") || path.includes("via=d"))

      expect(straight.documents).toHaveLength(101)
      expect(straight.urls).toContain("/thing?id=40")
      expect(straight.urls).not.toContain("/thing?id=3")
      for (const order of [lastFirst, byDice(1), byDice(2)]) {
        const other = yield* settle(tracked, { order })

        expect(other.rows).toEqual(straight.rows)
        expect(other.requests.toSorted()).toEqual(straight.requests.toSorted())
      }
      expect(later).toEqual([])
    })
  )

  it.live("keep a parameter that makes a difference in one page of many", () =>
    Effect.gen(function* () {
      const crawl = yield* settle((path) => {
        const url = new URL(path, "http://site.test")
        const [id, view] = [url.searchParams.get("id"), url.searchParams.get("view")]
        if (path === "/") return page("home", ...numbers(40).flatMap((n) => [`/p?id=${n}&view=1`, `/p?id=${n}&view=2`]))
        if (url.pathname === "/last") return page("last", "/p?id=99&view=1", "/p?id=99&view=2")
        return id === null ? undefined : page(`p ${id}${id === "7" ? ` as ${view}` : ""}`, "/last")
      })

      expect(crawl.urls.filter((path) => path.includes("id=99"))).toHaveLength(2)
      expect(crawl.documents).toHaveLength(1 + 80 + 1 + 2)
    })
  )

  it.live("follow no more links where page after page has random words, and say so", () =>
    Effect.gen(function* () {
      const babble = (path: string) => {
        if (path === "/robots.txt" || path.includes("sitemap")) return undefined
        const words = Array.from({ length: 60 }, (_, at) => wordOf(hash("sha1", `${path} ${at}`)))
        const links = numbers(12).map((n) => `/${wordOf(hash("sha1", `${path} to ${n}`))}`)
        return page(words.join(" "), ...links)
      }
      const crawl = yield* settle(babble, { request: { limit: 5000 } })
      const [trap] = crawl.errors
      const { discovered = 0, left = 0, scraped = 0 } = crawl.status?.ledger ?? {}

      expect(crawl.errors.map(({ code }) => code)).toEqual(["CRAWL_RANDOM_WORDS"])
      expect(trap?.error).toMatch(/^\d+ addresses were not followed, because page after page has only random words/)
      expect(crawl.status?.warning).toBe(trap?.error)
      expect(scraped).toBeLessThan(2500)
      expect(scraped + left).toBe(discovered)
    })
  )

  it.live("leave a calendar that says nothing new, and say how much of it", () =>
    Effect.gen(function* () {
      const calendar = (path: string) => {
        const at = /^\/calendar\/(\d+)\/(\d+)$/.exec(path)
        if (path === "/") return page("home", "/calendar/2026/1", "/about")
        if (path === "/about") return page("about")
        if (at === null) return undefined
        const months = Number(at[1]) * 12 + Number(at[2]) - 1
        const link = (by: number) => `/calendar/${Math.floor((months + by) / 12)}/${((months + by) % 12) + 1}`
        return page(`Events of ${at[2]}/${at[1]}`, link(1), link(-1), link(12))
      }
      const straight = yield* settle(calendar, { settles: { trapBudget: 40 } })
      const other = yield* settle(calendar, { settles: { trapBudget: 40 }, order: lastFirst })
      const [trap] = straight.errors

      expect(straight.documents.length).toBeGreaterThan(40)
      expect(straight.documents.length).toBeLessThan(120)
      expect(straight.urls).toContain("/about")
      expect(trap).toMatchObject({ code: "CRAWL_TRAP" })
      expect(trap?.error).toMatch(/^\d+ addresses of the series site\.test\/calendar\/#\/# were not followed/)
      expect(straight.status?.warning).toBe(trap?.error)
      const { discovered = 0, left = 0, scraped = 0 } = straight.status?.ledger ?? {}
      expect(left).toBeGreaterThan(0)
      expect(scraped + left).toBe(discovered)
      expect(other.rows).toEqual(straight.rows)
    })
  )

  it.live("say of one address that it was left", () =>
    Effect.gen(function* () {
      const next = (path: string) => page("the same", `/day/${Number(/\d+$/.exec(path)?.[0] ?? 0) + 1}`)
      const { errors } = yield* settle(next, { settles: { trapBudget: 20 } })

      expect(errors.map(({ error }) => error)).toEqual([
        expect.stringMatching(
          /^1 address of the series site\.test\/day\/# was not followed, because its pages have no new/
        )
      ])
    })
  )

  it.live("leave a path that goes round sooner", () =>
    Effect.gen(function* () {
      const crawl = yield* settle(
        (path) => (/^(?:\/[ab])*\/?$/.test(path) ? page("the same", "a/", "b/") : undefined),
        { settles: { trapBudget: 100 } }
      )

      expect(crawl.documents.length).toBeLessThan(300)
      expect(crawl.errors.map(({ code }) => code)).toContain("CRAWL_TRAP")
    })
  )

  it.live("read an archive by date to its end where its pages say something", () =>
    Effect.gen(function* () {
      const words = ["river", "harbour", "council", "school", "bridge", "market", "orchard"]
      const said = (n: number) =>
        [n % 7, Math.floor(n / 7) % 7, Math.floor(n / 49) % 7].map((at) => words[at]).join(" ")
      const crawl = yield* settle(
        (path) => {
          if (path === "/") return page("home", "/2001/1")
          const n = Number(/^\/2001\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
          return Number.isNaN(n) || n > 60 ? undefined : page(`Of the ${said(n)} ${n}`, `/2001/${n + 1}`)
        },
        { settles: { trapBudget: 5 } }
      )

      expect(crawl.documents).toHaveLength(62)
      expect(crawl.errors).toEqual([])
    })
  )
})
