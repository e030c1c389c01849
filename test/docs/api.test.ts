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

/** In these pages every function, class and value has an example. Schemas of answers of the contract are shown by its endpoints. */
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

/** Members whose name says all, whatever has them. */
const plainNames = ["_tag", "message", "cause"]

const membersOf = (code: string) => {
  const lines = code.split("\n")
  const starts = lines.flatMap((line, at) => (/^ {2}(?:readonly )?\w+\??:/.test(line) ? [at] : []))
  return starts.map((start, index) => ({
    name: /\w+(?=\??:)/.exec(lines[start] ?? "")?.[0] ?? "",
    above: lines[start - 1] ?? "",
    text: lines
      .slice(start, Math.min(starts[index + 1] ?? lines.length, closing(lines, start)))
      .filter((line) => !/^ *\/?\*/.test(line))
      .join("\n")
  }))
}

/** The line that closes what the members are of. */
const closing = (lines: ReadonlyArray<string>, start: number): number =>
  lines.findIndex((line, at) => at > start && line.startsWith("}"))

/** A comment above, or the description of a schema: its own, or that of an option which sinks have in common. */
const silentMembers = ({ heading, page, text }: Section): ReadonlyArray<string> => {
  if (heading.includes("(function") || heading.includes("(value)")) return []
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
  return membersOf(code).flatMap((member) =>
    plainNames.includes(member.name) ||
    member.above.trim().endsWith("*/") ||
    /description|\b(?:said|withDescription)\(|Sink\.\w+Option\b/.test(member.text)
      ? []
      : [`${page}: ${heading}: ${member.name}`]
  )
}

describe("the public surface", () => {
  it("has a sentence for every name", () => {
    const silent = sections.filter(({ text }) => !/^\s*[^`\s][^\n]*[a-z]/.test(text))

    expect(named(silent)).toEqual([])
  })

  it("has a sentence for every member of a type, of options and of errors", () => {
    const silent = sections.filter(({ page }) => exemplary.includes(page)).flatMap((section) => silentMembers(section))

    expect(silent).toEqual([])
    // The rule finds members.
    expect(membersOf("interface A {\n  readonly b: string\n  /** Bytes. */\n  readonly c?: number\n}")).toEqual([
      { name: "b", above: "interface A {", text: "  readonly b: string" },
      { name: "c", above: "  /** Bytes. */", text: "  readonly c?: number" }
    ])
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

  it("has an example for every function, request and group of endpoints of the contract", () => {
    const asked = sections.filter(
      ({ heading, page }) =>
        page === "api.md" && /\(function\)|^[A-Z]\w*(?:Group|Request|Options) \((?:class|value)/.test(heading)
    )

    expect(asked.length).toBeGreaterThan(20)
    expect(named(asked.filter(({ text }) => !text.includes("\nExample:\n")))).toEqual([])
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
