import { expect, it } from "vitest"
import * as CellJson from "#engine/CellJson"
import { cellFromJson } from "#engine/cellFromJson"
import * as Instant from "#engine/Instant"
import { everything, special } from "#testing/specimens"

const timestamp = { _tag: "TIMESTAMP" } as const

it("a midnight before the year 0 or after 9999 is that midnight, and not the first one of 1970", () => {
  for (const text of ["-000043-03-15T00:00:00.000Z", "+010000-01-01T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"]) {
    expect(cellFromJson(timestamp)(text)).toBe(BigInt(Date.parse(text)) * 1000n)
  }
})

it("moments of every year come back from their JSON", () => {
  for (let day = -100_000_000; day <= 100_000_000; day += 999_983) {
    const micros = BigInt(day) * 86_400_000_000n
    expect(cellFromJson(timestamp)(Instant.textOf(micros))).toBe(micros)
    expect(cellFromJson(timestamp)(Instant.textOf(micros + 1n))).toBe(micros + 1n)
  }
})

it("a text that is no moment stays, for the check of the row to refuse", () => {
  for (const text of ["+010000-02-30T00:00:00Z", "+010000-01-01T25:00:00Z", "+10000-01-01T00:00:00Z", "soon"]) {
    expect(cellFromJson(timestamp)(text)).toBe(text)
  }
})

it("every cell that a sink is tried with comes back from its JSON", () => {
  for (const row of special) {
    for (const { name, type } of everything.columns) {
      const json = CellJson.ofCell(type)(row[name])
      expect(CellJson.ofCell(type)(cellFromJson(type)(json))).toEqual(json)
    }
  }
})
