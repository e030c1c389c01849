import { expect, it } from "vitest"
import { hashOf, routeOf } from "#see/explore/page/route"

it("reads the route that it has written, whatever the name and the values are", () => {
  const params = { find: "a&b=c?d#é/%", order: "-x" }
  const { name, params: read, view } = routeOf(hashOf("tables", "odd/name?&# %41", params))

  expect([view, name]).toEqual(["tables", "odd/name?&# %41"])
  expect(Object.fromEntries(read)).toEqual(params)
})

it("leaves out what is empty", () => {
  expect(hashOf("sql", "", { q: "" })).toBe("#/sql")
  expect(hashOf("tables", "pages", { find: "", order: "url" })).toBe("#/tables/pages?order=url")
})

it("takes any text for a route", () => {
  expect(routeOf("")).toMatchObject({ view: "", name: "" })
  expect(routeOf("#/tables/100%")).toMatchObject({ view: "tables", name: "100%" })
  expect(routeOf("#/sql?q=a?b").params.get("q")).toBe("a?b")
})
