import { expect, it } from "@effect/vitest"
import { compressors } from "hyparquet-compressors"
import * as Snappy from "#engine/Snappy"
import { randomFrom, seed } from "#testing/specimens"

const inputs = (): ReadonlyArray<Uint8Array> => {
  const random = randomFrom(seed)
  const drawn = Array.from({ length: 60 }, () => {
    const [length, kinds] = [random(random(10) === 0 ? 300_000 : 3000), 1 + random(255)]
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length; at++) bytes[at] = random(4) === 0 ? random(kinds) : (bytes[at - random(kinds)] ?? 0)
    return bytes
  })
  return [new Uint8Array(0), Uint8Array.of(1), new Uint8Array(70_000), new Uint8Array(65_536).fill(7), ...drawn]
}

it(`what was compressed comes back, here and in another reader (MILLRACE_SEED=${seed})`, () => {
  for (const input of inputs()) {
    const compressed = Snappy.compress(input)
    expect(Buffer.compare(Snappy.decompress(compressed, input.length), input)).toBe(0)
    const theirs = compressors.SNAPPY?.(compressed, input.length)
    expect(Buffer.compare(theirs ?? expect.fail("there is no reader of snappy"), input)).toBe(0)
  }
})

it("what is damaged is refused", () => {
  const compressed = Snappy.compress(Buffer.from("abcdabcdabcdabcdabcdabcd"))

  expect(() => Snappy.decompress(compressed.subarray(0, -2), 24)).toThrow("damaged")
  expect(() => Snappy.decompress(compressed, 23)).toThrow("damaged")
  expect(() => Snappy.decompress(Uint8Array.of(8, 0b0000_0110, 9, 0), 8)).toThrow("damaged")
})
