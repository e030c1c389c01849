import { describe, expect, it } from "vitest"
import { tableFirst } from "#app/commands/diff"

describe("the words of millrace diff", () => {
  it("are a table and files, in either order", () => {
    const named = { table: "pages", files: ["docs.yaml", "more.yml"] }

    expect(tableFirst(named)).toEqual(named)
    expect(tableFirst({ table: "docs.yaml", files: ["pages", "more.yml"] })).toEqual(named)
    expect(tableFirst({ table: "docs.yaml", files: ["more.yml", "pages"] })).toEqual(named)
  })

  it("are taken as they come where no word is a table, or no word is a file", () => {
    expect(tableFirst({ table: "docs.yaml", files: [] })).toEqual({ table: "docs.yaml", files: [] })
    expect(tableFirst({ table: "pages", files: ["docs"] })).toEqual({ table: "pages", files: ["docs"] })
  })
})
