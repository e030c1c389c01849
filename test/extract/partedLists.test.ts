import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const lamp: JsonSchema = { type: "object", properties: { name: text, price: { type: "number" } } }
const read = (body: string, properties: { readonly [name: string]: Json }): Json => {
  const html = `<html lang=en><body><main>${body}</main></body></html>`
  return byRules(
    { html, url: "http://site.test/", metadata: {} },
    { schema: { type: "object", properties }, prompt: undefined }
  ).data
}
const lampsOf = (body: string) => read(`<h1>Lamps</h1>${body}`, { lamps: { type: "array", items: lamp } })

const parts = [2, 3, 1]
const inParts = (part: (lamps: ReadonlyArray<string>, shelf: number) => string): string =>
  parts
    .map((count, at) =>
      part(
        Array.from({ length: count }, (_, i) => `Lamp ${at}-${i}`),
        at
      )
    )
    .join("")
const all = {
  lamps: parts.flatMap((count, at) =>
    Array.from({ length: count }, (_, i) => ({ name: `Lamp ${at}-${i}`, price: 5.5 }))
  )
}

const card = (name: string) => `<div class=lamp><h3>${name}</h3><p class=price>5.50 EUR</p></div>`
const item = (name: string) => `<li><a href="/l">${name}</a> <span class=price>5.50 EUR</span></li>`
const table = (names: ReadonlyArray<string>) =>
  `<table><tr><th>Name</th><th>Price</th></tr>${names.map((name) => `<tr><td>${name}</td><td>5.50 EUR</td></tr>`).join("")}</table>`

