import { expect, it } from "vitest"
import { extract } from "#extract/byRules"

const of = (html: string, ...names: ReadonlyArray<string>) =>
  extract(
    { html, url: "https://oma.test/cake", metadata: {} },
    { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
    undefined
  ).data

const byline = `<span class="author vcard"><a class="url fn n" href="/author/lena">Lena Koch</a></span>`
const page = (more: string) => `<title>Cake - Oma</title><main><h1>Apple cake</h1><p>by ${byline}</p>${more}</main>`

it("a recipe is not called as the card in its byline, which names its author", () => {
  const html = page("<h2>Ingredients</h2><ul><li>Flour<li>Apples</ul>")

  expect(of(html, "name", "author")).toEqual({ name: "Apple cake", author: "Lena Koch" })
})

it("a card that is no byline is what a page is about", () => {
  const card = `<div class="vcard"><b class=fn>Ada Rook</b> <span class=role>Baker</span> <span class=tel>+49 30 1234</span></div>`

  expect(of(`<title>Staff</title>${card}`, "name", "role", "phone")).toEqual({
    name: "Ada Rook",
    role: "Baker",
    phone: "+49 30 1234"
  })
})
