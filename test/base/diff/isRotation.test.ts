import { describe, expect, it } from "vitest"
import * as Meaning from "#base/Meaning"
import * as PageDiff from "#base/PageDiff"

const page = (...lines: ReadonlyArray<string>) => ({ title: "Page", markdown: lines.join("\n") })

const isChanged = async (before: Meaning.Text, after: Meaning.Text): Promise<boolean> =>
  (await PageDiff.between(before, after, { text: true, fields: false })).isChanged

const list = ["## All tips", "", "- [Oil the gears](/oil)", "- [Clean the sieve](/sieve)", "- [Check the rope](/rope)"]
const featured = (tip: string) => page("# Tips", "", `## Featured`, "", tip, "", ...list)

describe("a rotation", () => {
  it.each([
    [
      "a place that shows another item of a list elsewhere on the page",
      featured("[Oil the gears](/oil)"),
      featured("[Check the rope](/rope)")
    ],
    [
      "a tip in words that stands among the others",
      page(
        "Grease the axle every second week.",
        "## All",
        "- Grease the axle every second week.",
        "- Never leave the sails in a storm."
      ),
      page(
        "Never leave the sails in a storm.",
        "## All",
        "- Grease the axle every second week.",
        "- Never leave the sails in a storm."
      )
    ],
    [
      "an item that goes to the end of its list",
      page(...list),
      page(...list.slice(0, 2), ...list.slice(3), list[2] ?? "")
    ],
    [
      "an item that comes to the front of its list",
      page(...list),
      page("## All tips", "", list[4] ?? "", list[2] ?? "", list[3] ?? "")
    ]
  ])("is %s", async (_, before, after) => {
    expect(Meaning.isSame(before, after)).toBe(false)
    expect(await isChanged(before, after)).toBe(false)
    expect(await isChanged(after, before)).toBe(false)
  })

  it.each([
    ["an item that comes to a contents page", page(...list), page(...list, "- [Paint the door](/door)")],
    ["a featured item that is nowhere else", featured("[Oil the gears](/oil)"), featured("[Buy our lamp](/lamp)")],
    ["a featured item that stood nowhere else", featured("[Buy our lamp](/lamp)"), featured("[Oil the gears](/oil)")],
    [
      "a word of state that stands elsewhere too",
      page("Lamp", "In stock", "Rope", "Sold out", "Boat", "In stock"),
      page("Lamp", "Sold out", "Rope", "Sold out", "Boat", "In stock")
    ],
    [
      "a section with another number",
      page("## § 12 Mills", "A mill is a mill."),
      page("## § 13 Mills", "A mill is a mill.")
    ],
    [
      "steps in another order",
      page("1. Stop the mill", "2. Open the door"),
      page("1. Open the door", "2. Stop the mill")
    ],
    [
      "paragraphs in another order",
      page("One comes first.", "Two comes then."),
      page("Two comes then.", "One comes first.")
    ],
    [
      "history that is removed from a statute",
      page("§ 1. A miller grinds.", "History: 1990 c. 5 s. 2; 2004 c. 9 s. 1."),
      page("§ 1. A miller grinds.")
    ],
    [
      "an item that is another beside one that moves",
      page(...list),
      page("## All tips", "", list[4] ?? "", list[2] ?? "", "- [Sieve](/s)")
    ],
    ["another title", { ...featured("[Oil the gears](/oil)"), title: "Old" }, featured("[Check the rope](/rope)")]
  ])("is not %s", async (_, before, after) => {
    expect(await isChanged(before, after)).toBe(true)
  })
})
