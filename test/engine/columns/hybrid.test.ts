import { expect, it } from "@effect/vitest"
import * as hybrid from "#engine/columns/hybrid"
import { randomFrom, seed } from "#testing/specimens"

it(`numbers come back, in runs and packed, of every width (MILLRACE_SEED=${seed})`, () => {
  const random = randomFrom(seed)
  for (let width = 1; width <= 20; width++) {
    for (let round = 0; round < 20; round++) {
      const numbers: Array<number> = []
      while (numbers.length < 500) {
        const value = random(2 ** width)
        for (let times = random(3) === 0 ? 1 + random(40) : 1; times > 0; times--) numbers.push(value)
      }
      const count = random(500)
      const encoded = hybrid.encode(Uint32Array.from(numbers), count, width)
      expect([...hybrid.decode(encoded, width, new Uint32Array(count))]).toEqual(numbers.slice(0, count))
    }
  }
})

it("one number many times is three bytes or four", () => {
  expect(hybrid.encode(new Uint8Array(20_000).fill(1), 20_000, 1)).toHaveLength(4)
})

it("numbers that end too early are refused", () => {
  const encoded = hybrid.encode(Uint8Array.from([1, 2, 3, 1, 2, 3, 1, 2]), 8, 2)

  expect(() => hybrid.decode(encoded, 2, new Uint8Array(9))).toThrow("end too early")
})
