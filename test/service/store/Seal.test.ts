import { expect, it } from "vitest"
import * as Seal from "#service/store/Seal"

const key = Seal.keyOf("a passphrase")

it("gives back what it was given, to who has the key, and to nobody else", () => {
  const own = Seal.withKey(key, false)
  const other = Seal.withKey(Seal.random(), false)
  const sealed = own.seal("Bearer ü")
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`

  expect(sealed).not.toContain("Bearer")
  expect(own.open(sealed)).toBe("Bearer ü")
  expect(Seal.withKey(Seal.keyOf("a passphrase"), false).open(sealed)).toBe("Bearer ü")
  expect([other.open(sealed), own.open(changed)]).toEqual([undefined, undefined])
  expect(own.open("what was never sealed")).toBe("what was never sealed")
})

it("is another each time, or the same for the same text", () => {
  const fresh = Seal.withKey(key, false)
  const same = Seal.withKey(key, true)

  expect(fresh.seal("a")).not.toBe(fresh.seal("a"))
  expect(same.seal("a")).toBe(same.seal("a"))
  expect(same.seal("a")).not.toBe(same.seal("b"))
})

it("opens the strings of a JSON text that are sealed, or none of them where one cannot be", () => {
  const own = Seal.withKey(key, false)
  const json = JSON.stringify({ a: own.seal('"quoted"'), b: ["plain", own.seal("")] })

  expect(JSON.parse(Seal.openWithin(own.open, json) ?? "")).toEqual({ a: '"quoted"', b: ["plain", ""] })
  expect(Seal.openWithin(Seal.withKey(Seal.random(), false).open, json)).toBeUndefined()
})
