import { expect, it } from "vitest"
import type * as Found from "#service/monitor/Finding"
import * as Finding from "#service/monitor/Finding"
import { changeOf } from "#service/monitor/Findings"
import { judgeByRules } from "#service/monitor/judgeByRules"
import type { State } from "#service/monitor/Monitor"

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

  expect(change.places).toEqual([
    { removed: ["Rope £3"], added: ["Rope £4"] },
    { removed: ["-- old end"], added: ["++ new end"] }
  ])
})

it("has the lines that only one text has, where more has changed than a diff shows, and so they are judged", async () => {
  const rows = (price: string) => Array.from({ length: 6000 }, (_, n) => `| item ${n} | £${n}.${price} |`).join("\n")

  const { change, finding } = await changed(`Prices\n${rows("00")}`, `Prices\n${rows("50")}`)

  expect(finding).toMatchObject({ status: "changed", diff: {} })
  expect(change.places[0]?.added.slice(0, 2)).toEqual(["| item 0 | £0.50 |", "| item 1 | £1.50 |"])
  expect(judgeByRules("prices", change)).toMatchObject({ meaningful: true, confidence: "high" })
})
