import * as Option from "effect/Option"
import { describe, expect, test } from "vitest"
import * as Settling from "#contract/Settling"

describe("how a crawl settles", () => {
  test("is read of its header, and nothing of a header that is something else", () => {
    expect(Settling.read(JSON.stringify({ trapBudget: 5 }))).toEqual(Option.some({ trapBudget: 5 }))
    for (const header of [undefined, "", "end", "{", '{"trapBudget":-1}']) {
      expect(Settling.read(header)).toEqual(Option.none())
    }
  })

  test("packs spellings into little, and gives them back", () => {
    const urls = [
      "https://site.test/docs/",
      "https://site.test/docs/index.html",
      "https://site.test/a b".replace(" ", "%20")
    ]

    expect(Settling.unpack(Settling.pack(urls))).toEqual(urls.toSorted())
    expect(Settling.pack(urls).length).toBeLessThan(urls.join("").length)
  })

  test("leaves out the least important where a header has no room", () => {
    const urls = Array.from({ length: 5000 }, (_, at) => `https://site.test/${(at * 7919) % 5000}/${at}/index.html`)
    const packed = Settling.pack(urls)

    expect(packed.length).toBeLessThanOrEqual(8000)
    expect(Settling.unpack(packed)).toContain(urls[0])
  })
})
