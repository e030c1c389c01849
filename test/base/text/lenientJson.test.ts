import { describe, expect, it } from "vitest"
import * as lenientJson from "#base/lenientJson"

const value = (text: string) => lenientJson.value(text, 0)?.value

describe("values as people write them", () => {
  it("are JSON, and what is nearly JSON", () => {
    const json = { a: [1, -2.5e3, true, null, 'x\n"y" \u00e9'], b: { c: "" } }

    expect(value(JSON.stringify(json))).toEqual(json)
    expect(value("{a:'x', \"b\": `y`, // why\n c: [True, None, undefined,], /* z */ d$: 1_000,}")).toEqual({
      a: "x",
      b: "y",
      c: [true, null, null],
      d$: 1000
    })
    expect(value("[process.env.KEY]")).toEqual(["process.env.KEY"])
  })

  it("are arguments of a call, in order and by name", () => {
    expect(lenientJson.args('("x", {a: 1}, limit=3, b = "y")', 1)).toEqual({
      positional: ["x", { a: 1 }],
      named: { limit: 3, b: "y" }
    })
    expect(lenientJson.args("()", 1)).toEqual({ positional: [], named: {} })
  })

  it("are none where none is, and nothing is run or reached through them", () => {
    for (const odd of ["", "}", "{a}", "{a:", "[1", "'open", "{__proto__: {x: 1}}", "[".repeat(10_000)]) {
      expect([odd.slice(0, 20), value(odd)]).toEqual([odd.slice(0, 20), undefined])
    }
  })
})
