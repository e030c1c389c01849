import { describe, expect, it } from "vitest"
import { stacksOf } from "#see/explore/page/stackedChart"

const part = (name: string, category: string, value: number) => ({ name, category, value })

describe("stacked bars", () => {
  it("add what one name has of a category, the largest category first", () => {
    const parts = [part("de", "html", 1), part("en", "pdf", 5), part("de", "pdf", 2), part("de", "html", 1)]

    expect(stacksOf(parts)).toEqual({
      categories: ["pdf", "html"],
      stacks: [
        { name: "de", values: [2, 2] },
        { name: "en", values: [5, 0] }
      ]
    })
  })

  it("have the smaller of many categories together, and nothing below zero", () => {
    const parts = Array.from({ length: 9 }, (_, at) => part("all", `c${at}`, 9 - at))
    const { categories, stacks } = stacksOf([...parts, part("all", "c0", -100)])

    expect(categories).toEqual(["c0", "c1", "c2", "c3", "c4", "(others)"])
    expect(stacks).toEqual([{ name: "all", values: [9, 8, 7, 6, 5, 10] }])
  })
})
