import { describe, expect, it } from "vitest"
import * as YamlTree from "#engine/YamlTree"
import { renderedProblems } from "./renderedProblems.ts"

describe("YamlTree", () => {
  it("knows where every key and value stands", () => {
    const tree = YamlTree.parse("a:\n  - b: 1\n    c: two\n")
    const c = YamlTree.nearest(tree.root, ["a", 0, "c"])
    expect(tree.position(c.key ?? 0)).toEqual({ line: 3, column: 5 })
    expect(tree.position(c.start)).toEqual({ line: 3, column: 8 })
    expect(YamlTree.toValue(tree.root, [], (scalar) => scalar.value)).toEqual({ a: [{ b: 1, c: "two" }] })
  })

  it("gives the nearest node above a path that is not there", () => {
    const tree = YamlTree.parse("a: { b: 1 }")
    expect(YamlTree.nearest(tree.root, ["a", "x", "y"])).toBe(YamlTree.nearest(tree.root, ["a"]))
  })

  it("keeps a key named __proto__ as a key", () => {
    const { root } = YamlTree.parse("__proto__: { polluted: true }")
    const value = YamlTree.toValue(root, [], (scalar) => scalar.value)
    expect(Object.keys(Object(value))).toEqual(["__proto__"])
    expect(Reflect.get({}, "polluted")).toBeUndefined()
  })

  it("is done with a file of brackets only", () => {
    expect(YamlTree.parse("[".repeat(100_000)).problems.map((problem) => problem.message)).toEqual([
      "the file is nested too deeply"
    ])
  })

  it("refuses a file that is too long to be a pipeline file", () => {
    expect(YamlTree.parse(`a: ${"x".repeat(1_048_576)}`).problems[0]?.message).toBe(
      "the file is longer than 1048576 characters, so it is not a pipeline file"
    )
  })
})

