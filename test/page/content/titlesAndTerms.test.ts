import { expect, it } from "vitest"
import { chooseBlocks } from "#page/content/chooseBlocks"
import { factsOf } from "#page/content/factsOf"
import { hashOfText } from "#page/content/letters"
import { titleOf } from "#page/content/pageTitle"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

const words = "A sentence of the text, which says something that a reader wants to know about it. ".repeat(12)

const kept = (html: string): ReadonlyArray<string> => {
  const root = Dom.parse(html)
  const { blocks, outline } = readDom(root)
  const choice = chooseBlocks(outline, factsOf(root, "https://a.example/reference/glossary"))
  return blocks.flatMap(({ text }, i) => (choice.keptMask[i] === 1 ? text.trim() : []))
}

it("a heading is the title whatever marks stand behind it", () => {
  expect(hashOfText("Glossary¶")).toBe(hashOfText("glossary"))
  expect(hashOfText("It’s — here")).toBe(hashOfText("Its here"))
  expect(hashOfText("Größe")).not.toBe(hashOfText("Gre"))
  const page = `<title>Glossary — A manual</title><body><h1><a href=/>A manual</a></h1>
    <main><h1>Glossary<a href=#x>¶</a></h1><p>${words}</p></main>`
  expect(kept(page)[0]).toBe("Glossary¶")
})

it("a name of two letters is a title where the script writes words so short", () => {
  const page = `<title>模版 | Manual</title><body><header><h1>模版</h1></header><article><p>${words}</p></article>`
  expect(kept(page)[0]).toBe("模版")
  expect(factsOf(Dom.parse("<title>Go | Manual</title>"), "https://a.example/").titles.has(hashOfText("Go"))).toBe(
    false
  )
})

it("the banner of a site is no heading of its pages, though their titles end with its name", () => {
  const page = (heading: string) => `<title>shop.models — A manual of shops</title><body>
    <div><h1><a href=/>A manual of shops</a></h1></div><div><h1>${heading}</h1><p>${words}</p></div>`
  expect(kept(page("Source code for shop.models"))).not.toContain("A manual of shops")
  expect(kept(page("Source code for shop.models"))[0]).toBe("Source code for shop.models")
})

it("the heading of the main part is the title, and not the banner above it that the page's title has too", () => {
  const page = `<title>Console | Manual of mills, version 20</title><body><nav><a href=/>All</a></nav>
    <div><header><h1>Manual of mills, version 20</h1></header>
    <div role=main><section><h2>Console</h2><div><a href=/s>Stability: 2</a> - Stable</div><p>${words}</p></section></div></div>`
  expect(kept(page).slice(0, 2)).toEqual(["Console", "Stability: 2 - Stable"])
})

it("a line with the whole title above the text is the title where no heading is, and a link or the name of the site is not", () => {
  const page = (line: string, title = "The mill table") => `<meta property="og:site_name" content="Mill manual">
    <title>${title}</title><body><div><a href=/>All manuals</a></div><div class=fancy>${line}</div><div>Contents</div>
    <div id=text><h2>Overview</h2><p>${words}</p></div>`
  expect(kept(page("The mill table"))[0]).toBe("The mill table")
  expect(kept(page("<a href=/t>The mill table</a>"))[0]).toBe("Overview")
  expect(kept(page("The mill table", "Another title"))[0]).toBe("Overview")
  expect(kept(page("Mill manual", "Mill manual"))[0]).toBe("Overview")
})

it("a header that leads nowhere is of the page, with all that it says; the banner of a site has links or pictures", () => {
  const page = (inHeader: string) => `<title>grind(1)</title><body>
    <div id=header><h1>grind(1) manual page</h1>${inHeader}<h2>Name</h2><p>grind - makes flour</p></div>
    <div id=content><h2>Synopsis</h2><p>${words}</p><p>${words}</p></div>`
  expect(kept(page("")).slice(0, 4)).toEqual(["grind(1) manual page", "Name", "grind - makes flour", "Synopsis"])
  expect(kept(page("<a href=/>Home</a>"))).not.toContain("grind(1) manual page")
  expect(kept(page("<input>"))).not.toContain("grind(1) manual page")
})

it("the only first heading near the beginning is the title, though the page's title says it in other words", () => {
  /** The title of a page of which the paragraphs are kept. */
  const title = (body: string): string | undefined => {
    const root = Dom.parse(`<title>Top mills of this year</title><body>${body}`)
    const { blocks, outline } = readDom(root)
    const kept = Uint8Array.from(outline.blocks, ({ part }) => (part.name === "p" ? 1 : 0))
    return blocks[titleOf(outline, kept, factsOf(root, "https://a.example/mills"), -1)]?.text
  }
  const heading = "<h1>Ten mills that we like</h1>"
  expect(title(`<div>${heading}<div>Ann Miller</div></div><p>${words}</p>`)).toBe("Ten mills that we like")
  expect(title(`<article><header>${heading}</header><p>${words}</p></article>`)).toBe("Ten mills that we like")
  expect(title(`<main>${heading}<p>${words}</p></main>`)).toBe("Ten mills that we like")
  expect(title(`${heading}<main><p>${words}</p></main>`)).toBeUndefined()
  expect(title(`<header>${heading}</header><p>${words}</p>`)).toBeUndefined()
  expect(title(`<aside>${heading}</aside><p>${words}</p>`)).toBeUndefined()
  expect(title(`<h1><a href=/>Mill blog</a></h1><p>${words}</p>`)).toBeUndefined()
  expect(title(`${heading}<p>${words}</p><h1>Ten more</h1><p>${words}</p>`)).toBeUndefined()
  expect(title(`${`<p>${words}</p>`.repeat(50)}<div>${heading}</div><p>${words}</p>`)).toBeUndefined()
})

it("a long list of names is kept whole", () => {
  const names = (from: number) =>
    Array.from({ length: 60 }, (_, i) => `<li><a href=${from + i}>name.of_${from + i}()</a>`).join("")
  const lists = [0, 100, 200, 300, 400, 500].map(
    (from) => `<li><a href=x${from}>Module ${from}</a><ul>${names(from)}</ul>`
  )
  const page = `<title>Names</title><body><nav><ul><li><a href=/>Home</a></ul></nav>
    <main><h1>Names</h1><p>${words}</p><ul>${lists.join("")}</ul></main>`
  expect(kept(page).filter((text) => /^(?:name|Module)/.test(text))).toHaveLength(366)
})

it("a picture in a banner is not content", () => {
  const page = (around: string) => {
    const root = Dom.parse(
      `<title>Lists</title><body>${around}<main><h1>Lists</h1><p>${words}</p><p><img src=b.png><p>${words}</p></main>`
    )
    const { blocks, outline } = readDom(root)
    const choice = chooseBlocks(outline, factsOf(root, "https://a.example/docs/lists.html"))
    return blocks.flatMap(({ block }, i) => (block.images > 0 ? [choice.keptMask[i]] : []))
  }
  expect(page("<div class=navbar role=banner><div><img src=logo.svg></div></div>")).toEqual([0, 1])
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
