import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { SkippedSuites } from "./test/skippedSuites.ts"

/** `.ci/run` asks for the counts in a file; people read the terminal. */
const report = process.env["MILLRACE_TEST_REPORT"]

/** What is drawn at random is the same on each commit, and new in each soak (test/thoroughness.ts). */
const isSoak = process.env["MILLRACE_SOAK"] !== undefined
const seed = process.env["MILLRACE_SEED"] ?? String(isSoak ? Math.floor(Math.random() * 2 ** 31) : 1)
if (isSoak) process.stdout.write(`MILLRACE_SEED=${seed}\n`)

/** When a test hangs. It is a guard and no law: tests pass on a machine that is ten times slower than the usual one. */
const patience = isSoak ? 3_600_000 : 600_000

/**
 * What only computes, or at most listens on loopback: no process of its own, no database, nothing of the process changed.
 * These files share threads and what those have loaded, which is three quarters of their cost. All else is a system test, and
 * so is a new folder until it stands here.
 */
const unit = [
  "test/{page,site,testing}/**/*.test.ts",
  "test/base/{diff,text}/**/*.test.ts",
  "test/contract/JsonSchema.test.ts",
  "test/contract/client/**/*.test.ts",
  "test/connectors/{file,memory}/*.test.ts",
  "test/engine/{file,jsonSchema}/**/*.test.ts",
  "test/engine/pipeline/*.test.ts",
  "test/extract/!(FilledPage).test.ts",
  "test/extract/!(quarantine)/**/*.test.ts",
  "test/law/*.test.ts",
  "test/law/{corpus,query,rank,text}/**/*.test.ts",
  "test/service/{monitor,support}/*.test.ts",
  "test/web/model/*.test.ts",
  "test/web/search/!(PageIndex|Search).test.ts"
]

/** The longest files, longest first, so that no core idles at the end; what needs the S3 server comes when it is up. */
const longest: ReadonlyArray<string> = [
  "see/explore/exportFolder.test.ts",
  "see/explore/exploreInBrowser.test.ts",
  "e2e/compat.test.ts",
  "app/schedule.test.ts",
  "web/browser/Browser.test.ts",
  "service/cluster/clusteredPlaces.test.ts",
  "service/cluster/receivers.test.ts",
  "connectors/duckdb/sink.test.ts",
  "docs.test.ts",
  "connectors/duckdb/file/PublishedCopy.test.ts",
  "app/runs/rejects.test.ts",
  "connectors/parquet/sink.test.ts",
  "see/sql/askSql.test.ts",
  "app/signalDeadline.test.ts",
  "app/revalidation.test.ts",
  "library/twoRuns.test.ts",
  "e2e/package.test.ts",
  "engine/backfill/Backfill.test.ts",
  "connectors/postgres/sink.test.ts",
  "connectors/s3/S3Store.test.ts",
  "see/report/makeReport.test.ts",
  "app/wholeCrawls.test.ts",
  "connectors/webdata/monitor/byCrawl.test.ts",
  "app/mcp/pipelineTools.test.ts",
  "e2e/sharedJournal.test.ts",
  "pipelines/examples.test.ts",
  "e2e/upgrade.test.ts",
  "e2e/killedScheduler.test.ts",
  "e2e/crashedRuns.test.ts"
]

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/test/${file}`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    // Node reads TypeScript itself: nothing is transformed, and what a test runs is what users run.
    experimental: { viteModuleRunner: false },
    setupFiles: ["test/setup.ts"],
    env: { MILLRACE_SEED: seed },
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: patience } },
    // Many tests wait for processes and servers of their own: three keep two cores at work, and each more compiles everything once more.
    // Of more cores one is left to those.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    reporters: [...(report === undefined ? ["default"] : ["default", "json"]), new SkippedSuites()],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: unit,
          pool: "forks",
          // A process goes on to its next file: loading what the files have in common is a third of their cost.
          isolate: false,
          // Most of what a test makes dies with it: a larger young generation is cleared less often.
          execArgv: ["--max-semi-space-size=32", "--initial-old-space-size=256"],
          globalSetup: ["test/wholeRun.ts"]
        }
      },
      { extends: true, test: { name: "unit", include: unit, pool: "threads", isolate: false } }
    ]
  }
})
