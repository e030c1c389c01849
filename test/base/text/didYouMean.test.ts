import { expect, it } from "vitest"
import { didYouMean } from "#base/didYouMean"

const known = ["url", "limit", "includePaths", "excludePaths", "maxDiscoveryDepth"]

it("finds the name that was meant behind a slip", () => {
  const slips = ["ulr", "urls", "limt", "include_paths", "includepath", "max-discovery-deth"]
  expect(slips.map((slip) => didYouMean(slip, known))).toEqual([
    "url",
    "url",
    "limit",
    "includePaths",
    "includePaths",
    "maxDiscoveryDepth"
  ])
})

it("finds nothing for a name that is far from all, or where there are none", () => {
  expect([didYouMean("prompt", known), didYouMean("x", []), didYouMean("", known)]).toEqual([
    undefined,
    undefined,
    undefined
  ])
})

it("is done at once with a name of a million letters", () => {
  expect(didYouMean("x".repeat(1_000_000), known)).toBeUndefined()
})
