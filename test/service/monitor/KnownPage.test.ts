import { describe, expect, it } from "vitest"
import type { PageDocument } from "#contract/PageDocument"
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

const documentOf = (markdown: string, links: ReadonlyArray<string>): PageDocument => ({
  markdown,
  links: links.map((path) => `http://site.test${path}`),
  metadata: { title: "Data", sourceURL: url, url, statusCode: 200, scrapeId: "s", contentVersion: 1 }
})

/** A page as it is stored: what a release before this one stored has no links. */
const storedAs = (version: string): State => ({ key: url, url, scrapeId: "r", version, checkId: "c", failures: 0 })

/** Checks of a page that is so, one after the other: the statuses from the second on, and the last state. */
const checks = async (states: ReadonlyArray<PageDocument>, from?: string, ofSite: ReadonlySet<string> = new Set()) => {
  let version = from
  const statuses: Array<string> = []
  const diffs: Array<string> = []
  for (const document of states) {
    const page = { targetId: "t", key: url, askedKey: url, url, document }
    const finding = await Finding.ofPage(page, version === undefined ? undefined : storedAs(version), watched, ofSite)
    if (typeof finding.state === "object") version = finding.state.version
    if (finding.status !== "new") statuses.push(finding.status)
    diffs.push(finding.diff?.text ?? "")
  }
  return { statuses, version: version ?? "", diffs }
}

const linesOf = (...lines: ReadonlyArray<string>) =>
  ["# Wells", "The wells of the county are measured by hand each week.", ...lines].join("\n\n")

/** The page at its nth check: a counter, a picture and an item that take turns, links beside the text that do so too. */
const boxes = Array.from({ length: 34 }, (_, n) => `/box/${n}`)
const idle = (n: number, { moves = (n: number) => n, also = "", without = -1 } = {}) =>
  documentOf(
    linesOf(
      `Downloads ${4099 + moves(n) * 17}`,
      `![Banner](http://site.test/i/${moves(n) % 7}.jpg)`,
      `- [Tip ${moves(n) % 3}](http://site.test/tips/${moves(n) % 3}) for readers`,
      `The end.${also}`
    ),
    [...boxes.filter((_, box) => box !== without), ...[0, 1, 2].map((i) => `/related/${(moves(n) * 3 + i) % 40}`)]
  )

const seen = 4

describe("what moves on a page at every check", () => {
  it.each([1, 2, 5, 13])("is no change after it was seen to move, however it moves: by %i", async (by) => {
    const { statuses } = await checks(Array.from({ length: 24 }, (_, n) => idle(n * by + 1)))

    expect(statuses.slice(seen).filter((status) => status !== "same")).toEqual([])
  })

  it("hides no true change on top of it, and the change is shown without it", async () => {
    for (let at = seen + 1; at < 14; at++) {
      const before = Array.from({ length: at }, (_, n) => idle(n))
      const { version } = await checks(before)
      const ofText = await checks([idle(at, { also: " The well is closed." })], version)
      const ofLink = await checks([idle(at, { without: at })], version)
      expect([ofText.statuses, ofLink.statuses]).toEqual([["changed"], ["changed"]])
      expect(ofText.diffs[0]).toContain("+The end. The well is closed.")
      expect(ofText.diffs[0]).not.toMatch(/^[+-]Downloads/m)
      expect(ofLink.diffs[0]).toContain(`/box/${at}>`)
    }
  })

  it("is a change where it stood still and moves again, and where a counter falls", async () => {
    const rest = await checks([0, 1, 2, 3, 3, 3].map((n) => documentOf(linesOf(`Downloads ${4099 + n}`), [])))
    const again = await checks([documentOf(linesOf("Downloads 5000"), [])], rest.version)
    const falls = await checks([0, 1, 2, 3, 4, 2].map((n) => documentOf(linesOf(`Downloads ${4099 + n}`), [])))

    expect(rest.statuses).toEqual(["changed", "changed", "same", "same", "same"])
    expect(again.statuses).toEqual(["changed"])
    expect(falls.statuses).toEqual(["changed", "changed", "same", "same", "changed"])
  })

  it.each([
    ["a price", (n: number) => `Rope £${100 + n}`],
    ["a price with a code", (n: number) => `Rope ${100 + n} EUR`],
    ["a level with decimals", (n: number) => `Level ${100 + n}.25`],
    ["a share", (n: number) => `Turnout ${100 + n} %`],
    ["a stock that falls", (n: number) => `In stock: ${500 - n}`],
    ["a small stock", (n: number) => `In stock: ${n + 1}`],
    ["a row of a table", (n: number) => `| Wells | ${1000 + n} |`],
    ["a heading", (n: number) => `## Issue ${1000 + n}`],
    ["a sentence", (n: number) => `The county has ${1000 + n} wells.`],
    ["a headline that is new each time", (n: number) => `- [Well ${"abcdefghijk"[n]} is dry](http://site.test/${n})`]
  ])("is a change at every check where it is content: %s", async (_, line) => {
    const { statuses } = await checks(Array.from({ length: 9 }, (_, n) => documentOf(linesOf(line(n)), [])))

    expect(statuses).toEqual(Array.from({ length: 8 }, () => "changed"))
  })

  it("keeps what is remembered small", async () => {
    const many = (n: number) =>
      documentOf(
        linesOf(...Array.from({ length: 500 }, (_, i) => `Item ${"x".repeat(i % 30)}: ${1000 + i * n}`)),
        Array.from({ length: 5000 }, (_, i) => `/${n}/${i}`)
      )
    const { version } = await checks([1, 2, 3, 4].map(many))

    expect(version.length - (many(4).markdown?.length ?? 0)).toBeLessThan(60_000)
  })
})

