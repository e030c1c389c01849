/** What a second run may do to the rows that a first run has stored, in each destination that needs no server. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { file } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import { Pipeline, rows, run, type Sink, sql } from "../../src/index.ts"
import { inFolder } from "../app/millrace.ts"

type Objects = ReadonlyArray<Readonly<Record<string, unknown>>>
type Destination = Exclude<Parameters<typeof sql>[0], string>

/** The destinations, each in this folder. */
const places = {
  duckdb: (folder: string, write: Sink.WriteDisposition) => duckdb.with({ path: join(folder, "t.duckdb"), write }),
  "the lake": (folder: string, write: Sink.WriteDisposition) => parquet.with({ path: join(folder, "lake"), write }),
  files: (folder: string, write: Sink.WriteDisposition) =>
    file.with({ path: join(folder, "files"), format: "jsonl", write }),
  "files of Arrow": (folder: string, write: Sink.WriteDisposition) =>
    file.with({ path: join(folder, "arrow"), format: "arrow", write })
}

describe.each(Object.entries(places))("%s, under write: replace", (_, place) => {
  it("a frozen table refuses other columns and wider ones, and keeps its rows", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "freeze" })
      await load([{ id: 1, v: 1 }])

      await expect(load([{ id: 1, v: "x", n: 5 }])).rejects.toThrow(
        "table things is frozen, and this run has the column v VARCHAR, which is BIGINT there"
      )

      expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things")).toEqual([{ id: 1, v: 1 }])
      expect(await load([{ id: 2, v: 2 }])).toMatchObject({ status: "done", rows: { things: 1 } })
      expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things")).toEqual([{ id: 2, v: 2 }])
    }))

  it("a quarantined table keeps its columns, and takes the rows that fit them", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine" })
      await load([{ id: 1, v: 1, w: "a" }])

      const report = await load([
        { id: 1, v: 1.5, n: null },
        { id: 2, v: 3, n: null },
        { id: 3, v: 4, n: 5 }
      ])

      expect(report.rows).toMatchObject({ things: 1, things__rejects: 2 })
      expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things ORDER BY id")).toEqual([
        // Its new row was rejected.
        { id: 1, v: 1, w: "a" },
        { id: 2, v: 3, w: null }
      ])
    }))
})

describe.each(Object.entries(places))("%s, under write: replace", (_, place) => {
  it("a table without a row of an older run has the columns of its last run, also where a row was rejected", () =>
    inFolder(async (folder) => {
      const load = loading(place(folder, "replace"))
      await load([{ id: 1, v: 1, old: "x" }])

      const source = rows(
        [
          { id: 1, v: 2 },
          { id: 1, v: "x" }
        ],
        { table: "things", key: "id", columns: { id: "BIGINT", v: "BIGINT" } }
      )
      await run({ name: "things", source, sinks: { out: place(folder, "replace") } }, { journal: "temporary" })

      expect(await sql(place(folder, "replace"), "SELECT * EXCLUDE (_run_id) FROM things")).toEqual([{ id: 1, v: 2 }])
    }))

  it("a null that a quarantined struct has no field for is no reason to reject its row", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine" })
      await load([{ id: 1, s: { a: 1 } }])

      await load([
        { id: 1, s: { a: 2, b: null } },
        { id: 2, s: { a: 3, b: "x" } }
      ])

      expect(await sql(out, "SELECT id, s FROM things")).toEqual([{ id: 1, s: { a: 2 } }])
    }))

  it("a moment that comes for a text beside a row that stays has the words of every destination", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      await loading(out)([
        { id: 1, v: "x" },
        { id: 2, v: "y" }
      ])

      const columns = { id: "BIGINT", v: "TIMESTAMP" }
      const given = [
        { id: 1, v: new Date("2026-11-29T12:30:00.250Z") },
        { id: 2, v: "no moment" }
      ]
      const source = rows(given, { table: "things", key: "id", columns })
      await run({ name: "things", source, sinks: { out } }, { journal: "temporary" })

      expect(await sql(out, "SELECT id, v FROM things ORDER BY id")).toEqual([
        { id: 1, v: "2026-11-29 12:30:00.25" },
        { id: 2, v: "y" }
      ])
    }))

  it("what is no row leaves the rows that it may be about", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      await loading(out)([
        { id: 1, v: 1 },
        { id: 2, v: 2 }
      ])

      const given: ReadonlyArray<object> = JSON.parse('[{ "id": 1, "v": 3 }, "2;2"]')
      const source = rows(given, { table: "things", key: "id", columns: { id: "BIGINT", v: "BIGINT" } })
      await run({ name: "things", source, sinks: { out } }, { journal: "temporary" })

      expect(await sql(out, "SELECT id, v FROM things ORDER BY id")).toEqual([
        { id: 1, v: 3 },
        { id: 2, v: 2 }
      ])
      expect(await sql(out, "SELECT raw FROM things__rejects")).toEqual([{ raw: "2;2" }])
    }))

  it("an object fits a quarantined struct of which it lacks a field", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine" })
      await load([{ id: 1, s: { a: 1, b: "x" } }])

      await load([
        { id: 1, s: { a: 2 } },
        { id: 2, s: "no struct" }
      ])

      expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things")).toEqual([{ id: 1, s: { a: 2, b: null } }])
    }))
})

