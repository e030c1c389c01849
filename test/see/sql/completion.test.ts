import { expect, it } from "vitest"
import { complete } from "#see/sqlShell"

const names = ["pages", "page_links", "title"]

it("a word is completed by names of tables and columns, and by words of SQL in the letters that were begun", () => {
  expect(complete("SELECT * FROM pa", names)).toEqual([["pages", "page_links"], "pa"])
  expect(complete("SELECT pages.ti", names)).toEqual([["title"], "ti"])
  expect(complete("sel", names)).toEqual([["select"], "sel"])
  expect(complete("SEL", names)).toEqual([["SELECT"], "SEL"])
  expect(complete("SELECT ", names)).toEqual([[], ""])
})
