/**
 * The words of Millrace and the types that they are: the glossary of docs/concepts.md.
 *
 * A word of it names one thing in code and docs alike, so the test finds each type where the glossary says that it stands.
 */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/concepts.md"), "utf8")
const rows = [...page.matchAll(/^\| ([a-z ]+) \| ([^|]+) \| (?:`([\w.]+)` in `([^`]+)`)? ?\|$/gm)].map(
  ([, word = "", meaning = "", type, file]) => ({ word, meaning, type, file })
)

describe("the glossary", () => {
  it("has every word once, in the order of the alphabet, with its meaning", () => {
    const words = rows.map(({ word }) => word)

    expect(words.length).toBeGreaterThan(40)
    expect(words).toEqual([...new Set(words)].toSorted())
    expect(rows.filter(({ meaning }) => meaning.trim().length < 10)).toEqual([])
  })

  it("names types that are exported where it says", () => {
    const typed = rows.filter(({ type }) => type !== undefined)
    const absent = typed.filter(({ file = "", type = "" }) => {
      const name = type.split(".").at(-1) ?? ""
      return !new RegExp(`^export (?:interface|type|class) ${name}\\b`, "m").test(
        readFileSync(join(root, file), "utf8")
      )
    })

    expect(typed.length).toBeGreaterThan(30)
    expect(absent).toEqual([])
  })
})
