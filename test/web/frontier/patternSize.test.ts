import { RE2JS } from "re2js"
import { describe, expect, it } from "vitest"
import { patternSize } from "#web/PathFilter"

describe("the size of a pattern", () => {
  it.each([
    "^/(a+)+$",
    "a{1000}b",
    "(a?){500}b",
    "([a-z]*[a-z]*){200}9",
    "(.*?,){1000}x",
    "(?i)(\\w+\\s?){900}x",
    "(a|b|c){1000}(d|e){1000}",
    ".{1000}.{1000}",
    "((ab){10}c){20}",
    "(x{0,30}y){33}",
    "[^]a{9}z]{50}",
    "[[:alpha:]]{40}",
    "\\p{Greek}{20}\\x{10FFFF}",
    "^/blog/(news|posts)/.*$",
    "[\\w-]+(\\.[a-z]{2,10}){1,50}"
  ])("%s is about that of its program", (pattern) => {
    const size = RE2JS.compile(pattern).programSize()

    expect(patternSize(pattern)).toBeGreaterThan(size / 2 - 5)
    expect(patternSize(pattern)).toBeLessThan(size * 2 + 20)
  })

  it.each(["", "(", ")", "a{", "{3}", "[", "\\", "(((", "))){2}", "[]"])(
    "%s has one, though it may be no pattern",
    (pattern) => {
      expect(patternSize(pattern)).toBeGreaterThan(0)
      expect(patternSize(pattern)).toBeLessThan(20)
    }
  )
})
