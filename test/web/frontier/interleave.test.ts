import { describe, expect, it } from "vitest"
import { interleave } from "#web/interleave"

const hits = (...names: ReadonlyArray<string>) =>
  names.map((name) => ({ url: `http://${name}.test/`, title: name, description: "" }))
const merged = (ones: ReturnType<typeof hits>, others: ReturnType<typeof hits>, limit: number) =>
  interleave(ones, others, limit).map(({ title }) => title)

describe("hits of two searches", () => {
  it("come by turns, each address once, no more than are asked for", () => {
    expect(merged(hits("a", "b", "c"), hits("x", "a", "y"), 5)).toEqual(["a", "x", "b", "c", "y"])
    expect(merged(hits("a", "b", "c"), hits("x", "y"), 3)).toEqual(["a", "x", "b"])
    expect(merged([], hits("x"), 3)).toEqual(["x"])
    expect(merged([], [], 3)).toEqual([])
  })

  it("are one where they are of one page, however its address is written", () => {
    const same = { url: "https://www.a.test/index.html", title: "the same", description: "" }

    expect(merged(hits("a"), [same, ...hits("b")], 5)).toEqual(["a", "b"])
  })
})
