/** What headings of a code in HTML say: ordinary words are no numbers, and a section may have two texts with days. */
import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const page = (body: string, released = "2021.12"): string =>
  `<!DOCTYPE html><html lang="en"><head><title>Code</title><meta name="description" content="Release 75 of the Official Code of
  Rhode Island Annotated released ${released}."></head><body>${body}</body></html>`

const class3 = (first: string, second: string) =>
  `<h1>Title 3 Alcoholic Beverages</h1><h2>Chapter 7 Retail Licenses</h2>
   <h3 id="t03c07s3-7-7"><b>3-7-7. Class B license. ${first}</b></h3><p>The old fee.</p>
   <h3 id="t03c07s3-7-7"><b>3-7-7. Class B license. ${second}</b></h3><p>The new fee.</p>`

const seen = (sections: Awaited<ReturnType<typeof corpusOf>>["sections"]) =>
  sections.map(({ effective, effectiveUntil, identity, status, text, version }) => [
    identity,
    text,
    status,
    version,
    effective,
    effectiveUntil
  ])

describe("headings of a code in HTML", () => {
  it("open no level if an ordinary word follows its name", async () => {
    const texts = [
      "One.",
      "Division line between lands.",
      "Title conveyed.",
      "Title Limited to lots",
      "Part A payments"
    ]
    const { sections } = await corpusOf({
      "a.html": page(`<h1>Title 34 Property</h1><h2>CHAPTER XI. LANDS</h2><h3>34-11-1. Deeds.</h3>
        ${texts.map((text) => `<h3>${text}</h3><p>Text of ${text}</p>`).join("")}<h3>34-11-2. Form.</h3><p>Two.</p>
        <h2>Part A Fences</h2><h3>34-11-3. Fences.</h3><p>Three.</p>`)
    })

    expect(sections.map(({ path }) => path)).toEqual([
      ["Title 34 Property", "Chapter XI Lands"],
      ["Title 34 Property", "Chapter XI Lands"],
      ["Title 34 Property", "Chapter XI Lands", "Part A Fences"]
    ])
    expect(sections[0]?.text.split("\n")).toEqual(texts.flatMap((text) => [text, `Text of ${text}`]))
  })

  it("are inside a section if they are deeper than its own: a compact has articles", async () => {
    const { sections } = await corpusOf({
      "a.html": page(`<h1>Title 33</h1><h3>33-36-110. Compact.</h3><p>It is adopted.</p><h4>Article I</h4><p>Aims.</p>
        <h4>ARTICLE II DEFINITIONS</h4><p>Words.</p><h4>Notes to Decisions</h4><h5>Part 1</h5><p>A case.</p>`)
    })

    expect(sections.map(({ text }) => text.split("\n"))).toEqual([
      ["It is adopted.", "Article I", "Aims.", "ARTICLE II DEFINITIONS", "Words."]
    ])
    expect(sections[0]?.notes).toContain("A case.")
  })

  it("of two texts with days name one section, and the release says which of them is law", async () => {
    const pair = class3("[Effective until December 1, 2022.]", "[Effective December 1, 2022.]")
    const { section, sections, texts } = await corpusOf({ "a.html": page(pair) })

    expect(seen(sections)).toEqual([
      [
        "us-ri/code/3-7-7",
        "The old fee.",
        "in force",
        "Release 75, until 2022-12-01, another text exists",
        undefined,
        "2022-12-01"
      ],
      [
        "us-ri/code/3-7-7(from 2022-12-01)",
        "The new fee.",
        "historical",
        "Release 75, from 2022-12-01, another text exists",
        "2022-12-01",
        undefined
      ]
    ])
    expect(texts.filter(({ _tag }) => _tag === "Rejected")).toEqual([])
    expect(section("us-ri/code/3-7-7").url).not.toBe(section("us-ri/code/3-7-7(from 2022-12-01)").url)

    const later = await corpusOf({ "a.html": page(pair, "2022.12.22") })
    expect(later.sections.map(({ identity, status, versionDate }) => [identity, status, versionDate])).toEqual([
      ["us-ri/code/3-7-7(until 2022-12-01)", "historical", "2022-12-22"],
      ["us-ri/code/3-7-7", "in force", "2022-12-22"]
    ])
  })

  it("say days in all their forms, and what is behind the first sentence is of the other text", async () => {
    const days = {
      "(Effective July 1, 2021)": ["2021-07-01", undefined],
      "[Effective until January 1, 2023. See the version effective on January 1, 2023.]": [undefined, "2023-01-01"],
      "[Effective January 1, 2019, until June 30, 2025.]": ["2019-01-01", "2025-06-30"],
      "(Effective July 1, 2020 through June 30, 2024)": ["2020-07-01", "2024-07-01"],
      "[Expires June 30, 2033.]": [undefined, "2033-06-30"],
      "[Repealed effective July 1, 2040.]": [undefined, "2040-07-01"],
      "— Effective July 1, 2018.": ["2018-07-01", undefined],
      "effective dates (see note 5)": [undefined, undefined]
    }
    const { sections } = await corpusOf({
      "a.html": page(
        `<h1>Title 9</h1>${Object.keys(days)
          .map((note, at) => `<h3>9-1-${at + 1}. Fees. ${note}</h3><p>Text.</p>`)
          .join("")}`
      )
    })

    expect(sections.map(({ effective, effectiveUntil }) => [effective, effectiveUntil])).toEqual(Object.values(days))
    expect(new Set(sections.map(({ status }) => status))).toEqual(new Set(["in force"]))
  })

  it("name an event instead of a day: the text that it begins is not law yet", async () => {
    const { sections } = await corpusOf({
      "a.html": page(class3("", "[Contingent amendment; see note.]")),
      "b.html": page(
        `<h1>Title 4</h1><h3>4-1-1. Dogs. (Contingent expiration date)</h3><p>Old.</p><h3>4-1-1. Dogs. (Contingent effective date)</h3><p>New.</p>`
      )
    })

    expect(sections.map(({ identity, status }) => [identity, status])).toEqual([
      ["us-ri/code/3-7-7", "in force"],
      ["us-ri/code/3-7-7(contingent)", "historical"],
      ["us-ri/code/4-1-1", "in force"],
      ["us-ri/code/4-1-1(contingent)", "historical"]
    ])
  })

  it("is kept with the text beside it if no day tells them apart, and a text that comes twice is one", async () => {
    const { sections, skipped, texts } = await corpusOf({
      "a.html": page(`${class3("", "")}<h3>3-7-7. Class B license.</h3><p>Third.</p>${class3("", "")}`)
    })

    expect(texts.filter(({ _tag }) => _tag === "Rejected")).toEqual([])
    expect(sections.map(({ identity, status, version }) => [identity, status, version])).toEqual([
      ["us-ri/code/3-7-7", "in force", "Release 75, another text exists"],
      ["us-ri/code/3-7-7(other)", "historical", "Release 75, another text exists"],
      ["us-ri/code/3-7-7(other 2)", "historical", "Release 75, another text exists"]
    ])
    expect(skipped).toHaveLength(2)
  })

  it("is not law yet if its day counts only where something else happens", async () => {
    const { sections } = await corpusOf({
      "a.html": page(class3("", "[Effective July 1, 2020, if the measure is approved.]")),
      "b.html": page(
        `<h1>Title 4</h1><h3>4-1-1. Dogs. [Effective until 1/1/2099.]</h3><p>Old.</p><h3>4-1-1. Dogs. [See contingent effective date note.]</h3><p>New.</p>`
      )
    })

    expect(sections.map(({ effectiveUntil, identity, status }) => [identity, status, effectiveUntil])).toEqual([
      ["us-ri/code/3-7-7", "in force", undefined],
      ["us-ri/code/3-7-7(from 2020-07-01)", "historical", undefined],
      ["us-ri/code/4-1-1", "in force", "2099-01-01"],
      ["us-ri/code/4-1-1(contingent)", "historical", undefined]
    ])
  })

  it("have the notes of a title or chapter with the first section behind them, and say which levels have no section", async () => {
    const { sections, skipped } = await corpusOf({
      "a.html":
        page(`<p>A note of the title.</p><h1>Title 4 Animals</h1><h2>Chapter 1 Cats</h2><p>[Repealed, § 2 ch 3.]</p>
        <h2>Chapter 2 Dogs</h2><p>See also chapter 9.</p><ul><li>4-2-1. Leash.</li></ul>
        <h3>4-2-1. Leash.</h3><p>A dog has a leash.</p><h3>4-2-2. Bark.</h3><p>A dog is still.</p>`)
    })

    expect(sections.map(({ notes }) => notes)).toEqual(["A note of the title.\nSee also chapter 9.", ""])
    expect(skipped.map(({ line, why }) => [line, why])).toEqual([[2, "a level without sections: Chapter 1"]])
  })
})
