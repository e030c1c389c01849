import { expect, it, onTestFinished, vi } from "vitest"
import { columnContent } from "#see/explore/page/columnContent"

it("writes as money the amounts that have one type and stand before their currency, and no key and no number beside them", () => {
  // Widths are estimated where a browser gives no canvas.
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) })
  onTestFinished(() => void vi.unstubAllGlobals())
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