describe("a list in parts", () => {
  it.each<readonly [kind: string, body: string]>([
    ["cards in rows", inParts((lamps) => `<div class=row>${lamps.map(card).join("")}</div>`)],
    [
      "cards in sections with headings",
      inParts((lamps, at) => `<section><h2>Shelf ${at}</h2><div class=row>${lamps.map(card).join("")}</div></section>`)
    ],
    ["lists below headings", inParts((lamps, at) => `<h2>Shelf ${at}</h2><ul>${lamps.map(item).join("")}</ul>`)],
    [
      "lists in sections",
      inParts((lamps, at) => `<section><h2>Shelf ${at}</h2><ul>${lamps.map(item).join("")}</ul></section>`)
    ],
    ["tables with the same columns", inParts((lamps, at) => `<h2>Shelf ${at}</h2>${table(lamps)}`)]
  ])("is one list: %s", (_kind, body) => {
    expect(lampsOf(body)).toEqual(all)
  })

  it("of texts is one too, as members under the letters of their names", () => {
    const letters = ["A", "B", "C"].map((at) => `<h2>${at}</h2><ul><li>${at}nn Rook<li>${at}da Hill</ul>`).join("")

    expect(read(`<h1>Members</h1>${letters}`, { members: { type: "array", items: text } })).toEqual({
      members: ["Ann Rook", "Ada Hill", "Bnn Rook", "Bda Hill", "Cnn Rook", "Cda Hill"]
    })
  })

  it.each<readonly [kind: string, part: (topic: string) => string]>([
    [
      "headings in sections",
      (topic) =>
        `<section><h2>${topic}</h2>${[1, 2].map((at) => `<h3>What is ${topic}${at}?</h3><p>It is ${topic}${at} here.</p>`).join("")}</section>`
    ],
    [
      "details in sections",
      (topic) =>
        `<section><h2>${topic}</h2>${[1, 2].map((at) => `<details><summary>What is ${topic}${at}?</summary><p>It is ${topic}${at} here.</p></details>`).join("")}</section>`
    ]
  ])("of questions in a part for each subject is one too: %s", (_kind, part) => {
    const items = { type: "object", properties: { question: text, answer: text } }

    expect(read(`<h1>Questions</h1>${["A", "B"].map(part).join("")}`, { questions: { type: "array", items } })).toEqual(
      {
        questions: ["A1", "A2", "B1", "B2"].map((at) => ({ question: `What is ${at}?`, answer: `It is ${at} here.` }))
      }
    )
  })

  it("of terms under their letters is one glossary", () => {
    const entry = (term: string) => `<dt>${term}</dt><dd>It means ${term} here.</dd>`
    const letters = ["A", "B"].map(
      (at) => `<h2>${at}</h2><dl>${["x", "y", "z"].map((end) => entry(at + end)).join("")}</dl>`
    )
    const items = { type: "object", properties: { name: text, description: text } }

    expect(read(`<h1>Glossary</h1>${letters.join("")}`, { terms: { type: "array", items } })).toEqual({
      terms: ["Ax", "Ay", "Az", "Bx", "By", "Bz"].map((name) => ({ name, description: `It means ${name} here.` }))
    })
  })

  it("is not the list within its rows, nor the rows of a list that holds it", () => {
    const people = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `<div class=person><h3>Ann ${at}</h3><p class=role>Head ${at}</p></div>`
      ).join("")
    const departments = [2, 3]
      .map(
        (count) =>
          `<div class=department><h2>Floor ${count}</h2><p class=phone>030 12345${count}</p><div class=people>${people(count)}</div></div>`
      )
      .join("")
    const comments = [1, 2]
      .map((at) => {
        const one = (name: string) => `<span class=author>${name}</span><p class=text>This is what ${name} says.</p>`
        return `<div class=comment>${one(`Ann ${at}`)}<div class=replies>${[1, 2].map((to) => `<div class=reply>${one(`Bob ${at}${to}`)}</div>`).join("")}</div></div>`
      })
      .join("")
    const items = (...names: ReadonlyArray<string>) => ({
      type: "array",
      items: { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) }
    })

    expect(read(`<h1>House</h1>${departments}`, { departments: items("name", "phone") })).toEqual({
      departments: [2, 3].map((count) => ({ name: `Floor ${count}`, phone: `030 12345${count}` }))
    })
    expect(read(`<h1>House</h1>${departments}`, { people: items("name", "role") })).toEqual({
      people: [0, 1, 0, 1, 2].map((at) => ({ name: `Ann ${at}`, role: `Head ${at}` }))
    })
    expect(read(`<h1>Post</h1><div id=comments>${comments}</div>`, { comments: items("author", "text") })).toEqual({
      comments: [1, 2].map((at) => ({ author: `Ann ${at}`, text: `This is what Ann ${at} says.` }))
    })
  })

  it("says in which part a row of a table stands", () => {
    const body = `<h1>Club</h1><h2>2023</h2>${table(["Ash", "Oak"])}<h2>2024</h2>${table(["Elm"])}`
    const items = { type: "object", properties: { name: text, section: text } }

    expect(read(body, { rows: { type: "array", items } })).toEqual({
      rows: [
        { name: "Ash", section: "2023" },
        { name: "Oak", section: "2023" },
        { name: "Elm", section: "2024" }
      ]
    })
  })

  it("is the part alone where the schema calls it by the part's name", () => {
    const tables = `<h1>Club</h1><h2>Current members</h2>${table(["Ash", "Oak"])}<h2>Former members</h2>${table(["Elm", "Fir"])}`
    const sections =
      `<h1>Chairs</h1><section><h2>Products</h2><div class=row>${["a", "b", "c"].map(card).join("")}</div></section>` +
      `<section><h2>Related</h2><div class=row>${["d", "e"].map(card).join("")}</div></section>`
    const named = (names: ReadonlyArray<string>) => names.map((name) => ({ name, price: 5.5 }))

    expect(read(tables, { former_members: { type: "array", items: lamp } })).toEqual({
      former_members: named(["Elm", "Fir"])
    })
    expect(read(sections, { products: { type: "array", items: lamp } })).toEqual({ products: named(["a", "b", "c"]) })
  })

  it("is not what belongs to the rows: posts are meant, and not their tags", () => {
    const post = (at: number) =>
      `<article><h2><a href="/p/${at}">Post ${at}</a></h2><ul class=tags>${["x", "y", "z"]
        .map((tag) => `<li><a href="/t/${tag}">tag ${tag}${at}</a></li>`)
        .join("")}</ul></article>`
    const items = { type: "object", properties: { title: text, url: { ...text, format: "uri" } } }

    expect(read(`<h1>Posts</h1>${post(1)}${post(2)}${post(3)}`, { posts: { type: "array", items } })).toEqual({
      posts: [1, 2, 3].map((at) => ({ title: `Post ${at}`, url: `http://site.test/p/${at}` }))
    })
  })
})