describe("a text that is not one plain YAML mapping", () => {
  it("is refused: it is empty", async () => {
    expect(await renderedProblems("")).toMatchInlineSnapshot(`
      "a.yaml:1:1: the file is empty
        hint: begin with \`source:\` and \`sinks:\`"
    `)
  })

  it("is refused: it is only a comment", async () => {
    expect(await renderedProblems("# nothing yet\n")).toMatchInlineSnapshot(`
      "a.yaml:1:1: the file is empty
          # nothing yet
          ^
        hint: begin with \`source:\` and \`sinks:\`"
    `)
  })

  it("is refused: it is a list", async () => {
    expect(await renderedProblems("- a\n")).toMatchInlineSnapshot(`
      "a.yaml:1:1: the file must be a mapping of keys, not a list
          - a
          ^
        hint: begin with \`source:\` and \`sinks:\`"
    `)
  })

  it("is refused: it is one word", async () => {
    expect(await renderedProblems("crawl\n")).toMatchInlineSnapshot(`
      "a.yaml:1:1: the file must be a mapping of keys, not one value
          crawl
          ^
        hint: begin with \`source:\` and \`sinks:\`"
    `)
  })

  it("is refused: it is cut off", async () => {
    expect(await renderedProblems("source: { type: crawl\n")).toMatchInlineSnapshot(
      `
      "a.yaml:2:1: a \`{\` or \`[\` is not closed before this
        hint: close it with \`}\` or \`]\`"
    `
    )
  })

  it("is refused: a colon has no space after it", async () => {
    expect(await renderedProblems("sinks: {}\nname:x\n")).toMatchInlineSnapshot(`
      "a.yaml:2:1: this is neither \`key: value\` nor an item of a list
          name:x
          ^
        hint: write a space after the colon: \`key: value\`"
    `)
  })

  it("is refused: it is indented with a tab", async () => {
    expect(await renderedProblems("source:\n\ttype: crawl\n")).toMatchInlineSnapshot(`
      "a.yaml:2:1: a tab cannot indent YAML
          	type: crawl
          ^
        hint: use spaces"
    `)
  })

  it("is refused: it has a second colon on a line", async () => {
    expect(await renderedProblems("source: type: crawl\n")).toMatchInlineSnapshot(`
      "a.yaml:1:9: a second \`key:\` on one line
          source: type: crawl
                  ^
        hint: quote the value if its colon is text"
    `)
  })

  it("is refused: it holds two documents", async () => {
    expect(await renderedProblems("source: {}\n---\nsource: {}\n")).toMatchInlineSnapshot(`
      "a.yaml:2:1: the file holds several YAML documents
          ---
          ^
        hint: one file is one pipeline: move what follows \`---\` to a file of its own"
    `)
  })

  it("is refused: it is binary", async () => {
    expect(await renderedProblems("PK\u0003\u0004\u0000junk")).toMatchInlineSnapshot(`
      "a.yaml:1:3: the file is not text in UTF-8
          PK���junk
            ^
        hint: save it as UTF-8, without control characters"
    `)
  })

  it("is refused: it is the data that a pipeline has loaded", async () => {
    const hint = "  hint: name the pipeline file (YAML) that loads it"
    expect(await renderedProblems(`\uFFFD\uFFFDo'\uFFFD\u06B3\uFFFDDUCK@${"\0".repeat(40)}v1.5.5`)).toBe(
      `a.yaml:1:1: this is a DuckDB database, not a pipeline file\n${hint}`
    )
    expect(await renderedProblems(`PAR1\x15\0\x15${"\0".repeat(40)}`)).toBe(
      `a.yaml:1:1: this is a Parquet file, not a pipeline file\n${hint}`
    )
    expect(await renderedProblems("DUCK@\n")).not.toContain("database")
  })

  it("is refused: it is in another charset", async () => {
    expect(await renderedProblems("name: caf\uFFFD\n")).toMatchInlineSnapshot(`
      "a.yaml:1:10: the file is not text in UTF-8
          name: caf�
                   ^
        hint: save it as UTF-8, without control characters"
    `)
  })

  it("is refused: it gives a key twice", async () => {
    expect(await renderedProblems("source:\n  type: crawl\n  url: a\n  type: crawl\n")).toMatchInlineSnapshot(`
      "a.yaml:1:1: \`sinks\` is missing
          source:
          ^
        hint: where rows go: a name of your choice for each sink (a mapping of names to sinks)
      a.yaml:4:3: \`type\` is given twice
            type: crawl
            ^
        hint: the first is on line 2"
    `)
  })

  it("is refused: it has an anchor and an alias", async () => {
    expect(await renderedProblems("source: &s\n  type: crawl\nsinks: *s\n")).toMatchInlineSnapshot(`
      "a.yaml:2:3: YAML anchors are not supported
            type: crawl
            ^
        hint: use \`vars:\` for a value that is used twice
      a.yaml:3:8: YAML aliases are not supported
          sinks: *s
                 ^
        hint: repeat the value, or use \`vars:\`"
    `)
  })

  it("is refused: it has a merge key", async () => {
    expect(await renderedProblems("source:\n  <<: { type: crawl }\n")).toMatchInlineSnapshot(`
      "a.yaml:2:3: YAML merge keys are not supported
            <<: { type: crawl }
            ^
        hint: repeat the keys, or use \`vars:\`"
    `)
  })

  it("is refused: it has a tag", async () => {
    expect(await renderedProblems("name: !!binary aGVsbG8=\n")).toMatchInlineSnapshot(`
      "a.yaml:1:16: YAML tags are not supported
          name: !!binary aGVsbG8=
                         ^
        hint: remove the \`!\`, or quote the value"
    `)
  })

  it("is refused: it has a tag of its own", async () => {
    expect(await renderedProblems("name: !secret x\n")).toMatchInlineSnapshot(`
      "a.yaml:1:7: YAML tags are not supported
          name: !secret x
                ^
        hint: remove the \`!\`, or quote the value"
    `)
  })

  it("is refused: it has a directive", async () => {
    expect(await renderedProblems("%YAML 1.1\n---\nname: yes\n")).toMatchInlineSnapshot(`
      "a.yaml:1:1: YAML directives are not supported
          %YAML 1.1
          ^"
    `)
  })

  it("is refused: it has a mapping for a key", async () => {
    expect(await renderedProblems("? { a: 1 }\n: 2\n")).toMatchInlineSnapshot(`
      "a.yaml:1:3: a key must be a plain name
          ? { a: 1 }
            ^
        hint: write \`name: value\`"
    `)
  })

  it("is refused: it has braces of ours unquoted in a flow mapping", async () => {
    expect(await renderedProblems("source: { type: crawl, url: ${env.X} }\n")).toMatchInlineSnapshot(`
      "a.yaml:1:30: this is not YAML: unexpected flow-map-start at node end
          source: { type: crawl, url: \${env.X} }
                                       ^
        hint: quote a value that holds \${...}: "\${env.NAME}""
    `)
  })
})
