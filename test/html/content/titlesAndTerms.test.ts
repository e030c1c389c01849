import { expect, it } from "vitest"
import { chooseBlocks } from "../../../src/html/content/chooseBlocks.ts"
import { factsOf } from "../../../src/html/content/factsOf.ts"
import { hashOfText } from "../../../src/html/content/letters.ts"
import { readDom } from "../../../src/html/content/readDom.ts"
import * as Dom from "../../../src/html/Dom.ts"

const words = "A sentence of the text, which says something that a reader wants to know about it. ".repeat(12)

const kept = (html: string): ReadonlyArray<string> => {
  const root = Dom.parse(html)
  const { blocks, outline } = readDom(root)
  const choice = chooseBlocks(outline, factsOf(root, "https://a.example/reference/glossary"))
  return blocks.flatMap(({ text }, i) => (choice.kept[i] === 1 ? text.trim() : []))
}

it("a heading is the title whatever marks stand behind it", () => {
  expect(hashOfText("Glossary¶")).toBe(hashOfText("glossary"))
  expect(hashOfText("It’s — here")).toBe(hashOfText("Its here"))
  expect(hashOfText("Größe")).not.toBe(hashOfText("Gre"))
  const page = `<title>Glossary — A manual</title><body><h1><a href=/>A manual</a></h1>
    <main><h1>Glossary<a href=#x>¶</a></h1><p>${words}</p></main>`
  expect(kept(page)[0]).toBe("Glossary¶")
})

it("a term is kept with what is said of it", () => {
  const entry = (term: string) => `<dt>${term}</dt><dt>also ${term}</dt><dd><p>${words}</p></dd>`
  const page = `<title>Words</title><body><article><h1>Words</h1><dl>${["-a", "-b", "-c"].map(entry).join("")}</dl></article>`
  expect(kept(page).filter((text) => text.length < 20)).toEqual([
    "Words",
    "-a",
    "also -a",
    "-b",
    "also -b",
    "-c",
    "also -c"
  ])
})
