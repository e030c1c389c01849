/** Pages of nothing but `div` and `span`, as frameworks make them: their foot has lists of links, their signs no text. */
import { expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const address = { type: "string", format: "uri" }
const object = (properties: { readonly [name: string]: Json }) => ({ type: "object", properties })
const list = (items: Json) => ({ type: "array", items })

const foot = `<div class="border-t"><div class="grid">
  <div><h4>Product</h4><a href="/features">Features</a><a href="/pricing">Pricing</a></div>
  <div><h4>Company</h4><a href="/about">About</a><a href="/careers">Careers</a></div>
  <div><h4>Follow us</h4><a href="https://twitter.com/acme">Twitter</a><a href="https://github.com/acme">GitHub</a></div>
  </div><p>© 2026 Acme Inc.</p></div>`

const of = (main: string, properties: { readonly [name: string]: Json }) =>
  byRules(
    {
      html: `<title>Acme</title><div id="root"><div class="top"><a href="/">Acme</a><a href="/docs">Docs</a></div>${main}${foot}</div>`,
      url: "https://acme.test/page",
      metadata: {}
    },
    { schema: object(properties), prompt: undefined }
  ).data

it("the lists of links in the foot of a page are no list that is wanted, and hide none", () => {
  const card = (name: string, role: string) =>
    `<div class="text-center"><h3>${name}</h3><p>${role}</p><a href="https://www.linkedin.com/in/${name}"><svg></svg></a></div>`
  const person = object({ name: text, linkedin: address })
  expect(
    of(`<h1>Our team</h1><div>${card("Ann", "Engineer")}${card("Bo", "Designer")}</div>`, { team: list(person) })
  ).toEqual({
    team: ["Ann", "Bo"].map((name) => ({ name, linkedin: `https://www.linkedin.com/in/${name}` }))
  })
  expect(of("<h1>Integrations</h1><p>There are many of them.</p>", { integrations: list(text) })).toEqual({
    integrations: null
  })
  const links = `<ul><li><a href="https://a.test/">Alpha docs</a></li><li><a href="https://b.test/">Beta guide</a></li></ul>`
  expect(of(`<h1>Resources</h1>${links}`, { resources: list(object({ title: text, url: address })) })).toEqual({
    resources: [
      { title: "Alpha docs", url: "https://a.test/" },
      { title: "Beta guide", url: "https://b.test/" }
    ]
  })
})

it("the role of a card is not its name", () => {
  const cards = ["Ann", "Bo", "Cy"].map(
    (name) => `<div class="card"><h3>${name}</h3><a href="/team/${name}">More</a></div>`
  )
  expect(
    of(`<h1>Team</h1>${cards.join("")}`, { team: list(object({ name: text, role: text, url: address })) })
  ).toEqual({
    team: ["Ann", "Bo", "Cy"].map((name) => ({ name, role: null, url: `https://acme.test/team/${name}` }))
  })
})

it("a link is found by its text in any list, and by its host where it has no text", () => {
  const main = `<h1>Acme</h1><p>We make kettles.</p><a href="https://www.youtube.com/@acme"><svg></svg></a>`
  expect(of(main, { twitter: address, github_url: text, youtube: address, facebook: address })).toEqual({
    twitter: "https://twitter.com/acme",
    github_url: "https://github.com/acme",
    youtube: "https://www.youtube.com/@acme",
    facebook: null
  })
})

it("cards without a heading are called by their first text", () => {
  const tier = (name: string, price: string) =>
    `<div class="card"><div>${name}</div><div>${price} <small>per month</small></div></div>`
  expect(
    of(`<h1>Pricing</h1>${tier("Starter", "€9.50")}${tier("Growth", "€49")}`, {
      tiers: list(object({ name: text, price: number }))
    })
  ).toEqual({
    tiers: [
      { name: "Starter", price: 9.5 },
      { name: "Growth", price: 49 }
    ]
  })
  const dish = (name: string, price: string) => `<li><span>${name}</span><span>€${price}</span></li>`
  const menu = `<h1>Menu</h1><h2>Starters</h2><ul>${dish("Soup", "6.50")}${dish("Salad", "8")}</ul>
    <h2>Mains</h2><ul>${dish("Fish", "18")}${dish("Steak", "24")}</ul>`
  expect(of(menu, { items: list(object({ name: text, price: number })) })).toEqual({
    items: [
      { name: "Soup", price: 6.5 },
      { name: "Salad", price: 8 },
      { name: "Fish", price: 18 },
      { name: "Steak", price: 24 }
    ]
  })
})

it("a button that folds the answer to a question is the question", () => {
  const entry = (question: string, answer: string) =>
    `<div class="border-b"><button aria-expanded="false"><span>${question}</span></button><div><p>${answer}</p></div></div>`
  const faq = `<h1>FAQ</h1>${entry("Is there a free trial?", "Yes, for 14 days.")}${entry("Can I cancel?", "At any time, in your settings.")}`
  expect(of(faq, { faqs: list(object({ question: text, answer: text })) })).toEqual({
    faqs: [
      { question: "Is there a free trial?", answer: "Yes, for 14 days." },
      { question: "Can I cancel?", answer: "At any time, in your settings." }
    ]
  })
})

it("a title that is cut for its looks is given whole, and a rating that a class says in a word is a number", () => {
  const book = (at: number, title: string, rating: string) =>
    `<li><a href="/b/${at}"><img src="/${at}.jpg" alt="${title}"></a><p class="star-rating ${rating}"><i class="icon-star"></i></p>
     <h3><a href="/b/${at}" title="${title}">${title.slice(0, 7)}...</a></h3><p class="price">£5${at}.10</p></li>`
  const shelf = `<h1>Books</h1><ol>${book(1, "A Light in the Attic", "Three")}${book(2, "Tipping the Velvet", "One")}</ol>`
  expect(of(shelf, { books: list(object({ title: text, price: number, rating: integer })) })).toEqual({
    books: [
      { title: "A Light in the Attic", price: 51.1, rating: 3 },
      { title: "Tipping the Velvet", price: 52.1, rating: 1 }
    ]
  })
})

it("tags are the links that they are, the way to a page is its crumbs, and a league has ranks and points", () => {
  const quote = (words: string, ...tags: ReadonlyArray<string>) =>
    `<div class="quote"><span class="text">${words}</span><div class="tags">Tags: ${tags
      .map((tag) => `<a class="tag" href="/tag/${tag}">${tag}</a>`)
      .join(" ")}</div></div>`
  expect(
    of(`<h1>Quotes</h1>${quote("Be.", "life", "love")}${quote("Do.", "work")}`, {
      quotes: list(object({ text, tags: list(text) }))
    })
  ).toEqual({
    quotes: [
      { text: "Be.", tags: ["life", "love"] },
      { text: "Do.", tags: ["work"] }
    ]
  })
  const crumbs = `<nav aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li><li><a href="/k">Kitchen</a> /</li><li>Kettle</li></ol></nav>`
  expect(of(`${crumbs}<h1>Kettle</h1>`, { breadcrumbs: list(text) })).toEqual({
    breadcrumbs: ["Home", "Kitchen", "Kettle"]
  })
  const row = (...cells: ReadonlyArray<string>) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  const league = `<h1>League</h1><table><thead><tr><th>#</th><th>Team</th><th>P</th><th>Pts</th></tr></thead><tbody>
    ${row("1", "Rovers", "10", "24")}${row("2", "United", "10", "21")}</tbody></table>`
  expect(of(league, { standings: list(object({ rank: integer, team: text, points: integer })) })).toEqual({
    standings: [
      { rank: 1, team: "Rovers", points: 24 },
      { rank: 2, team: "United", points: 21 }
    ]
  })
})

it("a row of labels and their values is no list, also where some of the values are links", () => {
  const main = `<h1>Contact us</h1><div><div><p>Email</p><a href="mailto:hello@acme.test">hello@acme.test</a></div>
    <div><p>Phone</p><a href="tel:+15551234567">+1 (555) 123-4567</a></div><div><p>Address</p><p>12 Main Street, Springfield, IL 62701</p></div></div>`
  const contact = {
    email: "hello@acme.test",
    phone: "+1 (555) 123-4567",
    address: "12 Main Street, Springfield, IL 62701"
  }
  const wanted = { email: text, phone: text, address: text }
  expect(of(main, wanted)).toEqual(contact)
  expect(of(main, { contact: object(wanted) })).toEqual({ contact })
})
