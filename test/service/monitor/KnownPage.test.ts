import { describe, expect, it } from "vitest"
import type * as Found from "#service/monitor/Finding"
import * as Finding from "#service/monitor/Finding"
import { changeOf } from "#service/monitor/Findings"
import { judgeByRules } from "#service/monitor/judgeByRules"
import * as KnownPage from "#service/monitor/KnownPage"
import type { State } from "#service/monitor/Monitor"

const text = { text: true, fields: false }
const both = { text: true, fields: true }

const page = (markdown: string, more: Partial<KnownPage.KnownPage> = {}): KnownPage.KnownPage => ({
  markdown,
  contentVersion: 2,
  ...more
})

/** What checks find of a page that is so, one after the other: "changed 1" where it has gone back for the first time. */
const watch = async (first: string, ...states: ReadonlyArray<string>) => {
  let known = page(first)
  const found: Array<string> = []
  for (const markdown of states) {
    const { flips, next, status } = await KnownPage.compare(known, page(markdown), text)
    known = next ?? known
    found.push(flips === 0 ? status : `${status} ${flips}`)
  }
  return found
}

describe("a page that a monitor knows", () => {
  it("is reported once where it goes back and forth between two states, with how often it went back", async () => {
    expect(await watch("X", "Y", "X", "Y", "X", "X", "Y")).toEqual([
      "changed",
      "changed 1",
      "same 2",
      "same 3",
      "same",
      "same 4"
    ])
  })

  it("has changed where it says what it did not say before, also when it went back and forth", async () => {
    expect(await watch("X", "Y", "X", "Y", "Z", "Z", "Y")).toEqual([
      "changed",
      "changed 1",
      "same 2",
      "changed",
      "same",
      "changed 1"
    ])
  })

  it("has changed where it goes back to a state that it had more than ten checks ago", async () => {
    const stays = Array.from({ length: 9 }, () => "Y")

    expect((await watch("X", "Y", ...stays, "X")).at(-1)).toBe("changed")
    expect((await watch("X", "Y", ...stays.slice(1), "X")).at(-1)).toBe("changed 1")
  })

  it("is the same where a newer finder has read it, and its text is what the next one is compared with", async () => {
    const found = await KnownPage.compare(page("as found before"), page("as found now", { contentVersion: 3 }), text)

    expect(found).toMatchObject({
      status: "same",
      isReadAnew: true,
      next: { markdown: "as found now", contentVersion: 3 }
    })
    const next = await KnownPage.compare(found.next ?? page(""), page("as it is now", { contentVersion: 3 }), text)
    expect(next).toMatchObject({ status: "changed", isReadAnew: false })
  })

  it("is read anew where it was kept before there were versions", async () => {
    const { contentVersion: _, ...old } = page("as found before")

    expect(await KnownPage.compare(old, page("as found now"), text)).toMatchObject({ status: "same", isReadAnew: true })
  })

  it("is compared as always where the finder does not read it, before and now", async () => {
    const plain = (markdown: string): KnownPage.KnownPage => ({ markdown })

    expect(await KnownPage.compare(plain("X"), plain("X"), text)).toMatchObject({ status: "same", isReadAnew: false })
    expect(await KnownPage.compare(plain("X"), plain("Y"), text)).toMatchObject({
      status: "changed",
      isReadAnew: false
    })
  })

  it("has changed where a field of it has, also when a newer finder has read its text", async () => {
    const before = page("as found before", { json: { price: 1 } })
    const now = page("as found now", { contentVersion: 3, json: { price: 2 } })
    const found = await KnownPage.compare(before, now, both)

    expect(found).toMatchObject({ status: "changed", isReadAnew: true })
    expect(found.diff).toEqual({ isChanged: true, text: undefined, fields: { price: { previous: 1, current: 2 } } })
  })

  it.each([
    [
      "a new item in a contents page",
      "# Contents\n\n- [One](/1)\n- [Two](/2)",
      "# Contents\n\n- [One](/1)\n- [Two](/2)\n- [Three](/3)"
    ],
    ["a section with another number", "## § 12 Of mills\n\nA mill grinds.", "## § 13 Of mills\n\nA mill grinds."],
    ["statutory history that is removed", "A mill grinds.\n\nHistory: 1990 c. 5 s. 2.", "A mill grinds."]
  ])("has changed by %s", async (_, before, now) => {
    expect(await watch(before, now)).toEqual(["changed"])
  })

  it("is the same where one place shows another item that stands elsewhere on the page", async () => {
    const shows = (tip: string) =>
      `## Featured\n\n${tip}\n\n## All\n\n- [Oil](/oil)\n- [Rope](/rope)\n- [Sieve](/sieve)`

    expect(
      await watch(shows("[Oil](/oil)"), shows("[Rope](/rope)"), shows("[Sieve](/sieve)"), shows("[Lamp](/lamp)"))
    ).toEqual(["same", "same", "changed"])
  })
})

const url = "http://site.test/prices"
const watched = { text: true, fields: false }

const pageOf = (markdown: string): Found.Page => ({
  targetId: "t",
  key: url,
  askedKey: url,
  url,
  document: { markdown, metadata: { title: "List", sourceURL: url, url, statusCode: 200, scrapeId: "s" } }
})

const before = (markdown: string): State => ({
  key: url,
  url,
  scrapeId: "r",
  version: JSON.stringify({ title: "List", markdown }),
  checkId: "c",
  failures: 0
})

const changed = async (old: string, now: string) => {
  const finding = await Finding.ofPage(pageOf(now), before(old), watched)
  return { finding, change: changeOf({ ...finding, status: "changed" }, before(old), pageOf(now)) }
}

it("has a place for each part of the page that changed", async () => {
  const { change } = await changed("Rope £3\n\nOne.\n\nTwo.\n\n-- old end", "Rope £4\n\nOne.\n\nTwo.\n\n++ new end")

  expect(change.hunks).toEqual([
    { removed: ["Rope £3"], added: ["Rope £4"] },
    { removed: ["-- old end"], added: ["++ new end"] }
  ])
})

it("has the lines that only one text has, where more has changed than a diff shows, and so they are judged", async () => {
  const rows = (price: string) => Array.from({ length: 6000 }, (_, n) => `| item ${n} | £${n}.${price} |`).join("\n")

  const { change, finding } = await changed(`Prices\n${rows("00")}`, `Prices\n${rows("50")}`)

  expect(finding).toMatchObject({ status: "changed", diff: {} })
  expect(change.hunks[0]?.added.slice(0, 2)).toEqual(["| item 0 | £0.50 |", "| item 1 | £1.50 |"])
  expect(judgeByRules("prices", change)).toMatchObject({ meaningful: true, confidence: "high" })
})
