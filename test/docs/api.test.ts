/**
 * The law of the public surface: whoever imports a name reads what it is, and how it is used.
 *
 * It reads the pages that `npm run docs` makes of the sources. `npm run docs -- --check` says if they are stale, and
 * `npm run check` compiles the examples.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { docComment } from "../../scripts/reference/docComment.ts"
import { root } from "./Folder.ts"

const folder = join(root, "docs/reference/api")
const pages = readdirSync(folder)

/** In these pages every function, class and value has an example. The schemas of the contract are one noun each: a few have. */
const exemplary = pages.filter((page) => page !== "api.md")

interface Section {
  readonly page: string
  readonly heading: string
  readonly text: string
}

const sections: ReadonlyArray<Section> = pages.flatMap((page) =>
  readFileSync(join(folder, page), "utf8")
    .split(/^## /m)
    .flatMap((part) => {
      const heading = /^\S+ \((?:function|value|class|type).*\)$/m.exec(part.slice(0, part.indexOf("\n")))?.[0]
      return heading === undefined ? [] : [{ page, heading, text: part.slice(heading.length) }]
    })
)

const named = (some: ReadonlyArray<Section>) => some.map(({ heading, page }) => `${page}: ${heading}`)

describe("the public surface", () => {
  it("has a sentence for every name", () => {
    const silent = sections.filter(({ text }) => !/^\s*[^`\s][^\n]*[a-z]/.test(text))

    expect(named(silent)).toEqual([])
  })

  it("has an example for every function, class and value", () => {
    const lacking = sections.filter(
      ({ heading, page, text }) =>
        exemplary.includes(page) &&
        !heading.endsWith("(type)") &&
        !/^Example:\n\n```ts\n(?:.*\n)*?.*\bfrom "millrace/m.test(text)
    )

    expect(named(lacking)).toEqual([])
  })

  it("has its entries, and many names", () => {
    for (const page of ["millrace.md", "Sink.md", "testing.md", "client.md", "connectors-webdata.md"]) {
      expect(exemplary).toContain(page)
    }
    expect(sections.length).toBeGreaterThan(400)
  })
})

describe("a comment", () => {
  it("is its text, its examples and its sources", () => {
    const comment = docComment(
      "/** Other. */\n/**\n * Adds.\n *\n * @see RFC 1\n * @example\n * ```ts\n * add(1)\n * ```\n */\n"
    )

    expect(comment).toEqual({
      text: "Adds.",
      sees: ["RFC 1"],
      examples: ["```ts\nadd(1)\n```"],
      internal: false
    })
  })

  it("that is internal says so, and a tag that nobody knows is refused", () => {
    expect(docComment("/**\n * Adds.\n *\n * @internal\n */").internal).toBe(true)
    expect(() => docComment("/**\n * Adds.\n *\n * @returns a sum\n */")).toThrow("@returns")
  })
})
