import { describe, expect, it } from "vitest"
import * as SiteName from "#extract/article/SiteName"

describe("the name of a site", () => {
  it("is taken from the end of a title, and from its beginning where it is all of it", () => {
    expect(SiteName.without("The mill turns - Valley News", ["Valley News"])).toBe("The mill turns")
    expect(SiteName.without("Valley News | The mill turns", ["Valley News"])).toBe("The mill turns")
    expect(SiteName.without("The mill turns | Mills | Valley News", ["Valley News"])).toBe("The mill turns | Mills")
    expect(SiteName.without("Valley News", ["Valley News"])).toBe("Valley News")
    expect(SiteName.without("The mill: turns", ["Valley News"])).toBe("The mill: turns")
  })

  it("may be said with more or fewer words than the page has for it", () => {
    expect(SiteName.isSite("Valley News Online", ["Valley News"])).toBe(true)
    expect(SiteName.isSite("Valley News", ["The Valley News of Millbrook"])).toBe(true)
    expect(SiteName.isSite("The mill turns", ["Valley News"])).toBe(false)
  })

  it("stands in the host", () => {
    expect(SiteName.inHost("https://www.valleynews.co.uk/a")).toEqual(["valleynews"])
    expect(SiteName.inHost("no address")).toEqual([])
  })

  it("stands apart from the parts of a title", () => {
    expect(SiteName.partsOf("Mills: the old one – Valley | News")).toEqual(["Mills", "the old one", "Valley", "News"])
  })
})
