import { describe, expect, test } from "vitest"
import { UrlColumns } from "#web/embedded/UrlColumns"
import { NumberColumn } from "#web/frontier/NumberColumn"

const found = (seq: number, url: string, key = "") =>
  ({ seq, url, key, depth: 0, kind: "link", state: "scraped" }) as const

describe("a column of texts", () => {
  test("gives each number its newest text, whatever its characters and its length", () => {
    const columns = new UrlColumns()
    const texts = Array.from({ length: 20_000 }, (_, at) =>
      at % 1000 === 7 ? `долго ${"ж".repeat(at * 200)}` : `https://site.test/p/${at}?ü=${at % 3 === 0 ? "" : "😀"}`
    )
    for (const [at, text] of texts.entries()) columns.enter(found(at, `was ${text.length}`))
    for (const [at, text] of texts.entries()) columns.enter(found(at, text))

    expect(texts.filter((text, at) => columns.url(at) !== text)).toEqual([])
  })

  test("knows which numbers have none, and an empty text from none", () => {
    const columns = new UrlColumns()
    for (const seq of [0, 3, 5]) columns.enter(found(seq, "https://site.test/"))
    columns.learn(3, "", undefined, { content: "", template: "" })
    columns.learn(5, "", undefined, { content: "gone" })
    columns.learn(5, "", undefined)

    expect([0, 3, 5, 1_000_000].map((at) => [columns.hasTemplate(at), columns.endedOf(at)?.content])).toEqual([
      [false, null],
      [true, ""],
      [false, null],
      [false, undefined]
    ])
  })
})

describe("a column of keys", () => {
  test("gives keys back that are parts of their URLs, and those that are not", () => {
    const keys: ReadonlyArray<readonly [key: string, url: string]> = [
      ["site.test/a", "https://www.site.test/a/"],
      ["site.test/a?x=1", "http://site.test/a?x=1"],
      ["other.test/landed", "https://site.test/from"],
      ["", "https://site.test/"],
      ["z".repeat(300), `https://site.test/${"y".repeat(400)}${"z".repeat(300)}`]
    ]
    const columns = new UrlColumns()
    const keysOf = () => columns.some(-1, keys.length, () => true).map(({ key }) => key)
    for (const [at, [key, url]] of keys.entries()) columns.enter(found(at, url, key))
    expect(keysOf()).toEqual(keys.map(([key]) => key))

    columns.learn(2, "site.test/from", undefined)
    expect(keysOf()[2]).toBe("site.test/from")
  })
})

describe("a column of numbers", () => {
  test("has what was set, and says what stands where nothing was", () => {
    const column = new NumberColumn(-1)
    for (let at = 0; at < 100_000; at += 3) column.set(at, at - 50_000)

    const wrong = Array.from({ length: 100_002 }, (_, at) => at).filter(
      (at) => column.get(at) !== (at % 3 === 0 && at < 100_000 ? at - 50_000 : -1)
    )
    expect(wrong).toEqual([])
    column.set(2 ** 20, 2 ** 31 - 1)
    expect([column.get(2 ** 20), column.get(2 ** 20 - 1), column.get(2 ** 24)]).toEqual([2 ** 31 - 1, -1, -1])
  })
})
