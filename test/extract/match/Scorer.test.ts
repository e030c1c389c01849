import { describe, expect, it } from "vitest"
import { match } from "../../../src/extract/match/Matcher.ts"
import { group, offered } from "../offered.ts"

const text = { type: "string" } as const
const sections = (heading: string) =>
  match(
    offered({}, [], [group([{ heading }, { heading: heading.replace("1", "2") }], "Law", "block")]),
    {
      type: "object",
      properties: { sections: { type: "array", items: { type: "object", properties: { number: text, title: text } } } }
    },
    { url: "http://site.test/" }
  ).data

describe("the number of a section", () => {
  it("is that of its heading, also where it says no more than the number", () => {
    expect(sections("§ 1-201 Bees")).toMatchObject({ sections: [{ number: "1-201", title: "Bees" }, {}] })
    expect(sections("6.01.010 Bees")).toMatchObject({ sections: [{ number: "6.01.010", title: "Bees" }, {}] })
  })

  it("is none of a chapter", () => {
    expect(sections("Chapter 1: Water")).toEqual({ sections: null })
  })
})
