import { expect, it } from "vitest"
import * as Watching from "#contract/Watching"

const schema = { type: "object", properties: { price: { type: "number" } } }

it("the text is watched where nothing else is said, fields where a schema is, both where both are", () => {
  const watched = Watching.watchedOf

  expect(watched(undefined)).toEqual({ text: true, fields: false })
  expect(watched({ formats: ["html"] })).toEqual({ text: true, fields: false })
  expect(watched({ formats: [{ type: "json", schema }] })).toEqual({ text: false, fields: true })
  expect(watched({ formats: ["markdown", { type: "json", schema }] })).toEqual({ text: true, fields: true })
  expect(watched({ formats: [{ type: "changeTracking", modes: ["json"], schema }] })).toEqual({
    text: false,
    fields: true
  })
  expect(watched({ formats: [{ type: "changeTracking", modes: ["json", "git-diff"], schema }] })).toEqual({
    text: true,
    fields: true
  })
  // Nothing says which fields.
  expect(watched({ formats: [{ type: "changeTracking", modes: ["json"] }] })).toEqual({ text: true, fields: false })
})

it("pages are read anew, with what is watched, and without a history of their own", () => {
  const tracked = Watching.scrapeOptionsOf({ formats: [{ type: "changeTracking", modes: ["json"], schema }, "links"] })

  expect(tracked).toMatchObject({ formats: ["links", { type: "json", schema }], maxAge: 0 })
  expect(Watching.scrapeOptionsOf({ maxAge: 60_000 })).toMatchObject({ formats: ["markdown", "links"], maxAge: 60_000 })
})

it("what stands around the content is left out, unless the options say what counts", () => {
  expect(Watching.scrapeOptionsOf(undefined).excludeTags).toContain("footer")
  expect(Watching.scrapeOptionsOf({ excludeTags: ["aside"] }).excludeTags).toEqual(["aside"])
  expect(Watching.scrapeOptionsOf({ includeTags: ["main"] }).excludeTags).toBeUndefined()
  expect(Watching.scrapeOptionsOf({ onlyMainContent: false }).excludeTags).toBeUndefined()
})

it("navigation is left to the finder of main content: that of a contents page is what the page says", () => {
  expect(Watching.scrapeOptionsOf(undefined).excludeTags).not.toContain("nav")
})
