import { describe, expect, it } from "vitest"
import * as PlaceName from "#extract/value/PlaceName"

describe("a place on a card", () => {
  it.each([
    ["Lisbon, Portugal", "en"],
    ["Austin, TX", "en"],
    ["Austin, TX 78701", "en"],
    ["München, Deutschland", "de"],
    ["Москва, Россия", "ru"],
    ["Leeds, UK", undefined]
  ])("is %s", (text, language) => {
    expect(PlaceName.isPlace(text, language)).toBe(true)
  })

  it.each(["Berlin", "Weber, Karl", "Salt, Pepper", "Full-time, Remote", "Head of Ops, Lumio"])("is not %s", (text) => {
    expect(PlaceName.isPlace(text, "en")).toBe(false)
  })

  it("is nowhere where people work from anywhere", () => {
    expect(PlaceName.isAnywhere("Remote")).toBe(true)
    expect(PlaceName.isAnywhere("Remote (EU)")).toBe(true)
    expect(PlaceName.isAnywhere("Remotely operated crane driver wanted")).toBe(false)
  })
})
