import { describe, expect, it } from "vitest"
import { summarize } from "#web/summarize"

describe("a summary", () => {
  it.each(["[", "\\[", "![", "[](", "1. [a", "`", "```a\n"])(
    "is made in time that grows with a text of nothing but %j",
    (sign) => {
      expect(summarize(`x. ${sign.repeat(30_000)}\n\nThe end.`, "en")).toMatch(/x\.|The end\./)
    }
  )

  it("is a few of the page's own sentences, in their order, with the beginning among them", () => {
    const markdown =
      "# Bridges\n\nThe council will close the [river bridge](http://x.test/b) for repairs in May. Tea is served at noon.\n\n" +
      "| a | b |\n|---|---|\n| 1 | 2 |\n\n- Home\n- Contact\n\nRepairs of the bridge take nine weeks, the council says. " +
      "Buses will cross the river by the northern bridge during the repairs. Parking stays as it is. The mayor likes cats."

    expect(summarize(markdown, "en")).toBe(
      "The council will close the river bridge for repairs in May. Repairs of the bridge take nine weeks, the council says. " +
        "Buses will cross the river by the northern bridge during the repairs."
    )
  })

  it("is the whole of a short text, without its marks", () => {
    expect(summarize("**Only** this `one`.", "en")).toBe("Only this one.")
  })

  it("works where words have no spaces", () => {
    const markdown =
      "市议会将于五月关闭河上的大桥进行维修。今天天气很好。大桥的维修将持续九个星期，市议会表示。维修期间公共汽车将从北桥过河。猫很可爱。"
    const summary = summarize(markdown, "zh")

    expect(summary).toContain("市议会将于五月关闭河上的大桥进行维修。")
    expect(summary).not.toContain("猫很可爱")
    expect(summary).not.toContain(" ")
  })

  it("leaves code out, and is empty where there is no text", () => {
    expect(summarize("```js\nconst a = 1. \n```\n\n# Title", undefined)).toBe("")
  })

  it("takes no offence at a language that is none", () => {
    expect(summarize("One sentence.", "not a language")).toBe("One sentence.")
  })
})
