import { expect, it } from "@effect/vitest"
import { patternFaults } from "#connectors/webdata/crawl/patternFaults"
import { millrace, withSite, write } from "../../../app/millrace.ts"

it("a pattern of RE2 has no fault, and one that it does not read is named with its place and the reason", () => {
  const good = { includePaths: ["^/docs/", "(?i)\\.html$", "(?P<year>\\d{4})", "[[:alpha:]]"], excludePaths: null }

  expect(patternFaults(good)).toEqual([])
  expect(patternFaults({})).toEqual([])
  expect(patternFaults({ includePaths: ["a", "("], excludePaths: ["*.pdf", "(?!x)"] }, ["targets", 0])).toEqual([
    {
      path: ["targets", 0, "includePaths", 1],
      issue: expect.stringMatching(/^it is not a pattern: missing closing \)/)
    },
    { path: ["targets", 0, "excludePaths", 0], issue: expect.stringContaining("missing argument to repetition") },
    { path: ["targets", 0, "excludePaths", 1], issue: expect.stringContaining("lookaround and backreferences") }
  ])
})

it("check tells a pattern that is none by its line, in a crawl and in what a monitor crawls", () =>
  withSite({}, async ({ folder }) => {
    const sinks = "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
    write(folder, "crawl.yaml", "source: { type: crawl, url: http://site.test/, includePaths: ['('] }", sinks)
    write(
      folder,
      "monitor.yaml",
      "source: { type: monitor, monitor: m, by: crawl, targets: [",
      "  { type: crawl, url: http://site.test/, crawlOptions: { excludePaths: ['*.pdf'] } }] }",
      sinks
    )

    const crawl = await millrace(folder, "check", "crawl.yaml")
    const monitor = await millrace(folder, "check", "monitor.yaml")

    expect(crawl.code).toBe(2)
    expect(crawl.stderr).toContain(
      "crawl.yaml:1:63: `source.includePaths[0]`: it is not a pattern: missing closing ): `(`; write"
    )
    expect(monitor.code).toBe(2)
    expect(monitor.stderr).toContain(
      "monitor.yaml:2:73: `source.targets[0].crawlOptions.excludePaths[0]`: it is not a pattern"
    )
  }))
