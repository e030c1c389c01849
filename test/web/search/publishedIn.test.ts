import { describe, expect, it } from "vitest"
import { publishedIn } from "#web/SearchRun"

const now = Date.UTC(2026, 5, 15, 12)
const day = 24 * 60 * 60 * 1000

describe("the time of a search", () => {
  it("is so long before now, and told to web searches as the least that holds it", () => {
    expect(publishedIn("qdr:w", now)).toEqual({ since: now - 7 * day, newestFirst: false, range: "week" })
    expect(publishedIn("qdr:h6,sbd:1", now)).toEqual({ since: now - day / 4, newestFirst: true, range: "day" })
    expect(publishedIn("qdr:y3", now)).toEqual({ since: now - 3 * 365 * day, newestFirst: false })
  })

  it("is from a day to a day, the last one whole", () => {
    expect(publishedIn("cdr:1,cd_min:6/1/2026,cd_max:06/02/2026", now)).toEqual({
      since: Date.UTC(2026, 5, 1),
      until: Date.UTC(2026, 5, 3),
      newestFirst: false,
      range: "month"
    })
    expect(publishedIn("cdr:1,cd_max:6/2/2026", now)).toEqual({ until: Date.UTC(2026, 5, 3), newestFirst: false })
    expect(publishedIn("sbd:1", now)).toEqual({ newestFirst: true })
  })

  it("is none where it says none", () => {
    for (const odd of [
      "",
      "week",
      "qdr:x",
      "qdr:",
      "qdr:w99999",
      "cdr:1,cd_min:2026-01-01",
      "cdr:1,cd_min:2/31/2026"
    ]) {
      expect([odd, publishedIn(odd, now)]).toEqual([odd, undefined])
    }
  })
})
