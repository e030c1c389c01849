import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { columnContent } from "#see/explore/page/columnContent"

beforeEach(() => {
  // Widths are estimated where a browser gives no canvas.
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) })
  onTestFinished(() => void vi.unstubAllGlobals())
})

it.each([
  ["days where all are at midnight", ["2026-11-29 00:00:00", "2026-11-30 00:00:00"], "29 Nov 2026"],
  ["minutes where they are hours apart", ["2026-11-29 06:48:07", "2026-11-30 00:00:00"], "29 Nov 2026, 06:48"],
  ["seconds where all are of one hour", ["2026-11-29 06:48:07", "2026-11-29 06:50:00"], "29 Nov 2026, 06:48:07"]
])("writes times with %s", (_, times, first) => {
  const columns = [{ name: "at", type: "TIMESTAMP" }]
  const [column] = columnContent({ columns, key: [], rows: times.map((time) => [time]), isProfiled: false })

  expect(column?.text([times[0] ?? null])).toBe(first)
})

it("writes as money the amounts that have one type and stand before their currency, and no key and no number beside them", () => {
  const columns = [
    { name: "id", type: "DOUBLE" },
    { name: "stock", type: "BIGINT" },
    { name: "list_price", type: "DOUBLE" },
    { name: "price", type: "DOUBLE" },
    { name: "currency", type: "VARCHAR" }
  ]
  const kinds = (of: typeof columns, key: ReadonlyArray<string>) =>
    columnContent({
      columns: of,
      key,
      rows: [of.map(({ name }) => (name === "currency" ? "EUR" : 7))],
      isProfiled: false
    }).map(({ kind }) => kind)

  expect(kinds(columns, [])).toEqual(["number", "number", "money", "money", "text"])
  expect(kinds(columns.toSpliced(1, 1), ["id"])).toEqual(["number", "money", "money", "text"])
})
