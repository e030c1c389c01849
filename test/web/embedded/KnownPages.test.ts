import { describe, expect, it } from "vitest"
import * as Segment from "#base/Segment"
import type { KnownPage } from "#web/CrawlUrl"
import * as KnownPages from "#web/embedded/KnownPages"

const pageOf = (n: number): KnownPage => ({
  url: `http://site.test/${n}`,
  etag: `"${n}"`,
  at: n,
  links: ["http://site.test/"]
})

describe("what the last crawl knew of its pages", () => {
  it("is found page by page, however many blocks there are and in whatever order it is asked for", async () => {
    const segment = Segment.memory()
    for (let block = 0; block < 40; block++) {
      await segment.append([KnownPages.encode({ pages: [pageOf(2 * block), pageOf(2 * block + 1)] })])
    }
    const { find } = await KnownPages.open(segment)
    const order = [79, 0, 40, 41, 1, 79]

    expect(await Promise.all(order.map((n) => find(`http://site.test/${n}`)))).toEqual(order.map(pageOf))
    expect(await find("http://site.test/80")).toBeUndefined()
  })

  it("leaves out pages that are to be read whole, and has the latest word on others", async () => {
    const segment = Segment.memory()
    await segment.append([KnownPages.encode({ pages: [pageOf(1), pageOf(2)] })])
    await segment.append([KnownPages.encode({ pages: [{ ...pageOf(2), at: 9 }] })])
    await segment.append([KnownPages.encode({ without: ["http://site.test/1"] })])
    const { find } = await KnownPages.open(segment)

    expect(await find("http://site.test/1")).toBeUndefined()
    expect((await find("http://site.test/2"))?.at).toBe(9)
  })
})
