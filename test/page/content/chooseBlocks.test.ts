import { expect, test } from "vitest"
import * as Dom from "#page/Dom"
import { mainBlocks } from "#page/mainBlocks"
import * as Page from "#page/Page"

const paragraph = (about: string) =>
  `<p>The ${about} of the mill was repaired in spring, after the river had risen twice, and it has turned ever since without a rest, day and night, in all weathers.</p>`
const story = ["wheel", "roof", "door", "stone", "race", "sluice"].map(paragraph).join("")
const links = (count: number, about: string) =>
  Array.from(
    { length: count },
    (_, i) => `<li><a href="/${about}/${i}">${about} number ${i} of the river</a></li>`
  ).join("")

const read = (body: string, head = "") =>
  mainBlocks(Dom.parse(`<html><head>${head}</head><body>${body}</body></html>`), "https://mill.example/news/mill")
const textOf = (body: string, head = "") =>
  read(body, head)
    .blocks.map(({ text }) => text)
    .join("\n")

test("the story is kept, and what stands around it is left out", () => {
  const text = textOf(
    `<header><ul>${links(8, "menu")}</ul></header><article><h1>The mill turns</h1>${story}</article><div class="related-posts"><h3>Related</h3><ul>${links(6, "story")}</ul></div><footer>© The Mill, all rights reserved</footer>`,
    "<title>The mill turns | The Mill</title>"
  )

  expect(text.split("\n")).toHaveLength(6)
  expect(text).not.toMatch(/menu|story number|rights reserved/)
})

test("a page of contents keeps its links, also where they stand in a nav", () => {
  const text = textOf(
    `<header>State of Sample</header><main><h1>Title 12</h1><nav class="toc"><ul>${links(60, "section")}</ul></nav></main>`
  )

  expect(text).toContain("section number 0 of the river")
  expect(text).toContain("section number 59 of the river")
  expect(text).not.toContain("State of Sample")
})

test("a list is kept whole or left out whole", () => {
  const items = [
    "Check the level at the yard and write it down.",
    "never on a Friday",
    "Close the plan with the date and your initials."
  ]
  const text = textOf(
    `<main><h1>How to</h1>${story}<ol>${items.map((item) => `<li>${item}</li>`).join("")}</ol>${paragraph("gate")}</main>`
  )

  for (const item of items) expect(text).toContain(item)
})

test("what is hidden is left out where the page shows its text, and read where it does not", () => {
  expect(textOf(`<main>${story}</main><div hidden>${paragraph("secret")}</div>`)).not.toContain("secret")
  expect(
    textOf(`<div id="root"><p>Loading</p></div><div hidden id="S:0"><main><h1>The mill</h1>${story}</main></div>`)
  ).toContain("The wheel of the mill")
})

test("a page that only a noscript shows is read", () => {
  const posts = Array.from(
    { length: 8 },
    (_, i) => `<div class="topic-body"><span>member${i}</span>${story}</div>`
  ).join("")
  expect(
    textOf(`<div id="app"></div><noscript><main id="main-outlet"><h1>Which wheel?</h1>${posts}</main></noscript>`)
  ).toContain("The sluice of the mill")
})

test("Markdown has the title that the articles text leaves out", () => {
  const html = `<html><head><title>The mill turns | The Mill</title></head><body><div class="banner"><h1>The Mill</h1></div><article><h1>The mill turns</h1>${story}</article></body></html>`
  const { markdown } = Page.parse(
    { url: "https://mill.example/a", body: Buffer.from(html), contentType: "text/html" },
    Page.defaults
  )

  expect(markdown).toMatch(/^# The mill turns\n\nThe wheel/)
  expect(mainBlocks(Dom.parse(html), "https://mill.example/a").blocks[0]?.text).toMatch(/^The wheel/)
})

test("a page tells what kind it is", () => {
  expect(read(`<article><h1>The mill turns</h1>${story}</article>`).kind).toBe("article")
})

test("what stands in the place of each embed until the reader consents is left out, with its heading", () => {
  const embed = `<div class="embed"><h3>No outside content</h3><p>Your settings keep outside content of other sites from being shown here. Change them to see it.</p></div>`
  const text = textOf(
    `<article><h1>The mill turns</h1>${paragraph("gate")}${embed}${story}${embed}${paragraph("yard")}</article>`,
    `<title>The mill turns | The Mill</title><meta property="og:type" content="article">`
  )

  expect(text).toContain("The gate of the mill")
  expect(text).toContain("The yard of the mill")
  expect(text).not.toMatch(/outside content/i)
})
