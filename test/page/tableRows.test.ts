import { describe, expect, it } from "vitest"
import { rowKinds } from "#page/tableRows"

const kinds = (...rows: ReadonlyArray<string>) =>
  rowKinds(
    rows.map((row) =>
      row.split("|").map((text) => ({
        text: text.replaceAll("*", "").trim(),
        style: text.includes("*") ? "bold" : "plain"
      }))
    )
  )

describe("the rows of a table", () => {
  it("are data, heads of groups with a text in the first column, and totals that add up the rows above", () => {
    expect(
      kinds(
        "*North||",
        "Lamp|2|10.00",
        "Jar|3|4.50",
        "*Sum|5|14.50",
        "*South||",
        "Box|1|1.00",
        "Pot|1|2.00",
        "*Sum|2|3.00",
        "*All|7|17.50"
      )
    ).toEqual(["group", "data", "data", "total", "group", "data", "data", "total", "total"])
  })

  it("are totals in any language, where all of their numbers are sums or columns of all other rows are empty", () => {
    expect(kinds("A|10|100", "B|20|250", "C|5|50", "合計|35|400").at(-1)).toBe("total")
    expect(kinds("A|x|100", "B|y|250", "C|z|50", "Summe||400").at(-1)).toBe("total")
    expect(kinds("A|x|100", "B|y|(25)", "C|z|50", "Summe||125").at(-1)).toBe("total")
  })

  it("are no totals where a sum is chance", () => {
    expect(kinds("A|1|100", "B|2|200", "C|3|300")).toEqual(["data", "data", "data"])
    expect(kinds("A|1|0", "B|1|2", "C|2|2")).toEqual(["data", "data", "data"])
    expect(kinds("A|1|x", "B|2|y", "C|3|")).toEqual(["data", "data", "data"])
  })

  it("are totals where they are called so, because rates have no sum, but not where a name begins so", () => {
    expect(kinds("A|10%", "B|30%", "Total|18%")).toEqual(["data", "data", "total"])
    expect(kinds("Total War|10", "Totals Inc.|30")).toEqual(["data", "data"])
  })

  it("belong to the total above in whose columns they stand", () => {
    expect(kinds("A|2|5.00|10.00", "B|1|4.00|4.00", "Subtotal|||14.00", "VAT 20%|||2.80", "To pay|||16.80")).toEqual([
      "data",
      "data",
      "total",
      "total",
      "total"
    ])
  })
})
