import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const read = (name: string, properties: object, body: string) =>
  byRules(
    { url: "http://site.test/x", html: `<body><main>${body}</main></body>`, metadata: {} },
    {
      schema: {
        type: "object",
        properties: { [name]: { type: "array", items: { type: "object", properties: { ...properties } } } }
      },
      prompt: undefined
    }
  ).data

const links =
  "<h1>The lab</h1><ul><li><a href=/a>Map</a></li><li><a href=/b>Gate</a></li><li><a href=/c>Loop</a></li></ul>"

describe("a list of links", () => {
  it("is no list of what has more than a name", () => {
    expect(read("people", { name: text, email: text }, links)).toEqual({ people: null })
    expect(read("recipes", { name: text, ingredients: { type: "array", items: text } }, links)).toEqual({
      recipes: null
    })
  })

  it("is what it is where no more is wanted", () => {
    expect(read("pages", { title: text, link: { ...text, format: "uri" } }, links)).toMatchObject({
      pages: [{ title: "Map", link: "http://site.test/a" }, { title: "Gate" }, { title: "Loop" }]
    })
  })

  it("is the list that its heading names, also where it says little", () => {
    expect(read("jobs", { title: text, salary: { type: "number" } }, links.replace("The lab", "Jobs"))).toMatchObject({
      jobs: [{ title: "Map", salary: null }, {}, {}]
    })
  })
})

describe("rows that have nothing but addresses", () => {
  it("are none", () => {
    const rows = ["a", "b", "c"].map((id) => `<li id=p-${id} class=part>(${id}) No person shall.</li>`).join("")

    expect(read("offices", { phone: text, link: { ...text, format: "uri" } }, `<ol>${rows}</ol>`)).toEqual({
      offices: null
    })
  })
})
