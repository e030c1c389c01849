/** How far apart the pages of a crawl are asked for: each host by its own rules, in virtual time. */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { page } from "../../service/scriptedSite.ts"
import { type Asking, crawlVirtually, paths } from "./virtualSite.ts"

const here = paths(6)
const there = ["http://slow.test/a", "http://slow.test/b", "http://slow.test/c"]

/** A start host without a delay, and a host that it links to, whose robots.txt asks for five seconds. */
const twoHosts = ({ url }: Asking) => {
  if (url.pathname === "/robots.txt") {
    return url.host === "slow.test" ? "User-agent: *\nCrawl-delay: 5\n" : undefined
  }
  if (url.pathname === "/sitemap.xml") return undefined
  return url.href === "http://site.test/" ? page("home", ...here, ...there) : page(url.href)
}

/** Whose plan lets it ignore robots.txt. */
const team = { key: Redacted.make("key"), teamId: "team", plan: { ...Plan.open, robotsControl: true } }
const keys = [team]
const other = { ...team, key: Redacted.make("other"), teamId: "other" }

const secondsBetween = (
  asked: ReadonlyArray<{ readonly path: string; readonly now: number }>,
  paths: ReadonlyArray<string>
) => {
  const times = asked.filter(({ path }) => paths.includes(path)).map(({ now }) => now / 1000)
  return times.slice(1).map((at, index) => at - (times[index] ?? 0))
}

describe("a crawl over several hosts", () => {
  it.effect("keeps the crawl delay of each host where that host asks for it, and nowhere else", () =>
    Effect.gen(function* () {
      const { asked, ledger } = yield* crawlVirtually(twoHosts, { allowExternalLinks: true })
      const slow = secondsBetween(asked, ["//slow.test/a", "//slow.test/b", "//slow.test/c"])

      expect(ledger).toMatchObject({ discovered: 10, scraped: 10 })
      expect(slow).toHaveLength(2)
      expect(Math.min(...slow)).toBeGreaterThanOrEqual(5)
      expect(Math.max(...secondsBetween(asked, here))).toBeLessThan(5)
    })
  )

  it.effect("keeps a delay of its own to every host, and the longer one where both ask", () =>
    Effect.gen(function* () {
      const { asked } = yield* crawlVirtually(twoHosts, { allowExternalLinks: true, delay: 2 })

      expect(
        Math.min(...secondsBetween(asked, ["//slow.test/a", "//slow.test/b", "//slow.test/c"]))
      ).toBeGreaterThanOrEqual(5)
      expect(Math.min(...secondsBetween(asked, here))).toBeGreaterThanOrEqual(2)
    })
  )

  it.effect("is not held up by the delay that another job asks for, and all jobs keep that of the site", () =>
    Effect.gen(function* () {
      const site = ({ url }: Asking) =>
        url.pathname === "/robots.txt" ? "User-agent: *\nCrawl-delay: 1\n" : page(url.pathname, ...here)
      const alone = yield* crawlVirtually(site, { sitemap: "skip" })
      const beside = yield* crawlVirtually(site, { sitemap: "skip" }, {}, { sitemap: "skip", delay: 86_400 })

      expect(beside.ledger).toMatchObject({ discovered: 7, scraped: 7 })
      expect(beside.seconds).toBeLessThanOrEqual(alone.seconds + 60)
      const pages = [...here, "/"]
      expect(beside.asked.filter(({ path }) => pages.includes(path))).toHaveLength(8)
      expect(Math.min(...secondsBetween(beside.asked, pages))).toBeGreaterThanOrEqual(1)
    })
  )

  it.effect("keeps the longer crawl delay of the name that a job gives itself, and other jobs do not wait for it", () =>
    Effect.gen(function* () {
      const site = ({ url }: Asking) =>
        url.pathname === "/robots.txt"
          ? "User-agent: *\nCrawl-delay: 1\n\nUser-agent: Special\nCrawl-delay: 30\n"
          : page(url.pathname, ...here)
      const named = { sitemap: "skip", robotsUserAgent: "Special" } as const
      const own = yield* crawlVirtually(site, named, { keys })
      const alone = yield* crawlVirtually(site, { sitemap: "skip" })
      const beside = yield* crawlVirtually(site, { sitemap: "skip" }, { keys: [...keys, other] }, named)
      const pages = [...here, "/"]

      expect(Math.min(...secondsBetween(own.asked, pages))).toBeGreaterThanOrEqual(30)
      expect(beside.ledger).toMatchObject({ discovered: 7, scraped: 7 })
      expect(beside.seconds).toBeLessThanOrEqual(alone.seconds + 60 + 7)
    })
  )

  it.effect("asks no host to wait for rules that it was told to ignore", () =>
    Effect.gen(function* () {
      const { asked } = yield* crawlVirtually(twoHosts, { allowExternalLinks: true, ignoreRobotsTxt: true }, { keys })

      expect(Math.max(...secondsBetween(asked, ["//slow.test/a", "//slow.test/b", "//slow.test/c"]))).toBeLessThan(5)
    })
  )
})
