import { expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const address = { type: "string", format: "uri" }
const images: JsonSchema = { type: "object", properties: { images: { type: "array", items: address } } }
const image: JsonSchema = { type: "object", properties: { image: address } }

const of = (main: string, schema: JsonSchema = images, head = "") =>
  byRules(
    {
      html: `<title>Kettle</title>${head}<header><a href="/"><img src="/logo.png" alt="Shop"></a></header>
        <main><h1>Kettle</h1>${main}<p>A kettle of steel that boils a litre in two minutes, and costs <b>$49.00</b>.</p></main>
        <footer><img src="/visa.png" alt="Visa"></footer>`,
      url: "http://shop.test/kettle",
      metadata: {}
    },
    { schema, prompt: undefined }
  ).data

const files = (...names: ReadonlyArray<string>) => ({ images: names.map((name) => `http://shop.test/${name}.jpg`) })
const gallery = `<div class="gallery">${["a", "b", "c"].map((name) => `<img src="/${name}.jpg" alt="Kettle ${name}">`).join("")}</div>`
const related = `<section class="related"><h2>You may also like</h2>${[1, 2, 3]
  .map(
    (n) =>
      `<div class="card"><a href="/p/${n}"><img src="/p${n}.jpg"></a><h3><a href="/p/${n}">Pan ${n}</a></h3>$${n}9.00</div>`
  )
  .join("")}</section>`

it("the pictures of a page are those of its gallery, and not those of related things, its logo or its signs", () => {
  expect(of(gallery + related)).toEqual(files("a", "b", "c"))
  expect(of(`<img src="/icons/truck-icon.svg"> Free <img src="/dot.gif" width="1" height="1">${gallery}`)).toEqual(
    files("a", "b", "c")
  )
  expect(of(`<p><img class="avatar" src="/ann.jpg"> By Ann</p><figure><img src="/one.jpg"></figure>`)).toEqual(
    files("one")
  )
})

it("a picture that links to a larger one is that, and one that is loaded late is where it is loaded from", () => {
  const thumbs = ["a", "b"].map((name) => `<a href="/${name}.jpg"><img src="/thumb/${name}.jpg"></a>`).join("")
  expect(of(thumbs)).toEqual(files("a", "b"))
  expect(of(`<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/a.jpg"><img src="/b.jpg">`)).toEqual(
    files("a", "b")
  )
})

it("where a page declares one of the pictures that it shows, all that it shows are its pictures", () => {
  const declares = (image: string) =>
    `<script type="application/ld+json">{"@type":"Product","name":"Kettle","image":${image}}</script>`
  expect(of(gallery, images, declares(`"http://shop.test/a.jpg"`))).toEqual(files("a", "b", "c"))
  expect(of(gallery, images, declares(`["http://shop.test/x.jpg","http://shop.test/y.jpg"]`))).toEqual(files("x", "y"))
  expect(of(gallery, images, `<meta property="og:image" content="/social.jpg">`)).toEqual(files("a", "b", "c"))
  expect(of("", images, `<meta property="og:image" content="/social.jpg">`)).toEqual(files("social"))
})

it("the picture of a page is the one that it declares, and the first that it shows where it declares none", () => {
  expect(of(gallery + related, image, `<meta property="og:image" content="/social.jpg">`)).toEqual({
    image: "http://shop.test/social.jpg"
  })
  expect(of(gallery + related, image)).toEqual({ image: "http://shop.test/a.jpg" })
  expect(of("", image)).toEqual({ image: null })
})

it("pictures of cards whose titles lead to other pages are not those of the page, whatever the cards are called", () => {
  const cards = (title: (name: string) => string) =>
    ["pear", "plum", "fig"].map((name) => `<div class="p-4"><img src="/${name}.jpg">${title(name)}</div>`).join("")
  const links = cards((name) => `<p><a href="/p/${name}">The ${name}</a></p>`)
  const headings = cards((name) => `<h3><a href="/p/${name}">The ${name}</a></h3><p>From $9</p>`)

  expect(of(`${gallery}<div>${links}</div>`)).toEqual(files("a", "b", "c"))
  expect(of(`${gallery}<div>${headings}</div>`)).toEqual(files("a", "b", "c"))
})

it("pictures of a gallery are those of the page if their links have all one text, or are words of a caption", () => {
  const cards = (title: (name: string) => string) =>
    ["a", "b", "c"].map((name) => `<div class="p-4"><img src="/${name}.jpg">${title(name)}</div>`).join("")

  expect(of(cards((name) => `<a href="/zoom/${name}">Larger</a>`))).toEqual(files("a", "b", "c"))
  expect(of(cards((name) => `<p>Kettle ${name} by <a href="/by/${name}">Maker ${name}</a></p>`))).toEqual(
    files("a", "b", "c")
  )
})

it("a page that shows no picture of its own does not have those of the cards below it", () => {
  const cards = ["pear", "plum", "fig"]
    .map((name) => `<div class="p-4"><img src="/${name}.jpg"><p><a href="/p/${name}">The ${name}</a></p></div>`)
    .join("")

  expect(of(related)).toEqual({ images: null })
  expect(of(`<h2>You may also like</h2><div>${cards}</div>`)).toEqual({ images: null })
  expect(of(`<h2>You may also like</h2><div>${cards}</div>`, image)).toEqual({ image: null })
})
