/**
 * Plain English in what users read (messages, help texts, descriptions, example pipelines, README.md and docs) and in what
 * engineers read (comments of the code).
 *
 * It refuses the phrases that readers had to decode, and says what to write instead.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "..")

const refused: ReadonlyArray<{ readonly phrase: RegExp; readonly instead: string }> = [
  { phrase: /\bwhere (?:it is |`\w+` is )?silent\b/i, instead: "default: 10" },
  { phrase: /\bunless told\b/i, instead: "default: false" },
  { phrase: /\b(?:is|are|was|were|be|been) told\b(?! apart)/i, instead: "is reported" },
  { phrase: /\btold to\b/i, instead: "reported to" },
  { phrase: /\b(?:is|are|was) none of\b/i, instead: "is not one of, does not match" },
  { phrase: /\bthat (?:is|are) none\b/i, instead: "invalid" },
  { phrase: /\b(?:come|came|comes) by\b/i, instead: "reached" },
  { phrase: /\bcalled removed\b/i, instead: "reported as removed" },
  { phrase: /\b(?:go|goes|gone|went) on (?:with|behind|from)\b/i, instead: "continued, continues after" },
  { phrase: /\breads? on\b/i, instead: "continues reading" },
  { phrase: /\bwho (?:watches|waits)\b/i, instead: "name the reader: the caller, the operator" },
  { phrase: /\bwaits? for nothing\b/i, instead: "does not wait" },
  { phrase: /\bgo(?:es)? by\b/i, instead: "uses, follows" },
  { phrase: /\bnobody's\b/i, instead: "belongs to no one" },
  { phrase: /\bof each key the last\b/i, instead: "the last row of each key" },
  { phrase: /\beverybody may\b/i, instead: "if not set, everyone may" },
  { phrase: /\bcannot be had\b/i, instead: "cannot be fetched, is not available" },
  { phrase: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|other\b)/i, instead: "is not a" },
  { phrase: /\bone row an? \w/i, instead: "one row per" },
  { phrase: /\b(?:stands|stand) for nothing\b/i, instead: "is not defined" },
  { phrase: /: good(?:\n|$)/, instead: "OK" },
  { phrase: /\bfault of (?:the|its) source\b/i, instead: "a bug in the source" },
  { phrase: /\bmade up for\b/i, instead: "run later" },
  { phrase: /\b(?:start|begin|begins|begun) anew\b/i, instead: "start again" }
]

interface Text {
  readonly text: string
  /** `file:line`. */
  readonly at: string
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split("\n").length

const filesOf = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .map((file) => join(folder, file))

/** The string literals of a TypeScript file; what is put into a template stands there as "…". */
const literalsOf = (file: string): ReadonlyArray<Text> => {
  const source = readFileSync(join(root, file), "utf8")
  const found: Array<Text> = []
  const add = (text: string, offset: number) => {
    if (/\w \w/.test(text)) found.push({ text, at: `${file}:${lineAt(source, offset)}` })
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== "object" || node === null) return
    if ("type" in node && "start" in node && typeof node.start === "number") {
      if (node.type === "ImportDeclaration") return
      if (node.type === "Literal" && "value" in node && typeof node.value === "string") add(node.value, node.start)
      if (node.type === "TemplateLiteral" && "quasis" in node && Array.isArray(node.quasis)) {
        const parts = node.quasis.map(
          (quasi: { readonly value: { readonly cooked: string | null } }) => quasi.value.cooked
        )
        add(parts.join("…"), node.start)
      }
    }
    Object.values(node).forEach(visit)
  }
  visit(parseAst(source, { lang: "ts" }, file).body)
  return found
}

/** The comments of a TypeScript file; those of neighbouring lines are read one by one. */
const commentsOf = (file: string): ReadonlyArray<Text> => {
  const source = readFileSync(join(root, file), "utf8")
  return Array.from(source.matchAll(/\/\*\*([^*/][^]*?)\*\/|(?:^|\s)\/\/(.*)$/gm), ({ 1: block, 2: line, index }) => ({
    text: (block ?? line ?? "").replaceAll(/\n\s*\* ?/g, " ").trim(),
    at: `${file}:${lineAt(source, index)}`
  }))
}

/** The paragraphs of a page: lines are joined, because a phrase may be broken over two. */
const paragraphsOf = (file: string): ReadonlyArray<Text> => {
  const source = readFileSync(join(root, file), "utf8")
  let line = 1
  return source.split("\n\n").map((paragraph) => {
    const at = `${file}:${line}`
    line += paragraph.split("\n").length + 1
    return { text: paragraph.replaceAll(/\n(?:# |[ \t]+)?/g, " "), at }
  })
}

const comments = ["src", "connectors", "bench", "scripts"]
  .flatMap((folder) => filesOf(folder, ".ts"))
  .filter((file) => !file.includes("node_modules"))
  .flatMap(commentsOf)

// The demo site is the pages of a town, and the literals of `src/testing` name the tests of its suites.
const code = ["src", "connectors"]
  .flatMap((folder) => filesOf(folder, ".ts"))
  .filter((file) => !/^src\/(site|testing)\//.test(file))
const texts = [
  ...code.flatMap(literalsOf),
  ...[
    "README.md",
    ...filesOf("docs", ".md"),
    ...filesOf("pipelines", ".yaml"),
    ...filesOf("pipelines", ".json")
  ].flatMap(paragraphsOf)
]

const problemsOf = (some: ReadonlyArray<Text>): ReadonlyArray<string> =>
  some.flatMap(({ text, at }) =>
    refused.flatMap(({ phrase, instead }) => {
      const found = phrase.exec(text)
      return found === null ? [] : [`${at}: "${found[0]}" in "${text.slice(0, 200)}"; write: ${instead}`]
    })
  )

describe("plain English", () => {
  it("is what messages, help texts, descriptions, examples, README.md and docs are written in", () => {
    expect(problemsOf(texts)).toEqual([])
  })

  it("is what the comments of the code are written in", () => {
    expect(problemsOf(comments)).toEqual([])
  })

  it("is asked of many texts", () => {
    expect(texts.length).toBeGreaterThan(2000)
    expect(comments.length).toBeGreaterThan(10_000)
    expect(comments.some(({ at }) => at.startsWith("src/engine/run/Attempt.ts:"))).toBe(true)
    expect(texts.some(({ at }) => at.startsWith("src/app/commands/serve.ts:"))).toBe(true)
  })

  it("refuses each of its phrases, and leaves plain sentences alone", () => {
    const said = (text: string) => problemsOf([{ text, at: "a.ts:1" }])

    expect(said("k results, 10 where silent")).toEqual([
      'a.ts:1: "where silent" in "k results, 10 where silent"; write: default: 10'
    ])
    expect(said("a page that is not come by any more")).toHaveLength(1)
    expect(said("this is no object path")).toHaveLength(1)
    expect(said("there is no such file; the version is no longer scheduled")).toEqual([])
  })
})
