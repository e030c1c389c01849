import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { type Check, Pipeline, run, type Sink, Source, type Step, sql } from "../../../src/index.ts"
import { inFolder, millrace, write } from "../../app/millrace.ts"

type Objects = ReadonlyArray<Readonly<Record<string, unknown>>>
type Parts = {
  readonly checks?: ReadonlyArray<Check.Check>
  readonly steps?: ReadonlyArray<Step.Step>
  readonly table?: object
}

/** A pipeline of an own source that gives these rows, and into a file of DuckDB. */
const pipelineOf = (folder: string, options: { write: Sink.WriteDisposition; removed?: "close" }) => {
  const db = duckdb.with({ path: join(folder, "own.duckdb"), ...options })
  const load = (rows: Objects, parts: Parts = {}, more: Readonly<Record<string, string>> = {}) => {
    const own = Source.simple({
      type: "own",
      columns: { id: "BIGINT NOT NULL", v: "BIGINT", ...more },
      key: ["id"],
      rows: () => rows
    })
    const pipeline = Pipeline.make({ name: "own", source: own.with({}), sinks: { db }, ...parts })
    return run(pipeline, { journal: "temporary" })
  }
  const stored = () => sql(db, "SELECT id, v FROM own ORDER BY id")
  return { load, stored, db }
}
const two = [
  { id: 1, v: 1 },
  { id: 2, v: 2 }
]
const off: ReadonlyArray<Check.Check> = [{ whole: "off" }]

describe("a run whose every row is rejected", () => {
  const bad = [
    { id: 1, v: "x" },
    { id: 2, v: "y" },
    { id: "three", v: 3 }
  ]

  it("is held with the first reasons, in every disposition, and the checkpoint stays", () =>
    inFolder(async (folder) => {
      for (const write of ["append", "merge", "replace"] as const) {
        const { load, stored, db } = pipelineOf(join(folder, write), { write })
        await load(two)

        const report = await load(bad)

        expect(report.status).toBe("held")
        expect(report.checks.filter(({ passed }) => !passed)).toEqual([
          {
            check: "whole",
            table: "own",
            passed: false,
            found:
              'all 3 rows were rejected: column v: a text is not a valid BIGINT: "x" (2 times); column id: a text is not a valid ' +
              'BIGINT: "three"; correct the source or the columns, or commit the rejects with checks: [{ whole: off }]'
          }
        ])
        expect(await stored()).toEqual(two)
        expect(await sql(db, "SELECT count(*) AS n FROM _millrace_runs")).toEqual([{ n: 1 }])
        expect(await load(bad, { checks: off })).toMatchObject({ status: "done", rows: { own__rejects: 3 } })
      }
    }))

  it("is held where the destination rejects them, with steps and without", () =>
    inFolder(async (folder) => {
      const { load, stored } = pipelineOf(folder, { write: "replace" })
      await load(two)
      const wider = two.map((row) => ({ ...row, w: "new" }))
      const table = { contract: "quarantine" }

      for (const report of [
        await load(wider, { table }, { w: "VARCHAR" }),
        await load(two, { table, steps: [{ derive: { w: "'new'" } }] })
      ]) {
        expect([report.status, report.checks.at(-1)?.found]).toEqual([
          "held",
          "all 2 rows were rejected: table own of the destination has no column w (2 times); " +
            "correct the source or the columns, or commit the rejects with checks: [{ whole: off }]"
        ])
      }

      expect(await stored()).toEqual(two)
    }))

  it("is not one of which a row fits", () =>
    inFolder(async (folder) => {
      const { load } = pipelineOf(folder, { write: "append" })

      const report = await load([...bad, { id: 4, v: 4 }])

      expect(report).toMatchObject({ status: "done", rows: { own: 1, own__rejects: 3 } })
    }))

  it("ends with exit code 3", () =>
    inFolder(async (folder) => {
      write(
        folder,
        "own.ts",
        'import { Source } from "millrace"\nexport const own = Source.simple({ type: "own", columns: { id: "BIGINT" }, rows: () => [{ id: "x" }] })'
      )
      const file = write(
        folder,
        "own.yaml",
        "connectors: [./own.ts]",
        "source: { type: own }",
        "sinks: { out: { type: file, path: ./out, format: jsonl } }"
      )

      const { code, stdout } = await millrace(folder, "run", file)

      expect(code).toBe(3)
      expect(stdout).toContain('the only row was rejected: column id: a text is not a valid BIGINT: "x"; correct')
      expect(() => readFileSync(join(folder, "out/own.jsonl"))).toThrow("ENOENT")
    }))
})

describe("an own source that gives nothing where rows were", () => {
  it("holds a run that would remove them, and only such a run", () =>
    inFolder(async (folder) => {
      for (const [options, status] of [
        [{ write: "replace" }, "held"],
        [{ write: "scd2", removed: "close" }, "held"],
        [{ write: "scd2" }, "done"],
        [{ write: "merge" }, "done"],
        [{ write: "append" }, "done"]
      ] as const) {
        const { load, stored } = pipelineOf(join(folder, Object.values(options).join(" ")), options)
        expect((await load([])).status).toBe("done")
        await load(two)

        const report = await load([])

        expect(report.status).toBe(status)
        expect(await stored()).toEqual(two)
      }
    }))

  it("says which run had them and what allows it, and whole: off allows it", () =>
    inFolder(async (folder) => {
      const { load, stored } = pipelineOf(folder, { write: "replace" })
      const { runId } = await load(two)

      const { checks } = await load([], { checks: [{ whole: "50%" }] })

      expect(checks.at(-1)?.found).toBe(
        `the source gave no rows, and run ${runId} had 2, which a commit would remove; ` +
          "look whether the source is well, or allow it with checks: [{ whole: off }]"
      )
      expect((await load([], { checks: off })).status).toBe("done")
      expect(await stored()).toEqual([])
      expect((await load([])).status).toBe("done")
    }))

  it("holds such a run also after one that was let through and left the rows of earlier ones", () =>
    inFolder(async (folder) => {
      const { load, stored } = pipelineOf(folder, { write: "replace" })
      await load(two)
      const { runId } = await load([{ id: 1, v: "x" }], { checks: off })

      const report = await load([])

      expect([report.status, report.checks.at(-1)?.found]).toEqual([
        "held",
        `the source gave no rows, and run ${runId} had none either and left those of earlier runs, which a commit would ` +
          "remove; look whether the source is well, or allow it with checks: [{ whole: off }]"
      ])
      expect(await stored()).toEqual([{ id: 1, v: 1 }])
    }))

  it("is not one whose rows the steps leave out", () =>
    inFolder(async (folder) => {
      const { load, stored } = pipelineOf(folder, { write: "replace" })
      await load(two)

      expect((await load(two, { steps: [{ where: "false" }] })).status).toBe("done")
      expect(await stored()).toEqual([])
    }))
})
