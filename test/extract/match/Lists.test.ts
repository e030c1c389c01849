import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { extract } from "#extract/byRules"

const texts = { type: "array", items: { type: "string" } } as const
const read = (properties: { readonly [name: string]: Json }, body: string) =>
  extract(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: {} },
    { type: "object", properties },
    undefined
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
