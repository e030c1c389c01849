import { expect, it } from "vitest"
import * as JsonDiff from "#base/JsonDiff"

it("names each leaf that differs by its dotted name, with what it was and is", () => {
  const before = { name: "Lamp", offers: [{ price: 10 }, { price: 12 }], gone: true, list: ["a"] }
  const after = { name: "Lamp", offers: [{ price: 10 }, { price: 11.5 }], list: ["a", "b"], extra: null }

  expect(JsonDiff.of(before, after)).toEqual({
    "offers.1.price": { previous: 12, current: 11.5 },
    gone: { previous: true, current: null },
    "list.1": { previous: null, current: "b" },
    extra: { previous: null, current: null }
  })
})

it("finds nothing between values that are equal in another order of keys", () => {
  expect(JsonDiff.of({ a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] }, a: 1 })).toEqual({})
})

it("tells what came into a list or an object that was empty, and what went, and not that there is none", () => {
  const came = { previous: null, current: 1 }

  expect(JsonDiff.of({ a: [], b: {} }, { a: [{ n: 1 }], b: { c: 1 } })).toEqual({ "a.0.n": came, "b.c": came })
  expect(JsonDiff.of({ a: [1] }, { a: [] })).toEqual({ "a.0": { previous: 1, current: null } })
  expect(JsonDiff.of({ a: [] }, { a: null })).toEqual({ a: { previous: [], current: null } })
  expect(JsonDiff.of({ a: { b: 1 } }, { a: 5 })).toEqual({
    "a.b": { previous: 1, current: null },
    a: { previous: null, current: 5 }
  })
})
