import { describe, expect, test } from "vitest"
import { KeyColumn, TextColumn } from "#web/embedded/UrlColumns"
import { NumberColumn } from "#web/frontier/NumberColumn"

describe("a column of texts", () => {
  test("gives each number its newest text, whatever its characters and its length", () => {
    const column = new TextColumn()
    const texts = Array.from({ length: 20_000 }, (_, at) =>
      at % 1000 === 7 ? `долго ${"ж".repeat(at * 200)}` : `https://site.test/p/${at}?ü=${at % 3 === 0 ? "" : "😀"}`
    )
    for (const [at, text] of texts.entries()) column.set(at, `was ${text.length}`)
    for (const [at, text] of texts.entries()) column.set(at, text)

    expect(texts.filter((text, at) => column.get(at) !== text)).toEqual([])
  })

  test("knows which numbers have none, and an empty text from none", () => {
    const column = new TextColumn()
    column.set(3, "")
    column.set(5, "gone")
    column.set(5, undefined)

    expect([0, 3, 5, 1_000_000].map((at) => [column.has(at), column.get(at)])).toEqual([
      [false, undefined],
      [true, ""],
      [false, undefined],
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
    const column = new KeyColumn()
    for (const [at, [key, url]] of keys.entries()) column.set(at, key, url)
    expect(keys.map(([, url], at) => column.get(at, url))).toEqual(keys.map(([key]) => key))

    column.set(2, "site.test/from", "https://site.test/from")
    expect(column.get(2, "https://site.test/from")).toBe("site.test/from")
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
