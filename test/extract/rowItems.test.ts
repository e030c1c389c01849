/** Tables without heads whose items take several rows each. */
import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const number = { type: "number" }
const integer = { type: "integer" }
const address = { type: "string", format: "uri" }

const of = (table: string, item: { readonly [name: string]: Json }, name = "items") =>
  byRules(
    { html: `<title>List</title><h1>List</h1>${table}`, url: "https://old.test/list", metadata: {} },
    {
      schema: {
        type: "object",
        properties: { [name]: { type: "array", items: { type: "object", properties: item } } }
      },
      prompt: undefined
    }
  ).data

const stories = [
  ["A tiny database", "https://tiny.example/db", 312, "ada", 120],
  ["Why trees are green", "https://bot.example/green", 88, "rook", 41],
  ["Rust in the kernel", "https://ker.example/rust", 401, "mo", 9]
] as const

const story = (end: string) =>
  stories.map(
    ([title, url, points, by, comments], i) =>
      `<tr><td class=title><span class=rank>${i + 1}.</span></td><td class=title><a href="${url}">${title}</a></td></tr>
       <tr><td colspan=2><span>${points} points</span> by <a href="/user?${by}">${by}</a> | <a href="/item?${i}">${comments} comments</a></td></tr>${end}`
  )

const wanted = { title: text, url: address, points: integer, author: text, comments: integer }
const expected = stories.map(([title, url, points, author, comments]) => ({ title, url, points, author, comments }))

describe("items of several rows", () => {
  it("are joined where an empty row ends each, also the last without one and with a row for more below", () => {
    const [one, two, three] = story("<tr class=spacer></tr>")

    expect(of(`<table>${one}${two}${three}</table>`, wanted, "stories")).toEqual({ stories: expected })
    expect(
      of(`<table>${one}${two}${three}<tr></tr><tr><td><td><a href="?p=2">More</a></table>`, wanted, "stories")
    ).toEqual({ stories: expected })
    expect(of(`<table>${story("").join("<tr><td colspan=2>&nbsp;</td></tr>")}</table>`, wanted, "stories")).toEqual({
      stories: expected
    })
  })

  it("are joined where nothing stands between them", () => {
    expect(of(`<table><tbody>${story("").join("")}</tbody></table>`, wanted, "stories")).toEqual({ stories: expected })
  })

  it("are joined in a table of one column that only arranges them, by the rows that link", () => {
    const row = (name: string, says: string, price: string) =>
      `<tr><td><a href="/b/${name.toLowerCase()}">${name}</a></td></tr><tr><td>${says} and what else it is made of</td></tr><tr><td>$${price}</td></tr>`
    const table = `<table role=presentation>${row("Elm", "A chair of elm", "90.50")}${row("Oak", "A table of oak", "420")}${row("Ash", "A shelf of ash", "75")}</table>`

    expect(of(table, { name: text, price: number, url: address }, "products")).toEqual({
      products: [
        { name: "Elm", price: 90.5, url: "https://old.test/b/elm" },
        { name: "Oak", price: 420, url: "https://old.test/b/oak" },
        { name: "Ash", price: 75, url: "https://old.test/b/ash" }
      ]
    })
  })

  it("have their labels in rows of their own", () => {
    const row = (name: string, price: string, weight: string) =>
      `<tr><td colspan=2><b>${name}</b></td></tr><tr><td>Price:</td><td>${price}</td></tr><tr><td>Weight:</td><td>${weight}</td></tr>`
    const table = `<table>${row("Elm chair", "€90", "4 kg")}${row("Oak table", "€420", "31 kg")}${row("Ash shelf", "€75", "9 kg")}</table>`

    expect(of(table, { name: text, price: number, weight: text }, "products")).toEqual({
      products: [
        { name: "Elm chair", price: 90, weight: "4 kg" },
        { name: "Oak table", price: 420, weight: "31 kg" },
        { name: "Ash shelf", price: 75, weight: "9 kg" }
      ]
    })
  })
})

describe("rows that stand for themselves", () => {
  const people = [
    ["Ada Rook", "ada@old.test"],
    ["Lin Moor", "lin@old.test"],
    ["Bo Field", "bo@old.test"],
    ["Kai Brook", "kai@old.test"]
  ]
  const item = { name: text, email: { type: "string", format: "email" } }

  it("may have two colors by turns, and a cell that reaches down two of them", () => {
    const striped = people
      .map(([n, m], i) => `<tr class=${i % 2 === 0 ? "odd" : "even"}><td>${n}<td>x<td>${m}`)
      .join("")
    const reaching = people
      .map(([n, m], i) => `<tr>${i % 2 === 0 ? `<td rowspan=2>Team ${i}</td>` : ""}<td class=name>${n}<td>${m}`)
      .join("")

    expect(of(`<table>${striped}</table>`, item, "people")).toEqual({
      people: people.map(([name, email]) => ({ name, email }))
    })
    expect(of(`<table>${reaching}</table>`, item, "people")).toMatchObject({
      people: people.map(([, email]) => ({ email }))
    })
  })
})
