import { expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { impliedOf } from "#extract/read/declared/Microformats"
import { elements } from "#page/Dom"

const implied = (html: string) => {
  const page = new Page(html, "https://site.test/")
  const [item] = elements(page.root)
  if (item === undefined) throw new Error("none")
  return impliedOf(page, item, { name: true, photo: true, url: true }).map(({ name, data }) => [name, data])
}

it.each([
  ["<p class=h-card> Jo <b>Doe</b></p>", [["name", "Jo Doe"]]],
  [
    "<a class=h-card href=/jo>Jo</a>",
    [
      ["name", "Jo"],
      ["url", "https://site.test/jo"]
    ]
  ],
  [
    "<img class=h-card alt=Jo src=/jo.png>",
    [
      ["name", "Jo"],
      ["photo", "https://site.test/jo.png"]
    ]
  ],
  [
    "<p class=h-card><a href=/jo><img alt=Jo src=/jo.png></a></p>",
    [
      ["name", "Jo"],
      ["photo", "https://site.test/jo.png"],
      ["url", "https://site.test/jo"]
    ]
  ],
  ["<p class=h-card><a href=/a>A</a><a href=/b>B</a></p>", [["name", "AB"]]],
  ["<p class=h-card><a class=h-card href=/a>A</a></p>", [["name", "A"]]]
])("%s says without naming it %j", (html, expected) => {
  expect(implied(html)).toEqual(expected)
})
