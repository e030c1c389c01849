import { describe, expect, it } from "@effect/vitest"
import type * as LastRun from "#engine/output/LastRun"
import * as Wholeness from "#engine/run/Wholeness"

const counts = { seen: 0, gone: 0, failed: 0, rejected: 0 }
const nothing: Parameters<typeof Wholeness.judge>[0] = {
  facts: {},
  counts,
  causes: new Map(),
  last: undefined,
  checks: [],
  table: "pages",
  isKeyless: false
}
const judge = (more: Partial<typeof nothing>) => Wholeness.judge({ ...nothing, ...more })
const lastOf = (facts: Record<string, number>, isSame = true): LastRun.LastRun => ({
  runId: "20261123",
  facts,
  rows: {},
  isSame
})

describe("whether a run was whole", () => {
  it("cannot be said where the source does not say how much there is", () => {
    expect(judge({ facts: { left: 3 }, counts: { ...counts, seen: 3 } })).toBeUndefined()
  })

  it("is no question where everything that was discovered came, whatever fits and whatever is gone", () => {
    const whole = judge({ facts: { discovered: 51 }, counts: { seen: 40, gone: 6, failed: 0, rejected: 5 } })

    expect(whole).toMatchObject({ expected: 51, present: 51, missing: 0, isLacking: false, isPartial: false })
    expect(whole?.check).toBeUndefined()
  })

  it("is denied where a site dies: more than a tenth of what was discovered is missing, and it says why", () => {
    const dead = judge({
      facts: { discovered: 51 },
      counts: { ...counts, seen: 12, failed: 39 },
      causes: new Map([["HTTP 503", { count: 39, first: "http://site.test/p12" }]])
    })

    expect(dead).toMatchObject({ expected: 51, present: 12, missing: 39, isLacking: true, isPartial: true })
    expect(dead?.check).toMatchObject({ check: "whole: at most 10% may be missing", table: "pages", passed: false })
    expect(dead?.check?.found).toMatch(
      /^12 of 51 were read, 39 \(76\.5%\) are missing: 39 HTTP 503, first http:\/\/site\.test\/p12; a commit loads what was read and removes nothing; checks: \[\{ whole: 80% \}\]/
    )
  })

  it("is denied where less was discovered than the last good run had, also one of an older version", () => {
    const facts = { discovered: 13, failed: 1 }
    const some = { ...counts, seen: 12 }

    const byOlder = judge({ facts, counts: some, last: lastOf({ discovered: 51, loaded: 49, rejected: 2 }) })
    const byNewer = judge({ facts, counts: some, last: lastOf({ discovered: 51, loaded: 49, expected: 51 }) })
    const byOther = judge({ facts, counts: some, last: lastOf({ discovered: 51, expected: 51 }, false) })

    expect(byOlder).toMatchObject({ expected: 51, missing: 39, isLacking: true })
    expect(byOlder?.why).toBe("38 that run 20261123 had were not reached")
    expect(byNewer).toMatchObject({ expected: 51, missing: 39, isLacking: true })
    expect(byOther).toMatchObject({ expected: 13, missing: 1, isLacking: false, isPartial: true })
  })

  it("is partial below the share where something failed, and whole where the site just has less", () => {
    const last = lastOf({ expected: 51 })
    const failing = judge({ facts: { discovered: 51, failed: 2 }, counts: { ...counts, seen: 49 }, last })
    const shrunk = judge({ facts: { discovered: 49 }, counts: { ...counts, seen: 49 }, last })

    expect(failing).toMatchObject({ missing: 2, isLacking: false, isPartial: true })
    expect(shrunk).toMatchObject({ missing: 2, isLacking: false, isPartial: false })
  })

  it("is partial where pages were left because their host was too slow: none of them is missing", () => {
    const slow = judge({ facts: { discovered: 21, left: 20, too_slow: 20 }, counts: { ...counts, seen: 1 } })

    expect(slow).toMatchObject({ expected: 1, missing: 0, isLacking: false, isPartial: true })
  })

  it("is denied where the pages that were read last are random words, unless the user says that nothing is held", () => {
    const facts = { discovered: 11_111, left: 10_000, random_words: 1 }
    const held = judge({ facts, counts: { ...counts, seen: 1111 } })
    const off = judge({ facts, counts: { ...counts, seen: 1111 }, checks: [{ whole: "off" }] })

    expect(held).toMatchObject({ missing: 0, isLacking: true, isPartial: false })
    expect(held?.check?.check).toBe("whole: pages that are not random words")
    expect(held?.check?.found).toMatch(/^the last of 1,111 that were read are random words/)
    expect(off?.isLacking).toBe(false)
    expect(off?.check?.found).toBe("1,111 of 1,111 were read")
  })

  it("does not take a limit that was reached for a loss, nor what robots.txt has always forbidden", () => {
    const last = lastOf({ expected: 51, blocked: 9 })
    const limited = judge({ facts: { discovered: 51, left: 39 }, counts: { ...counts, seen: 12 }, last })
    const forbidden = judge({ facts: { discovered: 60, blocked: 9 }, counts: { ...counts, seen: 51 }, last })
    const forbiddenNow = judge({ facts: { discovered: 60, blocked: 40 }, counts: { ...counts, seen: 20 }, last })
    const first = judge({ facts: { discovered: 60, blocked: 40 }, counts: { ...counts, seen: 20 } })

    expect(limited).toMatchObject({ missing: 0, isLacking: false, isPartial: false })
    expect(forbidden).toMatchObject({ missing: 0, isLacking: false, isPartial: false })
    expect(forbiddenNow).toMatchObject({ expected: 51, missing: 31, isLacking: true, isPartial: true })
    expect(first).toMatchObject({ missing: 0, isLacking: false, isPartial: false })
  })

  it("does not count as failed what a crawl does not do, as external home pages", () => {
    const facts = { discovered: 20, failed: 10, skipped: 10 }

    expect(judge({ facts, counts: { ...counts, seen: 10 } })).toMatchObject({ missing: 0, isPartial: false })
  })

  it("is partial where a sitemap newly cannot be read", () => {
    const facts = { discovered: 20, unread_parts: 1 }
    const all = { ...counts, seen: 20 }

    expect(judge({ facts, counts: all })).toMatchObject({ isPartial: true, why: "a sitemap could not be read" })
    expect(judge({ facts, counts: all, last: lastOf({ expected: 20, unread_parts: 1 }) })).toMatchObject({
      isPartial: false
    })
  })

  it("is partial where as many other sitemaps cannot be read, and says which", () => {
    const before = lastOf({ expected: 20, unread_parts: 1, unread_names: 7 })
    const facts = { discovered: 19, unread_parts: 1, unread_names: 8 }
    const unread = "the sitemap https://site.test/b.xml answered 503"
    const all = { ...counts, seen: 19 }

    expect(judge({ facts, counts: all, unread, last: before })).toMatchObject({
      isPartial: true,
      why: `${unread}; 1 that run 20261123 had were not reached`
    })
    expect(judge({ facts: { ...facts, unread_names: 7 }, counts: all, last: before })).toMatchObject({
      isPartial: false
    })
    expect(judge({ facts: { discovered: 20 }, counts: all, last: before })).toMatchObject({ isPartial: false })
  })

  it("stays partial as long as a sitemap cannot be read that could be once, and not for one that never could", () => {
    const all = { ...counts, seen: 19 }
    const unreadOf = (facts: Record<string, number>, last?: LastRun.LastRun) =>
      judge({ facts: { discovered: 19, ...facts }, counts: all, last })
    const kept = (wholeness: ReturnType<typeof judge>, facts: Record<string, number>) =>
      lastOf({ expected: 19, ...facts, ...wholeness?.unreadBefore })

    const never = { unread_parts: 1, unread_names: 7 }
    const first = unreadOf(never)
    const second = unreadOf(never, kept(first, never))
    expect([first?.isPartial, second?.isPartial]).toEqual([true, false])

    const down = { unread_parts: 2, unread_names: 9 }
    const third = unreadOf(down, kept(second, never))
    const fourth = unreadOf(down, kept(third, down))
    const fifth = unreadOf(never, kept(fourth, down))
    expect([third?.isPartial, fourth?.isPartial, fifth?.isPartial]).toEqual([true, true, false])
  })

  it("goes by the share that the user says, and holds nothing where it is off", () => {
    const half = { facts: { discovered: 10, failed: 4 }, counts: { ...counts, seen: 6 } }

    expect(judge({ ...half, checks: [{ whole: "40%" }] })?.check).toMatchObject({
      check: "whole: at most 40% may be missing",
      passed: true
    })
    expect(judge({ ...half, checks: [{ whole: "39%" }] })?.check).toMatchObject({ passed: false })
    expect(judge({ ...half, checks: [{ whole: "off" }] })).toMatchObject({ isLacking: false, isPartial: true })
  })

  it("is held below the share where the table is replaced and its rows cannot be told apart", () => {
    const some = { facts: { discovered: 100, failed: 1 }, counts: { ...counts, seen: 99 }, isKeyless: true }

    expect(judge(some)?.check).toMatchObject({ passed: false, found: expect.stringContaining("has no key") })
    expect(judge({ ...some, checks: [{ whole: "off" }] })?.check).toMatchObject({ passed: true })
  })

  it("lets a source that remembers its keys say whether anything may be hidden", () => {
    const failing = { facts: { discovered: 51, failed: 2 }, counts: { ...counts, seen: 49 } }

    expect(judge({ ...failing, facts: { ...failing.facts, doubtful: 0 } })).toMatchObject({ isPartial: false })
    expect(judge({ ...failing, facts: { ...failing.facts, doubtful: 1 } })).toMatchObject({ isPartial: true })
  })

  it("is not held by default where jobs failed: what they were to read the user has named", () => {
    expect(judge({ facts: { discovered: 4, read: 3, failed: 1 } })).toMatchObject({
      missing: 1,
      isLacking: false,
      isPartial: true
    })
  })
})
