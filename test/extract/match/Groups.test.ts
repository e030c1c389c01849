import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"
import * as Groups from "#extract/match/Matcher"
import { group } from "../offered.ts"

describe("the lists of a page", () => {
  it("are the largest of very many, in their order", () => {
    const [small, large, larger] = [1, 2, 3].map((rows) => group(Array.from({ length: rows }, (_, i) => ({ name: i }))))
    const all = [small, large, larger].flatMap((one) => one ?? [])

    expect(Groups.largest(all, 2)).toEqual([large, larger])
    expect(Groups.largest(all, 3)).toBe(all)
  })

  it("may be lists of lists under their headings", () => {
    const text = { type: "string" } as const
    const list = (items: object) => ({ type: "array", items: { type: "object", properties: { ...items } } })
    const chapter = (name: string) =>
      `<h2>${name}</h2><ul><li><a href=/${name}/1>${name} one</a></li><li><a href=/${name}/2>${name} two</a></li></ul>`
    const { data } = extract(
      {
        url: "http://site.test/",
        html: `<main><h1>Manual</h1>${chapter("Gates")}${chapter("Plans")}</main>`,
        metadata: {}
      },
      { type: "object", properties: { chapters: list({ name: text, pages: list({ title: text }) }) } },
      undefined
    )

    expect(data).toEqual({
      chapters: [
        { name: "Gates", pages: [{ title: "Gates one" }, { title: "Gates two" }] },
        { name: "Plans", pages: [{ title: "Plans one" }, { title: "Plans two" }] }
      ]
    })
  })
})
