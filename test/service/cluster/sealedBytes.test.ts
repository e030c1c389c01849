import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as SealedBytes from "#service/cluster/sealedBytes"

describe("sealed bytes", () => {
  it("are opened with the same key, and are different each time", () => {
    const { open, seal } = SealedBytes.withSecret(randomBytes(SealedBytes.secretBytes))
    const bytes = Uint8Array.of(1, 2, 3)

    expect(Uint8Array.from(open(seal(bytes)) ?? [])).toEqual(bytes)
    expect(seal(bytes)).not.toEqual(seal(bytes))
  })

  it("are refused with another key, when they were changed, and when they are cut", () => {
    const { open, seal } = SealedBytes.withSecret(randomBytes(SealedBytes.secretBytes))
    const other = SealedBytes.withSecret(randomBytes(SealedBytes.secretBytes))
    const sealed = seal(Uint8Array.from({ length: 40 }, (_, index) => index))

    expect(other.open(sealed)).toBeUndefined()
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(open(changed)).toBeUndefined()
      expect(open(sealed.subarray(0, at))).toBeUndefined()
    }
  })
})
