import { expect, it } from "vitest"
import * as Removal from "#base/Removal"

it("a page is gone that answers 404 or 410, and no other", () => {
  expect([200, 301, 400, 403, 404, 410, 429, 500, 503].filter(Removal.isGone)).toEqual([404, 410])
})

it("failures that a crawl decided on say nothing of a page; others do, and those without a code", () => {
  const codes = ["EXTERNAL_LINK", "PATH_FILTER", "SCRAPE_TIMEOUT", "", null, undefined]
  expect(codes.filter(Removal.saysNothing)).toEqual(["EXTERNAL_LINK", "PATH_FILTER"])
})

it("there is doubt where a page newly fails, or the crawl warns anew, and none otherwise", () => {
  expect(Removal.doubt({ start: null, unread: 0, warning: null, next: "run" })).toBeNull()
  expect(Removal.doubt({ start: null, unread: 2, warning: "the sitemap is broken", next: "check" })).toBe(
    "not reached, and 2 pages that may link to it could not be read; the next check will show whether it was removed"
  )
  expect(Removal.doubt({ start: null, unread: 0, warning: "the sitemap is broken", next: "run" })).toBe(
    "not reached, and the sitemap is broken; the next run will show whether it was removed"
  )
  const start = { unread: 0, warning: null, next: "check" } as const
  expect(Removal.doubt({ ...start, start: "unread" })).toBe(
    "not reached, and the page that the crawl starts at could not be read; the next check will show whether it was removed"
  )
  expect(Removal.doubt({ ...start, start: { movedTo: "http://site.test/login" } })).toBe(
    "not reached, and the page that the crawl starts at answers from http://site.test/login; the next check will show whether it was removed"
  )
})
