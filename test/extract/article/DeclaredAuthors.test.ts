import { expect, it } from "vitest"
import { metaAuthors, namesOf } from "#extract/article/Declared"
import { thing } from "../offered.ts"

it("authors of a thing are texts and things with a name, and whether they are organizations", () => {
  const { properties } = thing({
    author: ["Ada Stone", { "@type": "Organization", name: "Valley News" }, "https://valley.test/ada"]
  })

  expect(namesOf(properties, "author").map(({ isFirm, text }) => [text, isFirm])).toEqual([
    ["Ada Stone", false],
    ["Valley News", true]
  ])
})

it("authors of a head are all that the first known meta names, else what a card says under a label", () => {
  const { properties } = thing({ author: ["Ada Stone", "Bo Wood"], "article:author": "Cleo Reed" }, "meta")
  const source = { kind: "meta", path: "", span: [0, 0] } as const
  const card = new Map([
    ["twitter:label1", { text: "Written by", source }],
    ["twitter:data1", { text: "Ada Stone", source }]
  ])

  expect(metaAuthors(properties, new Map()).map(({ text }) => text)).toEqual(["Ada Stone", "Bo Wood"])
  expect(metaAuthors([], card).map(({ text }) => text)).toEqual(["Ada Stone"])
  expect(metaAuthors([], new Map())).toEqual([])
})
