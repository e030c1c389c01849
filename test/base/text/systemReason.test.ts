import { mkdirSync } from "node:fs"
import { expect, it } from "vitest"
import { systemReason } from "#base/systemReason"

const coded = (code: string) => Object.assign(new Error(`${code}: as the system says it, open '/x'`), { code })

it("says in words what the system says in codes, and keeps the code", () => {
  expect(systemReason(coded("ENOSPC"))).toBe("the disk is full; make room, then run again (ENOSPC)")
  expect(systemReason(coded("EACCES"))).toBe("the user of this process has no permission there (EACCES)")
})

it("knows a file that is in the place of a folder", () => {
  try {
    mkdirSync("/dev/null/below")
  } catch (cause) {
    expect(systemReason(cause)).toBe("a part of its path is a file, not a folder (ENOTDIR)")
  }
  expect.assertions(1)
})

it("leaves what is rare in the words of the system", () => {
  expect(systemReason(coded("EIO"))).toBe("EIO: as the system says it, open '/x'")
  expect(systemReason("a text")).toBe("a text")
})
