import { expect, it } from "@effect/vitest"
import * as RowBuffer from "#engine/DuckdbRowBuffer"

it("weighs text by its characters, at any depth", () => {
  const buffer = RowBuffer.empty()

  buffer.add({ body: "x".repeat(4000), meta: { links: ["y".repeat(500)] }, n: 1, none: null })

  expect(buffer.rows).toBe(1)
  expect(buffer.bytes).toBeGreaterThan(4500)
  expect(buffer.bytes).toBeLessThan(4700)
})

it("gives all that waits, in order, once", () => {
  const buffer = RowBuffer.empty()
  for (const n of [1, 2, 3]) buffer.add({ n })

  expect(buffer.take()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect([buffer.rows, buffer.bytes, buffer.take().length]).toEqual([0, 0, 0])
})
