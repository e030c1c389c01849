import { describe, expect, it } from "vitest"
import { renderedProblems } from "./renderedProblems.ts"

const crawl = (options: string) => `source:
  type: crawl
  url: https://a.example
${options}
sinks: { out: { type: duckdb, path: out } }
`

describe("what is wrong with a value is told", () => {
  it("of numbers out of bounds, broken, quoted and in words", async () => {
    expect(await renderedProblems(crawl("  limit: 0"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got 0
            limit: 0
                   ^"
    `)
    expect(await renderedProblems(crawl("  limit: -3"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got -3
            limit: -3
                   ^"
    `)
    expect(await renderedProblems(crawl("  limit: 1.5"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got 1.5
            limit: 1.5
                   ^"
    `)
    expect(await renderedProblems(crawl('  limit: "20"'))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got "20"
            limit: "20"
                   ^
        hint: remove the quotes"
    `)
    expect(await renderedProblems(crawl("  limit: many"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got "many"
            limit: many
                   ^"
    `)
    expect(await renderedProblems(crawl("  limit: .inf"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.limit\` must be a whole number from 1 to 100000, got Infinity
            limit: .inf
                   ^"
    `)
    expect(await renderedProblems(crawl("  limit:"))).toMatchInlineSnapshot(`
      "a.yaml:4:9: \`source.limit\` must be a whole number from 1 to 100000, got nothing
            limit:
                  ^"
    `)
  })

  it("of truth values that YAML reads as text", async () => {
    expect(await renderedProblems(crawl("  crawlEntireDomain: yes"))).toMatchInlineSnapshot(`
      "a.yaml:4:22: \`source.crawlEntireDomain\` must be true or false, got "yes"
            crawlEntireDomain: yes
                               ^
        hint: write true"
    `)
    expect(await renderedProblems(crawl("  crawlEntireDomain: Off"))).toMatchInlineSnapshot(`
      "a.yaml:4:22: \`source.crawlEntireDomain\` must be true or false, got "Off"
            crawlEntireDomain: Off
                               ^
        hint: write false"
    `)
  })

  it("of texts that are numbers, lists and mappings", async () => {
    const text = crawl("  includePaths: [2024, [a], { b: c }]\n  scrapeOptions: { headers: { x: true } }")
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:4:18: \`source.includePaths[0]\` must be text, got 2024
            includePaths: [2024, [a], { b: c }]
                           ^
        hint: quote it: "2024"
      a.yaml:4:24: \`source.includePaths[1]\` must be text, got a list
            includePaths: [2024, [a], { b: c }]
                                 ^
      a.yaml:4:29: \`source.includePaths[2]\` must be text, got a mapping
            includePaths: [2024, [a], { b: c }]
                                      ^
      a.yaml:5:34: \`source.scrapeOptions.headers.x\` must be text, got true
            scrapeOptions: { headers: { x: true } }
                                           ^
        hint: quote it: "true""
    `)
  })

  it("in the author's own words, where the schema has them", async () => {
    expect(await renderedProblems(crawl('  includePaths: ["^/a", "(?=x)"]'))).toMatchInlineSnapshot(`
      "a.yaml:4:25: \`source.includePaths[1]\`: this pattern looks ahead, which RE2 cannot
            includePaths: ["^/a", "(?=x)"]
                                  ^"
    `)
  })

  it("of unknown keys at any depth, with the key that was meant", async () => {
    const text = crawl(`  include_paths: []
  scrapeOptions:
    formats:
      - { type: json, prompt: a, promt: b }
    zzz: 1`)
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:4:3: unknown key \`include_paths\` in \`source\`
            include_paths: []
            ^
        hint: did you mean \`includePaths\`? known keys: url, limit, includePaths, crawlEntireDomain, delay, scrapeOptions, token
      a.yaml:7:34: unknown key \`promt\` in \`source.scrapeOptions.formats[0]\`
                - { type: json, prompt: a, promt: b }
                                           ^
        hint: did you mean \`prompt\`? known keys: type, prompt
      a.yaml:8:5: unknown key \`zzz\` in \`source.scrapeOptions\`
              zzz: 1
              ^
        hint: known keys: formats, headers"
    `)
  })

  it("of choices, by the kind that was meant", async () => {
    const text = crawl(`  scrapeOptions:
    formats: [markdwn, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1 }, 3]`)
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:5:15: \`source.scrapeOptions.formats[0]\` must be "markdown", "html", "links", a mapping with \`type: json\` or a mapping with \`type: screenshot\`, got "markdwn"
              formats: [markdwn, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1
                        ^
        hint: did you mean \`markdown\`?
      a.yaml:5:32: \`source.scrapeOptions.formats[1].type\` must be "json" or "screenshot", got "jsn"
              formats: [markdwn, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1
                                         ^
        hint: did you mean \`json\`?
      a.yaml:5:39: \`type\` is missing in \`source.scrapeOptions.formats[2]\`
              formats: [markdwn, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1
                                                ^
        hint: it must be "json" or "screenshot"
      a.yaml:5:54: \`prompt\` is missing in \`source.scrapeOptions.formats[3]\`
              formats: [markdwn, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1
                                                               ^
        hint: it must be text
      a.yaml:5:100: \`source.scrapeOptions.formats[4].fullPage\` must be true or false, got 1
          n, { type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1 }, 3]
                                                                                         ^
      a.yaml:5:105: \`source.scrapeOptions.formats[5]\` must be "markdown", "html", "links", a mapping with \`type: json\` or a mapping with \`type: screenshot\`, got 3
          type: jsn }, { prompt: x }, { type: json }, { type: screenshot, fullPage: 1 }, 3]
                                                                                         ^"
    `)
  })

  it("of secrets without showing them", async () => {
    expect(await renderedProblems(crawl("  token: 12345"))).toMatchInlineSnapshot(`
      "a.yaml:4:10: \`source.token\` must be text
            token: 12345
                   ^"
    `)
  })
})
