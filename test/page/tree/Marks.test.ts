import { expect, test } from "vitest"
import { kindOf } from "#page/Elements"
import { isMark } from "#page/tree/Marks"

test("links to skip and to edit, words for screen readers, share buttons and line numbers are no text", () => {
  for (const name of ["skip-link", "sr-only", "mw-editsection", "share-buttons", "rouge-gutter gl"]) {
    expect([name, isMark(kindOf("span"), new Map([["class", name]]))]).toEqual([name, true])
  }
})

test("names that only sound like them are", () => {
  for (const name of ["skipper", "shared", "editor", "linear"]) {
    expect([name, isMark(kindOf("span"), new Map([["class", name]]))]).toEqual([name, false])
  }
})

test("a block may hold the page, whatever it is called", () => {
  expect(isMark(kindOf("div"), new Map([["id", "share"]]))).toBe(false)
  expect(isMark(kindOf("td"), new Map([["class", "gutter"]]))).toBe(true)
})

test("line-numbers on code says that its lines have numbers, and elsewhere it is the numbers", () => {
  const classes = new Map([["class", "language-js line-numbers"]])
  const found = ["pre", "code", "span", "td"].map((name) => isMark(kindOf(name), classes))
  expect(found).toEqual([false, false, true, true])
  expect(isMark(kindOf("pre"), new Map([["class", "lineno"]]))).toBe(true)
})
