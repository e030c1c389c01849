import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import { isOrganization } from "#extract/match/unlabelledText"

const rows = (items: ReadonlyArray<string>): Json =>
  byRules(
    {
      url: "http://x.test/",
      html: `<h1>Work</h1><ul>${items.map((item, i) => `<li><a href="/${i}">Clerk</a>, ${item}`).join("")}</ul>`,
      metadata: {}
    },
    {
      schema: {
        type: "array",
        items: {
          type: "object",
          properties: { position: { type: "string" }, employer: { type: "string" }, pay: { type: "number" } }
        }
      },
      prompt: undefined
    }
  ).data

describe("what a row says beside what has a name", () => {
  it("is an organisation where its column is called as they are", () => {
    expect(rows(["Pike & Sons, £5 a year", "The Heron, £6 a year", "Mill Company, £7 a year"])).toEqual([
      { position: "Clerk", employer: "Pike & Sons", pay: 5 },
      { position: "Clerk", employer: "The Heron", pay: 6 },
      { position: "Clerk", employer: "Mill Company", pay: 7 }
    ])
  })

  it("is nothing where it may be anything", () => {
    expect(rows(["Alder Bridge, £5 a year", "Ulm, £6 a year", "Bonn, £7 a year"])).toMatchObject([
      { employer: null },
      { employer: null },
      { employer: null }
    ])
  })

  it("is called as an organisation by its end or its beginning", () => {
    expect(["Lumo GmbH", "Northmere Town Council", "University of Ulm"].filter(isOrganization)).toHaveLength(3)
    expect(["Ada Lovelace", "Alder Bridge"].filter(isOrganization)).toEqual([])
  })
})
