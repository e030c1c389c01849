import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { connectors } from "#connectors/index"
import * as Location from "#engine/Location"
import * as PipelineFile from "#engine/PipelineFile"

const isPath = Schema.is(Location.path)

/** What the connectors of the command line say of a file with these lines, a problem a line. */
const problems = async (...lines: ReadonlyArray<string>) => {
  const load = PipelineFile.load("a.yaml", lines.join("\n"), {
    connectors,
    env: { LAKE: "gs://b/lake" },
    runDate: new Date(0),
    runId: "r"
  })
  const { issues } = await Effect.runPromise(Effect.flip(load))
  return issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
}

const crawl = "source: { type: crawl, url: https://a.example }"

describe("a path of this machine", () => {
  it("is no URL, no name of a service, and no shell's home", () => {
    const good = [
      "out.duckdb",
      "./out.duckdb",
      "/data/out.duckdb",
      "../a/b",
      "C:\\data\\x",
      "./md:x",
      "a/gs://b",
      "10:30"
    ]
    const bad = [
      "md:x",
      "gs://b/x",
      "az://x",
      "http://h/x",
      "s3://b/x",
      "file:///x",
      "motherduck:x",
      ":memory:",
      "~/x",
      ""
    ]

    expect(good.filter((text) => !isPath(text))).toEqual([])
    expect(bad.filter(isPath)).toEqual([])
  })
})

describe("every option that takes a path", () => {
  it("is refused with its line and column where nobody serves the place", async () => {
    const found = await problems(
      "source: { type: search_gov, sql: FROM q, database: 'md:laws' }",
      "sinks:",
      "  db: { type: duckdb, path: md:x, publish: 'https://h/x.duckdb' }",
      "  lake: { type: parquet, path: 'gs://b/x' }",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
      "  other: { type: parquet, path: '${env.LAKE}' }"
    )

    expect(found).toEqual([
      "1:52 `source.database`: no connector serves md: here: write a path of this machine, or ./md:laws if that is the name of a file",
      "3:29 `sinks.db.path`: no connector serves md: here: write a path of this machine, or ./md:x if that is the name of a file",
      "3:44 `sinks.db.publish`: no connector serves https:// here: write a path of this machine",
      "4:32 `sinks.lake.path`: no connector serves gs:// here: write a path of this machine, or s3://bucket/prefix",
      "5:33 `sinks.other.path`: no connector serves gs:// here: write a path of this machine, or s3://bucket/prefix"
    ])
    const gov = "sinks: { db: { type: duckdb, path: x.duckdb } }"
    expect(await problems("source: { type: gov_corpus, path: 'az://laws' }", gov)).toHaveLength(1)
    expect(await problems("source: { type: search_gov, file: 'http://h/q.csv' }", gov)).toHaveLength(1)
  })

  it("is no URL of a store where the slashes are missing", async () => {
    expect(await problems(crawl, "sinks: { lake: { type: parquet, path: 's3:bucket' } }")).toEqual([
      "2:39 `sinks.lake.path`: no connector serves s3: here: write a path of this machine, or s3://bucket/prefix, or ./s3:bucket if that is the name of a file"
    ])
  })
})
