import { describe, expect, it } from "vitest"
import { isList, isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import { listsBelow, match } from "#extract/match/Matcher"
import { pageLocale } from "#extract/pageLocale"
import { candidates } from "#extract/read/candidates"
import { gridOf } from "#extract/read/shown/Grid"
import { elements, parse } from "#page/Dom"
import { hiddenListWarning } from "#page/hiddenList"
import { lampsSchema } from "../../service/agent/shop.ts"
import { group } from "../offered.ts"

const texts = { type: "array", items: { type: "string" } } as const
const read = (properties: { readonly [name: string]: Json }, body: string) =>
  byRules(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: {} },
    { schema: { type: "object", properties }, prompt: undefined }
  ).data

describe("a list of values", () => {
  it("has the items under a heading without the sentence that leads to them", () => {
    const body = "<h2>Members</h2><p>These were members once.</p><ul><li>Alfred</li><li>Ben</li></ul>"

    expect(read({ members: texts }, body)).toEqual({ members: ["Alfred", "Ben"] })
  })

  it("has no item that is all the others together", () => {
    const row = (name: string) =>
      `<li class=plugin><a href=/${name}>${name}</a><div class=tag-list><a class=tag>${name}1</a> <a class=tag>b</a> <a class=tag>c</a></div></li>`
    const plugins = { type: "array", items: { type: "object", properties: { name: { type: "string" }, tags: texts } } }

    expect(read({ plugins }, `<ul>${row("x")}${row("y")}${row("z")}</ul>`)).toMatchObject({
      plugins: [{ name: "x", tags: ["x1", "b", "c"] }, {}, {}]
    })
  })

  it("has code as it is, and not its lines", () => {
    expect(read({ code_samples: texts }, "<pre>a, b\nc, d</pre>")).toEqual({ code_samples: ["a, b\nc, d"] })
  })

  it("has the points of a card for its features", () => {
    const card = (name: string) =>
      `<div class=plan><h2>${name}</h2><p class=price>$1</p><ul><li>${name} users</li><li>mail</li></ul></div>`
    const plans = {
      type: "array",
      items: { type: "object", properties: { plan: { type: "string" }, features: texts } }
    }

    expect(read({ plans }, card("Free") + card("Team"))).toEqual({
      plans: [
        { plan: "Free", features: ["Free users", "mail"] },
        { plan: "Team", features: ["Team users", "mail"] }
      ]
    })
  })

  it("has equal items of one list as often as they come, and a list that comes once more once", () => {
    const list = "<h2>Ingredients</h2><ul><li>salt</li><li>1 egg</li><li>salt</li></ul>"

    expect(read({ ingredients: texts }, list)).toEqual({ ingredients: ["salt", "1 egg", "salt"] })
    expect(read({ ingredients: texts }, list + list)).toEqual({ ingredients: ["salt", "1 egg", "salt"] })
  })

  it("has what cannot be twice once, as the authors and tags of a page", () => {
    const script =
      '<script type="application/ld+json">{"@type":"Article","headline":"A","author":["Ada","Ada"],"keywords":["x","x"]}</script>'

    expect(read({ authors: texts, tags: texts }, script)).toEqual({ authors: ["Ada"], tags: ["x"] })
  })
})

const links = (...urls: ReadonlyArray<string>) => [group(urls.map((url) => ({ name: "x", url })))]

describe("a page lists pages below it", () => {
  it.each([
    "http://a.test/jobs",
    "http://a.test/jobs/",
    "http://a.test/jobs.html?sort=day",
    "http://a.test/jobs/index.php"
  ])("where two of one list are below %s", (page) => {
    expect(listsBelow(links("http://a.test/jobs/1", "http://a.test/jobs/2"), page)).toBe(true)
  })

  it("not where they are beside it, or are one", () => {
    expect(listsBelow(links("http://a.test/jobs/1", "http://a.test/jobs/2"), "http://a.test/jobs/3")).toBe(false)
    expect(listsBelow(links("http://a.test/jobs/1#a", "http://a.test/jobs/1#b"), "http://a.test/jobs")).toBe(false)
  })
})

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const kinds: ReadonlyArray<readonly [kind: string, page: (count: number) => string]> = [
  [
    "a table",
    (count) =>
      `<table><tr><th>Name</th><th>Price</th></tr>${numbers(count)
        .map((at) => `<tr><td>Lamp ${at}</td><td>${at}.50 EUR</td></tr>`)
        .join("")}</table>`
  ],
  [
    "cards",
    (count) =>
      `<div class=lamps>${numbers(count)
        .map((at) => `<div class=lamp><h3>Lamp ${at}</h3><p class=price>${at}.50 EUR</p></div>`)
        .join("")}</div>`
  ],
  [
    "JSON-LD",
    (count) =>
      `<script type="application/ld+json">${JSON.stringify(
        numbers(count).map((at) => ({
          "@context": "https://schema.org",
          "@type": "Product",
          name: `Lamp ${at}`,
          offers: { "@type": "Offer", price: `${at}.50`, priceCurrency: "EUR" }
        }))
      )}</script>`
  ],
  [
    "microdata",
    (count) =>
      numbers(count)
        .map(
          (at) =>
            `<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Lamp ${at}</b>` +
            `<span itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemprop=price>${at}.50</i></span></div>`
        )
        .join("")
  ]
]

