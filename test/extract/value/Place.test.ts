import { describe, expect, it } from "vitest"
import * as Place from "#extract/value/Place"

describe("a place on a card", () => {
  it.each([
    ["Lisbon, Portugal", "en"],
    ["Austin, TX", "en"],
    ["Austin, TX 78701", "en"],
    ["München, Deutschland", "de"],
    ["Москва, Россия", "ru"],
    ["Leeds, UK", undefined]
  ])("is %s", (text, language) => {
    expect(Place.isPlace(text, language)).toBe(true)
  })

  it.each(["Berlin", "Weber, Karl", "Salt, Pepper", "Full-time, Remote", "Head of Ops, Lumio"])("is not %s", (text) => {
    expect(Place.isPlace(text, "en")).toBe(false)
  })

  it("is nowhere where people work from anywhere", () => {
    expect(Place.isAnywhere("Remote")).toBe(true)
    expect(Place.isAnywhere("Remote (EU)")).toBe(true)
    expect(Place.isAnywhere("Remotely operated crane driver wanted")).toBe(false)
  })
})