describe.each(Object.entries(places))("%s, under write: append", (_, place) => {
  it("a table has a name of any script", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const source = () => rows([{ id: 1, 名称: "灯" }, { id: null }], { table: "价格", key: "id" })

      for (const _ of [1, 2]) await run({ name: "prices", source: source(), sinks: { out } }, { journal: "temporary" })

      expect(await sql(out, 'SELECT "名称" FROM "价格" WHERE id = 1')).toEqual([{ 名称: "灯" }, { 名称: "灯" }])
    }))

  it("names that lead to one column keep their own, whatever their order and whichever of them is there", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out)
      const long = "x".repeat(70)

      await load([{ id: 1, "Net Price": 10, "net-price": 20, "☂": "a", "☃": "b", [`${long}1`]: 1, [`${long}2`]: 2 }])
      await load([{ [`${long}2`]: 4, "☃": "d", "net-price": 21, "Net Price": 11, id: 2 }])

      const [first, second] = await sql(out, "SELECT * EXCLUDE (_run_id) FROM things ORDER BY id")
      expect(Object.values(first ?? {})).toEqual([1, 10, 20, "a", "b", 1, 2])
      expect(Object.values(second ?? {})).toEqual([2, 11, 21, null, "d", null, 4])
    }))

  it("a column or a member that is called as what every object inherits is null where a row lacks it", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out)

      await load([
        { id: 1, constructor: "a", s: { n: 1, toString: "b" } },
        { id: 2, s: { n: 2 } }
      ])
      await load([{ id: 3, s: { n: 3 } }])

      expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things ORDER BY id")).toEqual([
        { id: 1, constructor: "a", s: { n: 1, toString: "b" } },
        { id: 2, constructor: null, s: { n: 2, toString: null } },
        { id: 3, constructor: null, s: { n: 3, toString: null } }
      ])
    }))

  it("a column of a run without rows is null in the rows that are there", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out)
      await load([{ id: 1, v: "x" }])

      const columns = { id: "BIGINT", z: "BIGINT", s: "STRUCT(j JSON)", j: "JSON" }
      await run(
        { name: "things", source: rows([], { table: "things", columns }), sinks: { out } },
        { journal: "temporary" }
      )

      const there = [{ id: 1, v: "x", z: null, s: null, j: null }]
      expect(await sql(out, "SELECT id, v, z, s, j FROM things WHERE v = 'x'")).toEqual(there)
      const lake = join(folder, "lake", "read.sql")
      if (existsSync(lake)) expect(await queried(lake, "SELECT id, v, z, s, j FROM things")).toHaveLength(1)
    }))

  it("a number that the stored column cannot hold is rejected, and never rounded", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out)
      await load([{ id: 1, n: 0.5 }])

      const report = await load([
        { id: 2, n: 9007199254740993n },
        { id: 3, n: 9007199254740992n }
      ])

      expect(report.rows).toMatchObject({ things: 1, things__rejects: 1 })
      expect(await sql(out, "SELECT id, n FROM things ORDER BY id")).toEqual([
        { id: 1, n: 0.5 },
        { id: 3, n: 2 ** 53 }
      ])
      expect(await sql(out, "SELECT reason FROM things__rejects")).toEqual([
        { reason: expect.stringContaining("column n: 9007199254740993 is BIGINT and would change as DOUBLE; let") }
      ])
    }))
})

const { files: _, "files of Arrow": _arrow, ...keyed } = places

describe.each(Object.entries(keyed))("%s, under write: scd2", (_, place) => {
  const before = [
    { id: 1, a: 1, b: 2 },
    { id: 2, a: 1, b: 3 }
  ]
  const after = [
    { id: 1, a: 1, b: null },
    { id: 2, a: 2, b: null }
  ]
  const versions = (out: Destination) => sql(out, "SELECT id, a, b, is_current FROM things ORDER BY id, valid_from")

  it("a value becomes null, also where it is null in all rows of the run", () =>
    inFolder(async (folder) => {
      const out = place(folder, "scd2")
      const load = loading(out)
      await load(before)

      await load(after)

      expect(await versions(out)).toEqual([
        { id: 1, a: 1, b: 2, is_current: false },
        { id: 1, a: 1, b: null, is_current: true },
        { id: 2, a: 1, b: 3, is_current: false },
        { id: 2, a: 2, b: null, is_current: true }
      ])
    }))

  it("a column that the user's fingerprint does not name makes no version, whether its run has it or not", () =>
    inFolder(async (folder) => {
      const out = place(folder, "scd2")
      const load = loading(out, { fingerprint: ["a"] })
      await load(before)

      await load(after)

      expect(await versions(out)).toEqual([
        { id: 1, a: 1, b: 2, is_current: true },
        { id: 2, a: 1, b: 3, is_current: false },
        { id: 2, a: 2, b: null, is_current: true }
      ])
    }))
})