describe("links beside the text", () => {
  it("are a change when one goes, in the first check too, and none when one comes", async () => {
    const page = (links: ReadonlyArray<string>) => documentOf(linesOf(), links)
    const goes = await checks([page(boxes), page(boxes.filter((box) => box !== "/box/7")), page(boxes.slice(1))])

    expect(goes.statuses).toEqual(["changed", "changed"])
    expect(goes.diffs[1]).toContain("-<//site.test/box/7>")
    expect(
      (await checks([page(boxes), page([...boxes, "/new"]), page(["/newer", ...boxes, "/new"])])).statuses
    ).toEqual(["same", "same"])
  })

  it("are a change when one goes of more than are remembered", async () => {
    const many = Array.from({ length: 2000 }, (_, i) => `/box/of/many/${i}`)
    const { diffs, statuses } = await checks([documentOf(linesOf(), many), documentOf(linesOf(), many.toSpliced(9, 1))])

    expect(statuses).toEqual(["changed"])
    expect(diffs[1]).toContain("-<//site.test/box/of/many/9>")
  })

  it("are a change when one leads elsewhere, once they were seen to stand still", async () => {
    const page = (first: string) => documentOf(linesOf(), [first, ...boxes])

    expect((await checks([page("/a"), page("/a"), page("/b")])).statuses).toEqual(["same", "changed"])
    expect((await checks([page("/a"), page("/b"), page("/c"), page("/d")])).statuses).toEqual(["same", "same", "same"])
  })

  it("of the whole site, of the visit and of the text are no changes", async () => {
    const page = (links: ReadonlyArray<string>, also = "") => documentOf(linesOf(also), links)
    const site = new Set(["//site.test/imprint"])

    expect((await checks([page(["/a", "/imprint"]), page(["/a"])], undefined, site)).statuses).toEqual(["same"])
    expect((await checks([page(["/a?sid=1"]), page(["/a?sid=2"])])).statuses).toEqual(["same"])
    const own = "[Own](http://site.test/own)"
    expect((await checks([page(["/own", "/a"], own), page(["/own", "/a"], own)])).statuses).toEqual(["same"])
  })
})

it("a state of an older release has no change by its links, and they are known from then on", async () => {
  const { contentVersion, title } = documentOf("", []).metadata
  const old = JSON.stringify({ contentVersion, title, markdown: linesOf() })
  const { statuses } = await checks([documentOf(linesOf(), boxes), documentOf(linesOf(), boxes.slice(1))], old)
  const older = JSON.stringify({ contentVersion: 0, title, markdown: "Another finder" })

  expect(statuses).toEqual(["same", "changed"])
  expect((await checks([documentOf(linesOf(), boxes), documentOf(linesOf(), boxes.slice(1))], older)).statuses).toEqual(
    ["same", "changed"]
  )
})
