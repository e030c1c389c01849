import { expect, it } from "vitest"
import * as Pdf from "#site/Pdf"

const file = (lines: ReadonlyArray<string>) => Buffer.from(Pdf.make("A (small) list", lines)).toString("latin1")

it("points to every object at its byte", () => {
  const pdf = file(["one", "£2 § 3", "(four)"])
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
  expect(pdf.slice(start, start + 4)).toBe("xref")
  const offsets = Array.from(pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm), ([, offset]) => Number(offset))
  expect(offsets.map((offset) => pdf.slice(offset).split("\n", 1)[0])).toEqual(offsets.map((_, i) => `${i + 1} 0 obj`))
})

it("says the length of its content as it is", () => {
  const pdf = file(["back\\slash", "(round)"])
  const [, length, content] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(pdf) ?? []
  expect(content?.length).toBe(Number(length))
  expect(content).toContain("(back\\\\slash) Tj T*\n(\\(round\\)) Tj T*")
})

it("goes on to another page when one is full", () => {
  expect(file(Array.from({ length: 100 }, (_, i) => `line ${i}`))).toContain("/Count 3")
})
