import { expect, test } from "vitest"
import { Addresses } from "#page/Address"

const base = "http://page.test/a/"
const resolved = (href: string, charset: string) => new Addresses(base, undefined, charset).resolve(href)

test.each([
  ["/検索?q=掃除機&p=1#掃", "shift_jis", "/検索?q=%91|%8F%9C%8B@&p=1#掃"],
  ["?q=掃除機ｶ", "euc-jp", "?q=%C1%DD%BD%FC%B5%A1%8E%B6"],
  ["?q=метро", "windows-1251", "?q=%EC%E5%F2%F0%EE"],
  ["?q=метро", "koi8-r", "?q=%CD%C5%D4%D2%CF"],
  ["?q=똠방", "euc-kr", "?q=%8Cc%B9%E6"],
  ["?q=臺北", "big5", "?q=%BBO%A5_"],
  ["?q=镕", "gbk", "?q=%E9F"],
  ["?q=ş€", "windows-1254", "?q=%FE%80"],
  ["?q=中", "windows-1252", "?q=%26%2320013%3B"],
  ["?q=%E3%81%82&a=é", "windows-1252", "?q=%E3%81%82&a=%E9"]
])("%s on a page in %s asks for %s", (href, charset, encoded) => {
  expect(resolved(href, charset)).toBe(new URL(encoded, base).href)
})

test("an address without such a query, and one on a page in UTF-8 or UTF-16, stays", () => {
  for (const href of ["/ü", "/a?b=c", "/a#ü?ü"]) expect(resolved(href, "windows-1252")).toBe(new URL(href, base).href)
  for (const charset of ["utf-8", "utf-16le", "iso-2022-jp"]) expect(resolved("?q=ü", charset)).toBe(`${base}?q=%C3%BC`)
})
