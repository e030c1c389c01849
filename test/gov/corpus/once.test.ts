import { describe, expect, it } from "vitest"
import { once } from "../../../src/gov/corpus/once.ts"
import type { GovSection, GovText } from "../../../src/gov/GovText.ts"

const section = (text: string, more: Partial<GovSection> = {}): GovSection => ({
  _tag: "Section",
  document: "us/usc/t9",
  identity: "us/usc/t9/s1",
  number: "1",
  citation: "9 U.S.C. § 1",
  alsoCited: [],
  heading: "Lamps",
  path: [],
  text,
  notes: "",
  status: "in force",
  version: "1",
  url: "https://law.example/1",
  ...more
})

const hear = (...said: ReadonlyArray<GovText>) => {
  const heard: Array<GovText> = []
  const say = once((text) => heard.push(text), "a.xml")
  for (const text of said) say(text)
  return heard.map((text) =>
    text._tag === "Section" ? [text.identity, text.url] : text._tag === "Skipped" ? text.why : text._tag
  )
}

describe("what is said of one file", () => {
  it("has the same text once", () => {
    expect(hear(section("a"), section("a", { notes: "other notes" }))).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      "the same text again: 9 U.S.C. § 1"
    ])
  })

  it("has another text under a taken number apart, with or without an anchor", () => {
    expect(hear(section("a"), section("b"), section("c", { url: "https://law.example/#1" }))).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      ["us/usc/t9/s1~2", "https://law.example/1#2"],
      ["us/usc/t9/s1~3", "https://law.example/#1~3"]
    ])
  })

  it("has two versions of a section as they are", () => {
    expect(hear(section("a"), section("a", { version: "2", url: "https://law.example/2" }))).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      ["us/usc/t9/s1", "https://law.example/2"]
    ])
  })
})
