import { describe, expect, it } from "vitest"
import { empty, once } from "#law/corpus/once"
import type { GovSection, GovText } from "#law/GovText"

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
  const say = once((text) => heard.push(text), "a.xml", empty())
  for (const text of said) say(text)
  return heard.map((text) =>
    text._tag === "Section" ? [text.identity, text.url] : text._tag === "Document" ? text._tag : text.why
  )
}

describe("what is said of one file", () => {
  it("has the same text once", () => {
    expect(hear(section("a"), section("a", { notes: "other notes" }))).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      "the same text again: 9 U.S.C. § 1"
    ])
  })

  it("rejects another text under a taken number, and the reason names both places", () => {
    expect(
      hear(section("a", { line: 3 }), section("b", { line: 9 }), section("c", { identity: "us/usc/t9/s2", url: "u" }))
    ).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      "two sections are us/usc/t9/s1 in version 1 (9 U.S.C. § 1): a.xml:3, which is loaded, and a.xml:9, which is not; " +
        "give them numbers of their own, or leave one out",
      ["us/usc/t9/s2", "u"]
    ])
  })

  it("has sections that share an anchor of their page under addresses of their own", () => {
    const anchor = "https://law.example/9#chapter"

    expect(
      hear(
        section("a", { url: anchor }),
        section("b", { identity: "us/usc/t9/s2", number: "2", url: anchor }),
        section("c", { identity: "us/usc/t9/s3", number: "3", url: "https://law.example/9" }),
        section("d", { identity: "us/usc/t9/s4", number: "4", url: "https://law.example/9" })
      )
    ).toEqual([
      ["us/usc/t9/s1", anchor],
      ["us/usc/t9/s2", `${anchor}~2`],
      ["us/usc/t9/s3", "https://law.example/9"],
      ["us/usc/t9/s4", "https://law.example/9#4"]
    ])
  })

  it("has two versions of a section as they are", () => {
    expect(hear(section("a"), section("a", { version: "2", url: "https://law.example/2" }))).toEqual([
      ["us/usc/t9/s1", "https://law.example/1"],
      ["us/usc/t9/s1", "https://law.example/2"]
    ])
  })
})

describe("what is said of several files", () => {
  const both = (one: GovSection, other: GovSection) => {
    const claims = empty()
    const heard: Array<GovText> = []
    once(() => {}, "a.xml", claims)(one)
    once((text) => heard.push(text), "b.xml", claims)(other)
    return heard
  }

  it("has a section of two files once, and says which file has it", () => {
    expect(both(section("a"), section("a", { line: 4 }))).toEqual([
      {
        _tag: "Skipped",
        file: "b.xml",
        line: 4,
        why: "the same text again: 9 U.S.C. § 1, which a.xml has",
        other: "a.xml",
        isAgain: true
      }
    ])
  })

  it("rejects what has the identity, or the address, of a section of another file", () => {
    const [twin] = both(section("a", { line: 2 }), section("b", { line: 4 }))
    const [neighbour] = both(section("a"), section("b", { identity: "us/usc/t9/s2" }))

    expect(twin).toMatchObject({ _tag: "Rejected", file: "b.xml", line: 4, other: "a.xml:2" })
    expect(neighbour).toMatchObject({
      _tag: "Rejected",
      why: expect.stringMatching(
        /^two sections have the address .* us\/usc\/t9\/s1 in a\.xml, .* us\/usc\/t9\/s2 .* b\.xml/
      )
    })
  })

  it("has the names of a file free again when it is read again", () => {
    const claims = empty()
    const heard: Array<GovText> = []
    for (const text of ["a", "b"]) once((said) => heard.push(said), "a.xml", claims)(section(text))

    expect(heard.map(({ _tag }) => _tag)).toEqual(["Section", "Section"])
  })
})
