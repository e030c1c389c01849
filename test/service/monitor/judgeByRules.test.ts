import { describe, expect, it } from "vitest"
import { type Change, judgeByRules } from "#service/monitor/judgeByRules"

const change = (removed: ReadonlyArray<string>, added: ReadonlyArray<string>, more: Partial<Change> = {}): Change => ({
  status: "changed",
  url: "http://site.test/lamps",
  title: "Lamps",
  hunks: [{ removed, added }],
  ...more
})

describe("a change and a goal", () => {
  it.each([
    [
      "a price that differs",
      "Tell me when prices change",
      ["Price: £10"],
      ["Price: £12"],
      true,
      /price differs: £10 before, £12 now/
    ],
    [
      "a price beside other words",
      "price of the lamp",
      ["Bright."],
      ["Brighter."],
      false,
      /no change mentions the goal/
    ],
    [
      "words of the goal",
      "Alert me about new job openings for rope makers",
      [],
      ["We look for a rope maker."],
      true,
      /rope/
    ],
    [
      "other words",
      "Alert me about new job openings",
      ["The café is open."],
      ["The café is closed."],
      false,
      /no change mentions the goal/
    ],
    [
      "a deadline that moved",
      "deadline of the call",
      ["Apply by 3 May 2026"],
      ["Apply by 9 May 2026"],
      true,
      /date differs/
    ],
    [
      "what comes back in stock",
      "when the lamp is back in stock",
      ["Sold out"],
      ["In stock"],
      true,
      /availability differs/
    ],
    [
      "a release",
      "new releases",
      ["Version 1.2.0"],
      ["Version 1.3.0"],
      true,
      /version differs: 1.2.0 before, 1.3.0 now/
    ],
    [
      "what the goal says to ignore",
      "prices, but ignore changes of opening hours",
      ["Opening hours 9"],
      ["Opening hours 10"],
      false,
      /ignore/
    ],
    ["anything at all", "tell me about any change", ["a"], ["b"], true, /names nothing specific/],
    [
      "what is wanted behind what is not",
      "do not tell me about cookies; only price changes",
      ["Price $5"],
      ["Price $6"],
      true,
      /price differs/
    ],
    [
      "what is no longer available",
      "only if the product is not available",
      ["Available"],
      ["Not available"],
      true,
      /differs/
    ],
    [
      "a price, asked for in German",
      "Sag mir, wenn sich Preise ändern",
      ["Lampe 10 €"],
      ["Lampe 12 €"],
      true,
      /price differs/
    ],
    [
      "a price, asked for in Japanese",
      "価格が変わったら教えて",
      ["ランプ 1000円"],
      ["ランプ 1200円"],
      true,
      /price differs/
    ],
    [
      "another word, where a price is asked for in Japanese",
      "価格が変わったら教えて",
      ["赤"],
      ["青"],
      false,
      /no change/
    ],
    [
      "a price that only stands in another line",
      "price",
      ["Lamp £10"],
      ["A red rope", "Brass lamp £10"],
      false,
      /no change mentions the goal/
    ]
  ])("%s", (_, goal, removed, added, meaningful, reason) => {
    const judged = judgeByRules(goal, change(removed, added))

    expect(judged).toMatchObject({ meaningful, judge: "rules", reason: expect.stringMatching(reason) })
    expect(judged.meaningfulChanges.length > 0).toBe(meaningful)
  })

  it("name what was before and what is now", () => {
    const judged = judgeByRules("prices", change(["Lamp £10", "Rope £3"], ["Lamp £12", "Rope £3.50"]))

    expect(judged.confidence).toBe("high")
    expect(judged.meaningfulChanges).toMatchObject([
      { type: "changed", before: "Lamp £10", after: "Lamp £12" },
      { type: "changed", before: "Rope £3", after: "Rope £3.50" }
    ])
  })

  it("set beside each line the one that came for it", () => {
    const judged = judgeByRules("prices", change(["Brass lamp £10"], ["We are closed in May", "Brass lamp £12"]))

    expect(judged.meaningfulChanges).toMatchObject([
      { type: "changed", before: "Brass lamp £10", after: "Brass lamp £12" }
    ])
  })

  it("agree on a page that comes or goes and is about what the goal names", () => {
    const page = { status: "removed", title: "Rope maker wanted", url: "http://site.test/jobs/7" } as const

    expect(judgeByRules("rope jobs", change(["Two lines of text."], [], page))).toMatchObject({ meaningful: true })
    expect(judgeByRules("lamp prices", change(["Two lines of text."], [], page))).toMatchObject({ meaningful: false })
  })
})
