import { expect, it } from "vitest"
import * as Remarks from "#engine/run/Remarks"
import * as Source from "#engine/Source"

const taken = (...said: ReadonlyArray<readonly [about: string, message: string | undefined]>) => {
  const remarks = Remarks.empty()
  for (const [about, message] of said) for (const warning of Source.warnings([[about, message]])) remarks.take(warning)
  return remarks.warnings()
}

it("warnings that differ in an address or a number are one kind, said once with how often and of what first", () => {
  expect(
    taken(
      ["/a", "it has 12,000 of 30,000 rows"],
      ["/b", undefined],
      ["/c", "it sends its reader to https://a.test/x?y=1"],
      ["/d", "it sends its reader to https://b.test/; look there"],
      ["/e", "it has 7 of 8.5 rows"],
      ["/f", "it sends its reader to http://c.test/"]
    )
  ).toEqual([
    { message: "it has 12,000 of 30,000 rows", count: 2, first: "/a" },
    { message: "it sends its reader to https://a.test/x?y=1", count: 2, first: "/c" },
    { message: "it sends its reader to https://b.test/; look there", count: 1, first: "/d" }
  ])
})

it("the most frequent kind is first, and the words of a chunk of rows are counted together", () => {
  const remarks = Remarks.empty()
  remarks.take({ _tag: "Warning", message: "of the whole reading", about: [] })
  for (const warning of Source.warnings([
    ["/a", "empty"],
    ["/b", ""],
    ["/c", null],
    ["/d", "empty"]
  ])) {
    remarks.take(warning)
  }
  expect(remarks.warnings()).toEqual([
    { message: "empty", count: 2, first: "/a" },
    { message: "of the whole reading", count: 1 }
  ])
})

it("what has words of its own for every row takes no more memory than a hundred kinds", () => {
  const letters = (n: number) => String.fromCodePoint(0x4e00 + n)
  const kinds = taken(...Array.from({ length: 5000 }, (_, n) => [`/${n}`, `odd ${letters(n)}`] as const))
  expect(kinds).toHaveLength(101)
  expect(kinds[0]).toEqual({
    message: "warnings of more kinds than a run shows; the tables have all of them",
    count: 4900,
    first: "/100"
  })
})
