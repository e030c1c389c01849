/** What `import { run, rows, sql } from "millrace"` gives: promises, as somebody who never heard of Effect uses them. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { parquet } from "#connectors/parquet/index"
import { type RunOptions, rows, run, sql } from "../../src/index.ts"
import { inFolder, write } from "../app/millrace.ts"

const at = (folder: string, name: string, text: string) => join(folder, write(folder, name, text))

describe("run and sql", () => {
  it("take a pipeline file: its modules, its checks, its tables", () =>
    inFolder(async (folder) => {
      write(
        folder,
        "lines.ts",
        `import { Source } from "millrace"
export const lines = Source.simple({
  type: "lines",
  columns: { name: "VARCHAR NOT NULL" },
  rows: () => [{ name: "Ada" }, { name: "Grace" }]
})`
      )
      const file = at(
        folder,
        "names.yaml",
        "connectors: [./lines.ts]\nsource: { type: lines }\nchecks:\n  - rows: { min: 1 }\nsinks:\n  db: { type: duckdb, path: ./names.duckdb }\n"
      )

      const report = await run(file)

      expect(report).toMatchObject({ status: "done", rows: { lines: 2 } })
      expect(await sql(file, "SELECT name FROM lines ORDER BY name")).toEqual([{ name: "Ada" }, { name: "Grace" }])
    }))

  it("take objects: a source of rows and a sink, and leave no journal where none is wanted", () =>
    inFolder(async (folder) => {
      const db = duckdb.with({ path: join(folder, "people.duckdb") })
      const people = [
        { id: 1, name: "Ada", born: new Date("1815-12-10") },
        { id: 2 ** 40, name: null }
      ]

      const { status } = await run(
        { source: rows(people, { table: "people", key: "id" }), sinks: { db } },
        { journal: "temporary" }
      )

      expect(status).toBe("done")
      expect(await sql(db, "SELECT id, name, born FROM people ORDER BY id")).toEqual([
        { id: 1, name: "Ada", born: expect.stringMatching(/^1815-12-10/) },
        { id: 2 ** 40, name: null, born: null }
      ])
      expect(existsSync(join(folder, ".millrace"))).toBe(false)
    }))

  it("reject with the error itself, which says where it is and what to do", () =>
    inFolder(async (folder) => {
      const file = at(
        folder,
        "wrong.yaml",
        "source: { type: crawl, url: https://docs.example.com, limt: 3 }\nsinks: { db: { type: duckdb, path: ./x.duckdb } }\n"
      )

      await expect(run(file)).rejects.toThrow(/wrong\.yaml:1:55: unknown key `limt` in `source`[\s\S]*limit/)
      await expect(sql(duckdb.with({ path: join(folder, "none.duckdb") }), "SELECT 1")).rejects.toThrow(
        /is not there yet|no such file/
      )
      await expect(run(join(folder, "nowhere.yaml"))).rejects.toThrow(/nowhere\.yaml/)
    }))

  it("reject with every step and check of a program that is wrong, each by its place", () =>
    inFolder(async (folder) => {
      const sinks = { db: duckdb.with({ path: join(folder, "people.duckdb") }) }
      const source = rows([{ id: 1 }], { table: "people" })

      const failed = run(
        {
          source,
          sinks,
          steps: [{ where: "id > 0" }, { where: "age > 0" }],
          checks: [{ sql: "SELECT name FROM people" }]
        },
        { journal: "temporary" }
      )

      await expect(failed).rejects.toMatchObject({
        _tag: "StageError",
        message: expect.stringMatching(/^steps\.1\.where: .*"age".*\nchecks\.0\.sql: .*"name"/)
      })
    }))

  it("refuse a pipeline without a sink, as files are refused", async () => {
    const nowhere = run({ source: rows([{ id: 1 }], { table: "people" }), sinks: {} }, { journal: "temporary" })

    await expect(nowhere).rejects.toMatchObject({
      _tag: "StartError",
      message: "`sinks` names no sink, so the rows would go nowhere"
    })
  })

  it("stop by a signal that stands among the options, with its reason", () =>
    inFolder(async (folder) => {
      const db = duckdb.with({ path: join(folder, "numbers.duckdb") })
      const stop = new AbortController()
      const options: RunOptions = { journal: "temporary", signal: stop.signal }
      const endless = async function* () {
        for (let n = 0; ; n++) {
          yield { n }
          if (n === 5000) stop.abort(new Error("that is enough"))
        }
      }

      const stopped = run(
        { source: rows(endless, { table: "numbers", columns: { n: "BIGINT" } }), sinks: { db } },
        options
      )

      await expect(stopped).rejects.toThrow("that is enough")
      await expect(sql(db, "FROM numbers")).rejects.toMatchObject({ _tag: "SinkError" })
    }))

  it("keep columns whose names every object has, in rows with and without them", () =>
    inFolder(async (folder) => {
      const columns = { id: "BIGINT NOT NULL", constructor: "VARCHAR", valueOf: "BIGINT" }
      const loads: ReadonlyArray<ReadonlyArray<object>> = [
        [{ id: 1, constructor: "Ferrari", valueOf: 7 }, { id: 2, constructor: "Lotus" }, { id: 3 }],
        [{ id: 1, constructor: "McLaren" }]
      ]
      const db = duckdb.with({ path: join(folder, "f1.duckdb"), write: "merge" })
      const lake = parquet.with({ path: join(folder, "lake"), write: "merge" })
      for (const results of loads) {
        const source = rows(results, { table: "results", key: "id", columns })
        await run({ source, sinks: { db, lake } }, { journal: "temporary" })
      }

      for (const sink of [db, lake]) {
        expect(await sql(sink, 'SELECT id, "constructor" AS c, "valueOf" AS v FROM results ORDER BY id')).toEqual([
          { id: 1, c: "McLaren", v: null },
          { id: 2, c: "Lotus", v: null },
          { id: 3, c: null, v: null }
        ])
      }
    }))

  it("answers at most as many rows as asked for", () =>
    inFolder(async (folder) => {
      const db = duckdb.with({ path: join(folder, "n.duckdb") })
      await run(
        { source: rows([{ n: 1 }, { n: 2 }, { n: 3 }], { table: "n" }), sinks: { db } },
        { journal: "temporary" }
      )

      await expect(sql(db, "FROM n", { maxRows: 2 })).rejects.toThrow(/2/)
      expect(await sql(db, "FROM n", { maxRows: 3 })).toHaveLength(3)
    }))
})
