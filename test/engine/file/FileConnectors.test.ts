import { describe, expect, it } from "vitest"
import * as Connector from "#engine/Connector"
import { renderedProblems } from "./renderedProblems.ts"
import { crawl, toyFiles } from "./toyConnectors.ts"

const source = "source: { type: crawl, url: a }\n"
const sinks = "sinks: { out: { type: duckdb, path: out } }\n"

describe("a source", () => {
  it("must be there", async () => {
    expect(await renderedProblems(sinks)).toMatchInlineSnapshot(`
      "a.yaml:1:1: \`source\` is missing
          sinks: { out: { type: duckdb, path: out } }
          ^
        hint: where rows come from (a mapping with \`type\`)"
    `)
  })

  it("must be a mapping with a type that a connector offers", async () => {
    expect(await renderedProblems(`source: crawl\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:9: \`source\` must be a mapping with \`type\`, got "crawl"
          source: crawl
                  ^
        hint: types: crawl"
    `)
    expect(await renderedProblems(`source:\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:8: \`source\` must be a mapping with \`type\`, got nothing
          source:
                 ^
        hint: types: crawl"
    `)
    expect(await renderedProblems(`source: { url: a }\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:1: \`type\` is missing in \`source\`
          source: { url: a }
          ^
        hint: types: crawl"
    `)
    expect(await renderedProblems(`source: { type: crwal, url: a }\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:17: \`source.type\` must be a type that a connector offers, got "crwal"
          source: { type: crwal, url: a }
                          ^
        hint: did you mean \`crawl\`? types: crawl"
    `)
    expect(await renderedProblems(`source: { type: [crawl] }\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:17: \`source.type\` must be a type that a connector offers, got a list
          source: { type: [crawl] }
                          ^
        hint: types: crawl"
    `)
  })

  it("must say what its type requires", async () => {
    expect(await renderedProblems(`source:\n  type: crawl\n${sinks}`)).toMatchInlineSnapshot(`
      "a.yaml:1:1: \`url\` is missing in \`source\`
          source:
          ^
        hint: where the crawl starts (text that is not empty)"
    `)
  })
})

describe("sinks", () => {
  it("are at least one, by name", async () => {
    expect(await renderedProblems(source)).toMatchInlineSnapshot(`
      "a.yaml:1:1: \`sinks\` is missing
          source: { type: crawl, url: a }
          ^
        hint: where rows go: a name of your choice for each sink (a mapping of names to sinks)"
    `)
    expect(await renderedProblems(`${source}sinks: {}\n`)).toMatchInlineSnapshot(`
      "a.yaml:2:1: \`sinks\` names no sink
          sinks: {}
          ^
        hint: types: duckdb, parquet"
    `)
    expect(await renderedProblems(`${source}sinks:\n  - { type: duckdb, path: a }\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:3: \`sinks\` must be a mapping of names to sinks, got a list
            - { type: duckdb, path: a }
            ^"
    `)
    expect(await renderedProblems(`${source}sinks: { 1st: { type: duckdb, path: a } }\n`)).toMatchInlineSnapshot(`
      "a.yaml:2:10: "1st" cannot be the name of a sink
          sinks: { 1st: { type: duckdb, path: a } }
                   ^
        hint: use a letter, then letters, digits, dashes and underscores"
    `)
  })

  it("write only as their type can", async () => {
    const text = `${source}table: { key: url }
sinks:
  lake: { type: parquet, path: a, write: merge }
  warehouse: { type: duckdb, path: a, write: scd2 }
  other: { type: duckdb, path: a, write: apend }
`
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:4:42: \`sinks.lake.write\` must be "append" or "replace" for a parquet sink, got "merge"
            lake: { type: parquet, path: a, write: merge }
                                                   ^
      a.yaml:5:46: \`sinks.warehouse.write\` must be "append", "replace" or "merge" for a duckdb sink, got "scd2"
            warehouse: { type: duckdb, path: a, write: scd2 }
                                                       ^
      a.yaml:6:42: \`sinks.other.write\` must be "append", "replace" or "merge" for a duckdb sink, got "apend"
            other: { type: duckdb, path: a, write: apend }
                                                   ^
        hint: did you mean \`append\`?"
    `)
  })

  it("merge only a table that has a key", async () => {
    const text = `${source}sinks:\n  out: { type: duckdb, path: a, write: merge }\n`
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:3:40: \`sinks.out.write\` is merge, but the table has no key to merge by
            out: { type: duckdb, path: a, write: merge }
                                                 ^
        hint: add \`table: { key: ... }\`"
    `)
  })
})

describe("a connector that is loaded when a file names it", () => {
  const lazy = (load: () => Promise<typeof crawl>) => [
    Connector.make({ name: "lazy", sources: [Connector.lazy("crawl", load)] }),
    toyFiles
  ]

  it("has the options that it has when it is there at once", async () => {
    const loaded = lazy(async () => crawl)

    expect(await renderedProblems(`source: { type: crawl }\n${sinks}`, loaded)).toBe(
      await renderedProblems(`source: { type: crawl }\n${sinks}`)
    )
  })

  it("is not loaded where the file names another, and says why where it cannot be", async () => {
    const broken = lazy(() => Promise.reject(new Error("its driver is not installed")))

    expect(await renderedProblems(`source: { type: other }\n${sinks}`, broken)).toContain('got "other"')
    expect(await renderedProblems(`${source}${sinks}`, broken)).toMatchInlineSnapshot(`
      "a.yaml:1:17: the connector of "crawl" cannot be loaded: its driver is not installed
          source: { type: crawl, url: a }
                          ^"
    `)
  })
})
