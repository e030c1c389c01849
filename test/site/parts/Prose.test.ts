import { expect, it } from "vitest"
import * as Dice from "#site/Dice"
import * as Prose from "#site/parts/Prose"
import * as Site from "#site/Site"
import { get } from "../walk.ts"

it("fills in choices, numbers and words, the given ones first", () => {
  const dice = Dice.make("test")
  expect(Prose.sentence(dice, "[a] {5-5} {person} {unknown}", { person: "Ada" })).toBe("a 5 Ada {unknown}")
})

it("falls the same way for the same keys, and another way for others", () => {
  const throws = (...keys: ReadonlyArray<string | number>) => {
    const dice = Dice.make(...keys)
    return Array.from({ length: 8 }, () => dice.int(1, 6))
  }
  expect(throws(1, "a")).toEqual(throws(1, "a"))
  expect(throws(1, "a")).not.toEqual(throws(1, "b"))
})

it("falls on every side about as often", () => {
  const dice = Dice.make("fair")
  const counts = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < 6000; i++) counts[dice.int(0, 5)]! += 1
  expect(Math.min(...counts)).toBeGreaterThan(850)
  expect(Math.max(...counts)).toBeLessThan(1150)
})

it("samples without repeating", () => {
  expect([...Dice.make("s").sample([1, 2, 3, 4], 9)].sort()).toEqual([1, 2, 3, 4])
})

it("leaves no template unfilled anywhere on the site", () => {
  const site = Site.make({ seed: 2, revision: 3 })
  const left = [...site.pages.keys()].filter((path) =>
    /\{[a-z]+\}|\{\d+-\d+\}|undefined|NaN/.test(Buffer.from(get(site, path).body).toString("latin1"))
  )
  expect(left).toEqual([])
})