const lampsOf = (page: string) => {
  const { data, warning } = byRules(
    { html: `<h1>Lamps</h1>${page}`, url: "http://site.test/lamps", metadata: {} },
    { schema: lampsSchema, prompt: undefined }
  )
  const lamps = isSchema(data) ? data["lamps"] : undefined
  return { lamps: isList(lamps) ? lamps : [], warning }
}

describe("a long list", () => {
  it.each(kinds)("is read whole: %s", (_kind, page) => {
    const { lamps, warning } = lampsOf(page(1100))

    expect(lamps).toHaveLength(1100)
    expect(lamps[0]).toEqual({ name: "Lamp 0", price: 0.5 })
    expect(lamps.at(-1)).toEqual({ name: "Lamp 1099", price: 1099.5 })
    expect(warning).toBeUndefined()
  })

  it("is read whole: under a heading, in a glossary, in questions and answers, of addresses", () => {
    const text = { type: "string" }
    const lastOf = (name: string, html: string, items: JsonSchema) => {
      const wanted = { type: "object", properties: { [name]: { type: "array", items } } }
      const { data } = byRules({ html, url: "http://site.test/", metadata: {} }, { schema: wanted, prompt: undefined })
      const found = isSchema(data) ? data[name] : undefined
      return isList(found) ? [found.length, found.at(-1)] : []
    }
    const of = (count: number, one: (at: number) => string) => numbers(count).map(one).join("")
    const members = `<h2>Members</h2><ul>${of(400, (at) => `<li>Ann Smith${at}</li>`)}</ul>`
    const terms = `<h1>Glossary</h1><dl>${of(2100, (at) => `<dt>Term ${at}</dt><dd>It is the word ${at} of the list.</dd>`)}</dl>`
    const answers = of(400, (at) => `<h2>What is ${at}?</h2><p>It is the answer ${at} of the list.</p>`)
    const staff = `<ul>${of(400, (at) => `<li>Ann, <a href="mailto:ann${at}@x.test">ann${at}@x.test</a></li>`)}</ul>`

    expect(lastOf("members", members, text)).toEqual([400, "Ann Smith399"])
    expect(lastOf("terms", terms, { type: "object", properties: { name: text, description: text } })).toEqual([
      2100,
      { name: "Term 2099", description: "It is the word 2099 of the list." }
    ])
    expect(lastOf("questions", answers, { type: "object", properties: { question: text, answer: text } })).toEqual([
      400,
      { question: "What is 399?", answer: "It is the answer 399 of the list." }
    ])
    expect(lastOf("emails", staff, { type: "string", format: "email" })).toEqual([400, "ann399@x.test"])
  })

  it("has as many rows as a list may have, and says where a table has more", () => {
    const rows = `<tr><th>Name<th>Price${"<tr><td>Lamp<td>1".repeat(20_000)}`
    const table = elements(parse(`<table>${rows}</table>`)).find(({ name }) => name === "table")
    let isShort = false
    const grid = table === undefined ? undefined : gridOf(table, () => (isShort = true))

    expect([grid?.rows.length, isShort]).toEqual([20_000, true])
  })

  it("of which a page says more has a warning, and what else is asked of the page has none", () => {
    const found = candidates("<h1>Lamps</h1><ul><li>Ash lamp<li>Oak lamp<li>Elm lamp</ul>", "http://site.test/")
    const warningOf = (asked: JsonSchema) =>
      match({ ...found, isCut: true }, asked, pageLocale("http://site.test/", found, undefined)).warning

    expect(warningOf(lampsSchema)).toBe(
      "the page says more than is read of one page (20,000 rows of a list, 200,000 values): the rest is not in the data"
    )
    expect(warningOf({ type: "object", properties: { name: { type: "string" } } })).toBeUndefined()
  })

  it("that is the only one of its page is read though it is hidden until a script shows it, with a warning", () => {
    const rows = ["Ash", "Oak", "Elm", "Fir"].map((name) => `<tr><td>${name} lamp<td>10 USD`).join("")
    const html = `<h1>Lamps</h1><p>Loading ...</p><div style="display: none"><table><tr><th>Name<th>Price${rows}</table></div>`
    const found = candidates(html, "http://site.test/")
    const { data, warning } = match(found, lampsSchema, pageLocale("http://site.test/", found, undefined))

    expect(JSON.stringify(data)).toContain("Fir lamp")
    expect(warning).toBe(hiddenListWarning)
  })
})