describe.each(
  Object.entries(places)
    .filter(([name]) => !name.startsWith("files"))
    .flatMap(([name, place]) => (["merge", "scd2"] as const).map((write) => [name, write, place] as const))
)("%s, under write: %s", (_, write, place) => {
  it("a row without its key is rejected, and the others are loaded", () =>
    inFolder(async (folder) => {
      const out = place(folder, write)
      const load = loading(out)

      const report = await load([
        { id: 1, v: 1 },
        { id: null, v: 2 },
        { id: 3, v: 3 }
      ])

      expect(report).toMatchObject({ status: "done", rows: { things: 2, things__rejects: 1 } })
      expect(await sql(out, "SELECT id FROM things ORDER BY id")).toEqual([{ id: 1 }, { id: 3 }])
      expect(await sql(out, "SELECT reason FROM things__rejects")).toEqual([
        { reason: `column id: it is null, and ${write} needs it; fill it, or append` }
      ])
      const frozen = loading(out, { contract: "freeze" })
      await expect(
        frozen([
          { id: 4, v: 4 },
          { id: null, v: 2 }
        ])
      ).rejects.toThrow("a row has no id")
    }))
})

describe("a column that somebody has added to a table of DuckDB", () => {
  it.each(["merge", "scd2"] as const)("keeps its values under write: %s, and makes no row a changed one", (write) =>
    inFolder(async (folder) => {
      const path = join(folder, "t.duckdb")
      const out = duckdb.with({ path, write })
      const load = loading(out)
      await load([
        { id: 1, v: 1 },
        { id: 2, v: 1 },
        { id: 3, v: 1, w: "gone" }
      ])
      await alter(path, "ALTER TABLE things ADD COLUMN note VARCHAR", "UPDATE things SET note = 'mine ' || id")

      await load([
        { id: 1, v: 1 },
        { id: 2, v: 2 },
        { id: 3, v: 1 },
        { id: 4, v: 1 }
      ])

      const current = write === "scd2" ? " WHERE is_current" : ""
      const changed = write === "scd2" ? null : "mine 2"
      expect(await sql(out, `SELECT id, v, w, note FROM things${current} ORDER BY id`)).toEqual([
        { id: 1, v: 1, w: null, note: "mine 1" },
        { id: 2, v: 2, w: null, note: changed },
        // A column that the runs had and this one lacks is null, as before.
        { id: 3, v: 1, w: null, note: write === "scd2" ? null : "mine 3" },
        { id: 4, v: 1, w: null, note: null }
      ])
      if (write === "scd2") {
        expect(await sql(out, "SELECT id, note FROM things WHERE NOT is_current ORDER BY id")).toEqual([
          { id: 2, note: "mine 2" },
          { id: 3, note: "mine 3" }
        ])
      }
    })
  )

  it("counts as one of the runs where it was there before columns were recorded", () =>
    inFolder(async (folder) => {
      const path = join(folder, "t.duckdb")
      const load = loading(duckdb.with({ path, write: "merge" }))
      await load([{ id: 1, v: 1, w: "old" }])
      await alter(path, 'ALTER TABLE _millrace_tables DROP COLUMN "columns"')

      await load([{ id: 1, v: 1 }])

      expect(await sql(duckdb.with({ path }), "SELECT id, v, w FROM things")).toEqual([{ id: 1, v: 1, w: null }])
    }))
})

const alter = async (path: string, ...statements: ReadonlyArray<string>): Promise<void> => {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

/** What a query finds after DuckDB has run a file. */
const queried = async (file: string, query: string): Promise<ReadonlyArray<unknown>> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  await connection.run(readFileSync(file, "utf8"))
  const rows = (await connection.runAndReadAll(query)).getRowObjects()
  connection.closeSync()
  instance.closeSync()
  return rows
}

/** Loads rows into the table "things" of a sink. */
const loading =
  (out: Destination, table: object = {}) =>
  (objects: Objects) =>
    run(
      Pipeline.make({ name: "things", source: rows(objects, { table: "things", key: "id" }), sinks: { out }, table }),
      { journal: "temporary" }
    )
