import { expect, it } from "vitest"
import { boundValue } from "#connectors/parquet/iceberg/boundValue"
import { boundsOf } from "#connectors/parquet/iceberg/fileBounds"

const of = (type: string, min: string | null, max: string | null, partition = {}) => {
  const found = boundsOf({ min: { c: min }, max: { c: max }, partition }, [{ id: 7, name: "c", required: false, type }])
  const hex = (name: keyof typeof found) => found[name].map(({ key, value }) => `${key} ${value.toString("hex")}`)
  return [hex("lower_bounds"), hex("upper_bounds")]
}

it("a bound is in the bytes of its type", () => {
  expect(of("long", "-2", "258")).toEqual([["7 feffffffffffffff"], ["7 0201000000000000"]])
  expect(of("boolean", "false", "true")).toEqual([["7 00"], ["7 01"]])
  expect(of("date", "1969-12-31", "1970-01-02")).toEqual([["7 ffffffff"], ["7 01000000"]])
  expect(of("timestamp", "1970-01-01 00:00:01", "1970-01-01 00:00:01.5")).toEqual([
    ["7 40420f0000000000"],
    ["7 60e3160000000000"]
  ])
  expect(of("decimal(18, 2)", "-0.01", "2.56")).toEqual([["7 ff"], ["7 0100"]])
  expect(of("string", "a", "ü")).toEqual([["7 61"], ["7 c3bc"]])
})

it("of a long text the lower bound is its beginning, and the upper one the next text after that", () => {
  const start = "x".repeat(127)
  const [[lower] = [], [upper] = []] = of("string", `${start}ab`, `${start}ab`)
  expect(lower).toBe(`7 ${Buffer.from(`${start}a`).toString("hex")}`)
  expect(upper).toBe(`7 ${Buffer.from(`${start}b`).toString("hex")}`)

  const last = of("string", `${start}\ud7ffz`, `${"\u{10ffff}".repeat(128)}z`)
  expect(last).toEqual([[`7 ${Buffer.from(`${start}\ud7ff`).toString("hex")}`], []])
  expect(of("string", "a", `${start}\ud7ffz`)[1]).toEqual([`7 ${Buffer.from(`${start}\ue000`).toString("hex")}`])
  expect(of("string", "a", `${start.slice(1)}b\u{10ffff}z`)[1]).toEqual([
    `7 ${Buffer.from(`${start.slice(1)}c`).toString("hex")}`
  ])
})

it("what is not certain is left out", () => {
  expect(of("double", "1.5", "2.5")).toEqual([[], []])
  expect(of("timestamp", "0045-03-15 (BC) 00:00:00", "2026-01-01 00:00:00")[0]).toEqual([])
  expect(of("string", null, null)).toEqual([[], []])
  expect(of("string", "a", "b", { c: "a" })).toEqual([[], []])
  expect(of("string", "\ud800", "b")[0]).toEqual([])
})

it("a bound of zero has both zeros, which are equal, though readers order -0 before 0", () => {
  const written = (["lower", "upper"] as const).map((edge) =>
    [-0, 0].map((zero) => boundValue("double", zero, edge, 16))
  )
  const bytes = (hex: string) => Buffer.from(hex, "hex")
  const [least, greatest] = [bytes("0000000000000080"), bytes("0000000000000000")]
  expect(written).toEqual([
    [least, least],
    [greatest, greatest]
  ])
})
