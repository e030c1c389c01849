import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const number = { type: "number" }
const jobs = (cards: ReadonlyArray<string>, lang = "en") =>
  byRules(
    {
      url: "http://jobs.test/",
      html: `<html lang="${lang}"><main><h1>Remote jobs</h1><div>${cards.join("")}</div></main></html>`,
      metadata: {}
    },
    {
      schema: {
        properties: {
          jobs: {
            type: "array",
            items: {
              type: "object",
              properties: {
                title: text,
                company: text,
                location: text,
                salary_min: number,
                salary_max: number,
                url: text
              }
            }
          }
        }
      },
      prompt: undefined
    }
  ).data

const card = (id: number, title: string, company: string, place: string, pay: string, alt = "") =>
  `<a href="/j/${id}" class="block p-4"><div><img src="/l/${id}.png" alt="${alt}"><div><h3>${title}</h3><p>${company}</p>
   <div><span>${place}</span><span>${pay}</span><span>2d ago</span></div></div></div></a>`

describe("cards of jobs that are a link each, and name nothing", () => {
  it("have the title of their heading, the company, the place and the pay", () => {
    const data = jobs([
      card(1, "Frontend Developer", "Northwind Ltd", "Berlin, Germany", "€60,000 – €75,000"),
      card(2, "Data Engineer", "Blue Rock GmbH", "Remote", "€70,000 – €90,000"),
      card(3, "Product Designer", "Halo Inc", "Lisbon, Portugal", "€45,000 – €55,000")
    ])
    const row = (
      id: number,
      title: string,
      company: string,
      location: string,
      salary_min: number,
      salary_max: number
    ) => ({
      title,
      company,
      location,
      salary_min,
      salary_max,
      url: `http://jobs.test/j/${id}`
    })
    expect(data).toEqual({
      jobs: [
        row(1, "Frontend Developer", "Northwind Ltd", "Berlin, Germany", 60_000, 75_000),
        row(2, "Data Engineer", "Blue Rock GmbH", "Remote", 70_000, 90_000),
        row(3, "Product Designer", "Halo Inc", "Lisbon, Portugal", 45_000, 55_000)
      ]
    })
  })

  it("have the company that a logo names, and a country in the language of the page", () => {
    const data = jobs(
      [
        card(1, "Entwicklerin", "Nordlicht", "Wien, Österreich", "Vollzeit", "Logo von Nordlicht"),
        card(2, "Koch", "Halde", "Zürich, Schweiz", "Teilzeit", "Halde Logo")
      ],
      "de"
    )
    expect(data).toMatchObject({
      jobs: [
        { title: "Entwicklerin", company: "Nordlicht", location: "Wien, Österreich", salary_min: null },
        { title: "Koch", company: "Halde", location: "Zürich, Schweiz", salary_min: null }
      ]
    })
  })

  it("have no company and no place where nothing shows which text is one", () => {
    const data = jobs([
      card(1, "Frontend Developer", "Growth", "Blue", "€60,000 – €75,000"),
      card(2, "Data Engineer", "Search", "Green", "€70,000 – €90,000")
    ])
    expect(data).toMatchObject({
      jobs: [
        { company: null, location: null },
        { company: null, location: null }
      ]
    })
  })
})

const rowsOf = (card: (name: string, id: number) => string, properties: { readonly [name: string]: JsonSchema }) =>
  byRules(
    {
      url: "http://blog.test/posts",
      html: `<main><h1>Posts</h1>${["A bridge", "A park", "A fair"].map(card).join("")}</main>`,
      metadata: {}
    },
    { schema: { properties: { posts: { type: "array", items: { type: "object", properties } } } }, prompt: undefined }
  ).data
const titles = (...rest: ReadonlyArray<object>) =>
  ["A bridge", "A park", "A fair"].map((title, i) => ({ title, ...rest[i] }))

describe("the title of a card", () => {
  it("is its heading, and not a link to read more, to its author or to a tag", () => {
    const url = { type: "string", format: "uri" }
    expect(
      rowsOf(
        (name, id) => `<article><h2>${name}</h2><p>Some words of it.</p><a href="/p/${id}">Read more</a></article>`,
        {
          title: text,
          url
        }
      )
    ).toEqual({ posts: titles(...[0, 1, 2].map((id) => ({ url: `http://blog.test/p/${id}` }))) })
    expect(
      rowsOf((name, id) => `<article><h2>${name}</h2><p>By <a href="/by/${id}">Ada ${id}</a></p></article>`, {
        title: text,
        author: text
      })
    ).toEqual({ posts: titles(...[0, 1, 2].map((id) => ({ author: `Ada ${id}` }))) })
  })

  it("is the link that leads to its page, where it has no heading", () => {
    expect(
      rowsOf((name, id) => `<li><a href="/p/${id}">${name}</a> <p>Some words of it.</p></li>`, { title: text })
    ).toEqual({ posts: titles() })
  })

  it("is no link that says the same in each card", () => {
    const found = rowsOf((name, id) => `<div class="card"><p>${name}</p><a href="/p/${id}">Details</a></div>`, {
      title: text,
      text
    })
    expect(JSON.stringify(found)).not.toContain("Details")
  })
})

const listOf = (html: string, url: string, properties: { readonly [name: string]: JsonSchema }) =>
  byRules(
    { url, html, metadata: {} },
    { schema: { properties: { items: { type: "array", items: { type: "object", properties } } } }, prompt: undefined }
  ).data
const product = { name: text, price: { type: "number" }, url: { type: "string", format: "uri" } }

describe("a list of things where the page has one card", () => {
  it("is that card, and not the page", () => {
    const html = `<main><h1>Search results for lamp</h1><p>1 result</p><div class="grid"><div class="card"><a href="/p/arc">
      <img src="/arc.jpg"></a><h3><a href="/p/arc">Arc lamp</a></h3><span class="price">€129.00</span></div></div></main>`
    expect(listOf(html, "http://shop.test/search?q=lamp", product)).toEqual({
      items: [{ name: "Arc lamp", price: 129, url: "http://shop.test/p/arc" }]
    })
  })

  it("has the address of the card, and not that of the company", () => {
    const html = `<main><h1>Our stores</h1><address>1 Head Office Road, Leeds</address><div class="store">
      <h2><a href="/s/1">Old Town</a></h2><p class="address">5 Castle Street, Edinburgh</p><p class="phone">+44 131 555 0101</p></div></main>`
    expect(listOf(html, "http://shop.test/stores", { name: text, address: text, phone: text })).toEqual({
      items: [{ name: "Old Town", address: "5 Castle Street, Edinburgh", phone: "+44 131 555 0101" }]
    })
  })

  it("is the page where the page says all of it itself, beside a card of something else", () => {
    const html = `<main><h1>Lamp</h1><p class="price">$5</p><section><h2>Related</h2><div class="card">
      <h3><a href="/p/bulb">Bulb</a></h3><span class="price">$2</span></div></section></main>`
    expect(listOf(html, "http://shop.test/p/lamp", product)).toEqual({
      items: [{ name: "Lamp", price: 5, url: "http://shop.test/p/lamp" }]
    })
  })

  it("is null where only a card of something else says a part of it", () => {
    const html = `<main><h1>Lamp</h1><p>A lamp.</p><div class="card"><h3><a href="/p/bulb">Bulb</a></h3><p>$2</p></div></main>`
    const properties = { name: text, brand: text, weight: text, price: { type: "number" } }
    expect(listOf(html, "http://shop.test/p/lamp", properties)).toEqual({ items: null })
  })
})
