import { expect, it } from "vitest"
import { unicodePattern } from "../../src/jsonSchema/unicodePattern.ts"

it("a backslash that means nothing is taken away where the u flag does not have it", () => {
  expect(unicodePattern("^\\d{3}\\-\\d{4}$")).toBe("^\\d{3}-\\d{4}$")
  expect(unicodePattern("[a\\-z\\@]\\_\\.\\/")).toBe("[a\\-z@]_\\.\\/")
  expect(unicodePattern('\\"\\\\\\-')).toBe('"\\\\-')
})

it("a pattern that the u flag has stays, and one that is none does too", () => {
  for (const pattern of ["^[\\w\\-]+$", "\\p{L}", "", "\\a", "(", "\\"]) expect(unicodePattern(pattern)).toBe(pattern)
})
