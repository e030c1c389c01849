import { expect, it } from "@effect/vitest"
import * as Thrift from "#engine/Thrift"
import { randomFrom, seed } from "#testing/specimens"

const draw = (random: (below: number) => number, depth: number): Thrift.Struct => {
  const fields: Thrift.Struct = new Map()
  for (let id = random(4) - 1, left = random(6); left > 0; left--) {
    id += 1 + random(random(5) === 0 ? 400 : 4)
    fields.set(id, value(random, random(7), depth))
  }
  return fields
}
const value = (random: (below: number) => number, kind: number, depth: number): Thrift.Value => {
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => random(256))
  if (kind === 0) return { type: Thrift.boolean, value: random(2) === 0 }
  if (kind === 1) return { type: 3, value: random(256) }
  if (kind === 2) return { type: 7, value: bytes(8) }
  if (kind === 3) return { type: Thrift.binary, value: bytes(random(300)) }
  if (kind === 4 && depth > 0) {
    const size = random(20)
    return {
      type: Thrift.list,
      of: Thrift.struct,
      value: Array.from({ length: size }, () => ({ type: Thrift.struct, value: draw(random, depth - 1) }))
    }
  }
  if (kind === 5 && depth > 0) return { type: Thrift.struct, value: draw(random, depth - 1) }
  const edge = [0n, -1n, 63n, -64n, 64n, 2n ** 31n, 2n ** 63n - 1n, -(2n ** 63n)]
  return { type: Thrift.i64, value: edge[random(edge.length)] ?? 0n }
}

it(`what was written reads as the same tree (MILLRACE_SEED=${seed})`, () => {
  const random = randomFrom(seed)
  for (let round = 0; round < 50; round++) {
    const tree = draw(random, 3)
    expect(Thrift.read(Thrift.write(tree))).toEqual(tree)
  }
})

it("bytes that end too early are refused", () => {
  const bytes = Thrift.write(new Map([[1, { type: Thrift.binary, value: new Uint8Array(100) }]]))
  expect(() => Thrift.read(bytes.subarray(0, 50))).toThrow("ends too early")
})

it("the example of the specification is written as the specification says", () => {
  // Field 1 is i32 -1 (0x15 0x01), field 3 is i64 150 (0x26 0xac 0x02), then the end.
  const tree: Thrift.Struct = new Map([
    [1, { type: Thrift.i32, value: -1n }],
    [3, { type: Thrift.i64, value: 150n }]
  ])
  expect([...Thrift.write(tree)]).toEqual([0x15, 0x01, 0x26, 0xac, 0x02, 0x00])
})
