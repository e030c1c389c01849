/** What a second run may do to the rows that a first run has stored, in each destination that needs no server. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { file } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import { sqlite } from "#connectors/sqlite/index"
import { marked } from "#engine/ColumnName"
import { Pipeline, rows, run, type Sink, sql } from "../../src/index.ts"
import { inFolder } from "../app/millrace.ts"
import { sampleOf } from "../thoroughness.ts"

type Objects = ReadonlyArray<Readonly<Record<string, unknown>>>
type Destination = Exclude<Parameters<typeof sql>[0], string>

/** The destinations, each in this folder. */
const places = {
  duckdb: (folder: string, write: Sink.WriteDisposition) => duckdb.with({ path: join(folder, "t.duckdb"), write }),
  sqlite: (folder: string, write: Sink.WriteDisposition) => sqlite.with({ path: join(folder, "t.sqlite"), write }),
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

  it("a row whose key is null is no other row: a run that is not complete keeps it beside a new one", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const source = (given: ReadonlyArray<object>) =>
        rows(given, { table: "things", key: "id", columns: { id: "VARCHAR", v: "BIGINT" } })
      const load = (given: ReadonlyArray<object>) =>
        run({ name: "things", source: source(given), sinks: { out } }, { journal: "temporary" })
      const stored = () => sql(out, "SELECT id, v FROM things ORDER BY v")
      await load([
        { id: "null", v: 1 },
        { id: null, v: 2 }
      ])

      await load([JSON.parse('"no row"'), { id: null, v: 3 }])
      expect(await stored()).toEqual([
        { id: "null", v: 1 },
        { id: null, v: 2 },
        { id: null, v: 3 }
      ])

      await load([{ id: null, v: 4 }])
      expect(await stored()).toEqual([{ id: null, v: 4 }])
    }))

  it("a row keeps its items where another row of its key was rejected before it", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine", nested: "tables" })
      await load([{ id: 1, list: [7], ok: true }])

      const report = await load([
        { id: 2, list: [1], ok: "no" },
        { id: 2, list: [3, 4], ok: false }
      ])

      expect(report.rows).toMatchObject({ things: 1, things__list: 2, things__rejects: 1 })
      expect(await sql(out, "SELECT _parent_id AS id, value FROM things__list ORDER BY value")).toEqual([
        { id: 2, value: 3 },
        { id: 2, value: 4 }
      ])
    }))

  it.each([[[{ n: 5 }]], [[]]] as const)(
    "items have the key of their rows as it is stored, where an old row of a wider key stays, items %j",
    (items) =>
      inFolder(async (folder) => {
        const out = place(folder, "replace")
        const nested = "tables"
        await loading(out, { nested })([{ id: "é", list: [{ n: 1 }] }])

        const given: ReadonlyArray<object> = [{ id: 1, list: items }, JSON.parse('"no row"')]
        const columns = { id: "BIGINT", list: "STRUCT(n BIGINT)[]" }
        const source = rows(given, { table: "things", key: "id", columns })
        await run({ name: "things", source, sinks: { out }, table: { nested } }, { journal: "temporary" })

        const join = "SELECT things.id, n FROM things JOIN things__list ON _parent_id = things.id ORDER BY n"
        expect(await sql(out, join)).toEqual([{ id: "é", n: 1 }, ...items.map(({ n }) => ({ id: "1", n }))])
        const untouched = { id: 2, list: [{ n: 7 }] }
        await loading(out, { nested })([untouched])
        expect(await sql(out, join)).toEqual([{ id: 2, n: 7 }])
      })
  )

  it("a rejected row without a key leaves the rows that it may be about", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine" })
      await load([
        { id: 1, v: 1 },
        { id: 2, v: 2 },
        { id: null, v: 3 }
      ])

      const report = await load([
        { id: 1, v: 4 },
        { id: null, v: "no number" }
      ])

      expect(report.rows).toMatchObject({ things: 1, things__rejects: 1 })
      expect(await sql(out, "SELECT id, v FROM things ORDER BY v")).toEqual([
        { id: 2, v: 2 },
        { id: null, v: 3 },
        { id: 1, v: 4 }
      ])
    }))

  it("a rejected row whose key the stored column cannot hold is only rejected", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = loading(out, { contract: "quarantine" })
      await load([{ id: 1, v: 1 }])

      const report = await load([
        { id: "A", v: 2 },
        { id: "B", v: 3 }
      ])

      expect(report.status).toBe("held")
      expect(await sql(out, "SELECT id, v FROM things")).toEqual([{ id: 1, v: 1 }])
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

  it("a quarantined column of numbers takes no moments, and one of moments no numbers", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out, { contract: "quarantine" })
      const day = new Date("2026-01-01T00:00:00Z")
      await load([{ id: 1, n: 5, at: day, list: [1] }])

      const report = await load([
        { id: 2, n: day, at: null, list: null },
        { id: 3, n: null, at: 2n ** 60n, list: null },
        { id: 4, n: null, at: null, list: [day] },
        { id: 5, n: null, at: null, list: null }
      ])

      expect(report.rows).toMatchObject({ things: 1, things__rejects: 3 })
      expect(await sql(out, "SELECT id, n, list FROM things ORDER BY id")).toEqual([
        { id: 1, n: 5, list: [1] },
        { id: 5, n: null, list: null }
      ])
      expect(await sql(out, "SELECT reason FROM things__rejects ORDER BY reason")).toEqual([
        { reason: "column at: it is BIGINT, and TIMESTAMP in the destination" },
        { reason: "column list: it is TIMESTAMP[], and BIGINT[] in the destination" },
        { reason: "column n: it is TIMESTAMP, and BIGINT in the destination" }
      ])
    }))

  it("a stored number that a double cannot hold stays as it is when fractions come", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out)
      await load([
        { id: 1, n: 9007199254740993n, all: 1n },
        { id: 2, n: 7, all: 2 }
      ])

      await load([{ id: 3, n: 0.5, all: 0.5 }])
      await load([{ id: 4, n: 9007199254740993n, all: 3 }])

      expect(
        await sql(out, 'SELECT id, n, typeof(n) AS type, "all", typeof("all") AS wide FROM things ORDER BY id')
      ).toEqual([
        { id: 1, n: "9007199254740993", type: "JSON", all: 1, wide: "DOUBLE" },
        { id: 2, n: 7, type: "JSON", all: 2, wide: "DOUBLE" },
        { id: 3, n: 0.5, type: "JSON", all: 0.5, wide: "DOUBLE" },
        { id: 4, n: "9007199254740993", type: "JSON", all: 3, wide: "DOUBLE" }
      ])
    }))

  it("a number that a double cannot hold and a fraction of one run are both kept", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")

      const report = await loading(out)([
        { id: 1, n: 9007199254740993n, all: 1n },
        { id: 2, n: 0.5, all: 0.5 }
      ])

      expect(report.rows).toMatchObject({ things: 2, things__rejects: 0 })
      expect(await sql(out, 'SELECT id, n, "all" FROM things ORDER BY id')).toEqual([
        { id: 1, n: "9007199254740993", all: 1 },
        { id: 2, n: 0.5, all: 0.5 }
      ])
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

  it("a column of the user's fingerprint becomes null, and a name that nobody knows is refused", () =>
    inFolder(async (folder) => {
      const out = place(folder, "scd2")
      await loading(out, { fingerprint: ["b"] })(before)

      await loading(out, { fingerprint: ["b"] })([{ id: 1, a: 5, b: null }])

      expect(await versions(out)).toEqual([
        { id: 1, a: 1, b: 2, is_current: false },
        { id: 1, a: 5, b: null, is_current: true },
        { id: 2, a: 1, b: 3, is_current: true }
      ])
      await expect(loading(out, { fingerprint: ["price"] })(before)).rejects.toThrow(
        "table things has no column price, which its fingerprint names; name one of its columns"
      )
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

describe.each(
  Object.entries(places).flatMap(([name, place]) =>
    (name.startsWith("files")
      ? (["append", "replace"] as const)
      : (["append", "replace", "merge", "scd2"] as const)
    ).map((write) => [name, write, place] as const)
  )
)("%s, under write: %s, names of which several lead to one column", (destination, write, place) => {
  const long = "a name that is longer than the sixty-three bytes which Postgres keeps of it"
  const kinds: ReadonlyArray<readonly [string, readonly [string, string]]> = [
    ["spelled otherwise", ["Net Price", "net-price"]],
    ["in upper and lower case", ["Price", "PRICE"]],
    ["composed and not", ["Caf\u00e9 1", "Cafe\u0301 1"]],
    ["with a blank behind", ["Price", "Price "]],
    ["that are cut", [`${long} 1`, `${long} 2`]],
    ["without letters", ["\u{1F600}", "\u{1F601}"]]
  ]
  it.each(sampleOf(kinds, 1, ([kind]) => `${destination} ${write} ${kind}`))(
    "%s, keep their columns when others come, go, and come first",
    (_, [one, other]) =>
      inFolder(async (folder) => {
        const out = place(folder, write)
        const load = loading(out)
        await load([{ id: 1, [one]: 11 }])
        await load([{ [other]: 22, id: 2, [one]: 12 }])
        await load([{ [other]: 23, id: 3 }])
        await load([{ [one]: 14, [other]: 24, id: 4 }])

        const found = await sql(out, "SELECT * FROM things ORDER BY id")
        /** The column of the values that are this many tens. */
        const columnOf = (tens: number) =>
          Object.keys(found[0] ?? {}).find((name) =>
            found.some((row) => Math.floor(Number(row[name]) / 10) === tens)
          ) ?? ""
        const [first, second] = [columnOf(1), columnOf(2)]
        const stored = [
          { id: 1, [first]: 11, [second]: null },
          { id: 2, [first]: 12, [second]: 22 },
          { id: 3, [first]: null, [second]: 23 },
          { id: 4, [first]: 14, [second]: 24 }
        ]
        expect(found.map((row) => ({ id: row["id"], [first]: row[first], [second]: row[second] }))).toEqual(
          write === "replace" ? stored.slice(-1) : stored
        )
      })
  )
})

describe.each(["duckdb", "sqlite", "the lake"] as const)("%s", (where) => {
  it.each(["scd2", "replace"] as const)("under %s a key that a quarantined table cannot hold is a reject", (write) =>
    inFolder(async (folder) => {
      const out = places[where](folder, write)
      const load = loading(out, { contract: "quarantine" })
      await load([{ id: 1, a: 1 }])

      expect(await load([{ id: "A", a: 1 }])).toMatchObject({ status: "held" })

      expect(await sql(out, "SELECT id, a FROM things")).toEqual([{ id: 1, a: 1 }])
    })
  )
})

describe.each(Object.entries(places).filter(([name]) => !name.startsWith("files of")))("%s", (_, place) => {
  const showing = [{ id: 1, list: [1], struct: { a: 1, b: "x" }, deep: [{ tags: ["y"] }] }]
  const empty = [{ id: 2, list: [], struct: {}, deep: [{ tags: [null] }] }]

  it.each(["evolve", "quarantine", "freeze"] as const)(
    "an empty list and an empty object widen nothing, and fit the columns of a table under contract: %s",
    (contract) =>
      inFolder(async (folder) => {
        const out = place(folder, "append")
        const load = loading(out, { contract })
        await load(showing)

        expect(await load(empty)).toMatchObject({ status: "done", rows: { things: 1, things__rejects: 0 } })
        expect(await load([{ id: 3, struct: { b: "z" } }])).toMatchObject({ rows: { things: 1, things__rejects: 0 } })

        expect(await sql(out, "SELECT * EXCLUDE (_run_id) FROM things ORDER BY id")).toEqual([
          ...showing,
          { id: 2, list: [], struct: { a: null, b: null }, deep: [{ tags: [null] }] },
          { id: 3, list: null, struct: { a: null, b: "z" }, deep: null }
        ])
      })
  )

  it("a table of empty lists has items of the type that it had", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = loading(out, { nested: "tables", contract: "freeze" })
      await load(showing)
      await load(empty)

      expect(await sql(out, "SELECT typeof(value) AS type, value FROM things__list")).toEqual([
        { type: "BIGINT", value: 1 }
      ])
    }))

  it("rows without a key that are replaced leave no items, also if the new rows have no lists", () =>
    inFolder(async (folder) => {
      const out = place(folder, "replace")
      const load = (objects: Objects) =>
        run(
          { name: "things", source: rows(objects, { table: "things" }), sinks: { out }, table: { nested: "tables" } },
          { journal: "temporary" }
        )
      await load([{ v: 1, list: [1, 2] }])

      await load([{ v: 2 }])
      expect(await sql(out, "SELECT value FROM things__list")).toEqual([])

      await load([{ v: 3, list: [3] }])
      expect(await sql(out, "SELECT value FROM things__list")).toEqual([{ value: 3 }])

      // A row that is rejected is none of the stored rows, so none of them stays for it.
      const odd = [
        { v: 4, list: [4] },
        { v: "x", list: [5] }
      ]
      const source = rows(odd, { table: "things", columns: { v: "BIGINT", list: "BIGINT[]" } })
      await run({ name: "things", source, sinks: { out }, table: { nested: "tables" } }, { journal: "temporary" })
      expect(await sql(out, "SELECT v FROM things")).toEqual([{ v: 4 }])
      expect(await sql(out, "SELECT value FROM things__list")).toEqual([{ value: 4 }])
    }))

  it("a quarantined table without a key takes rows of a run that has no lists", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = (objects: Objects) => {
        const source = rows(objects, { table: "things" })
        const table = { nested: "tables", contract: "quarantine" } as const
        return run({ name: "things", source, sinks: { out }, table }, { journal: "temporary" })
      }
      await load([{ v: 1, list: [1] }])

      expect(await load([{ v: 2 }])).toMatchObject({ status: "done", rows: { things: 1 } })
    }))

  it("a quarantined moment takes a null of a column that has another type in this run", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      const load = (objects: Objects, type: "TIMESTAMP" | "BOOLEAN") => {
        const source = rows(objects, { table: "things", columns: { at: type } })
        return run(
          { name: "things", source, sinks: { out }, table: { contract: "quarantine" } },
          { journal: "temporary" }
        )
      }
      await load([{ at: new Date(0) }], "TIMESTAMP")

      expect(await load([{ at: null }], "BOOLEAN")).toMatchObject({ status: "done", rows: { things: 1 } })
    }))

  it("rows that are read anew and have other items than the destination are rejected", () =>
    inFolder(async (folder) => {
      const out = place(folder, "append")
      await loading(out)([{ id: 1, list: [1] }])
      const batches: ReadonlyArray<Objects> = [
        [{ id: 2, list: [] }],
        [
          { id: 3, list: [] },
          { id: 4, list: ["x"] }
        ]
      ]
      let read = -1
      const source = rows(() => batches[++read] ?? [], { table: "things", key: "id" })
      const pipeline = Pipeline.make({ name: "things", source, sinks: { out } })
      await run(pipeline, { journal: "temporary" })

      const report = await run(pipeline, { journal: "temporary" })

      expect(report).toMatchObject({ status: "done", rows: { things: 1, things__rejects: 1 } })
      expect(await sql(out, "SELECT id FROM things ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
      expect(await sql(out, "SELECT path, reason FROM things__rejects")).toEqual([
        { path: "list", reason: 'column list: "x" is not a valid BIGINT' }
      ])
    }))
})

describe.each(Object.entries(places).filter(([name]) => !name.startsWith("files of")))("%s", (_, place) => {
  it.each(["merge", "scd2", "replace", "append"] as const)(
    "lists whose names lead to one column have a table each under write: %s, in whatever order they come",
    (write) =>
      inFolder(async (folder) => {
        if (place === places.files && (write === "merge" || write === "scd2")) return
        const out = place(folder, write)
        const load = loading(out, { nested: "tables" })
        const items = async (table: string) =>
          (await sql(out, `SELECT value FROM ${table} ORDER BY _run_id, value`)).map(({ value }) => value)
        await load([{ id: 1, "Net Price": [1], "Net Size": { x: [5] } }])
        const report = await load([{ id: 2, "net-price": [2, 3], "net-size": { x: [6] } }])
        await load([{ id: 3, "net-price": [4], "Net Price": [7] }])

        expect(report).toMatchObject({ status: "done", rows: { things__net_price: 2 } })
        const isWhole = write === "replace"
        expect(await items("things__net_price")).toEqual(isWhole ? [7] : [1, 7])
        expect(await items("things__net_price_1atbhag")).toEqual(isWhole ? [4] : [2, 3, 4])
        expect(await items("things__net_size__x")).toEqual(isWhole ? [] : [5])
        expect(await items(`things__${marked("net-size")}__x`)).toEqual(isWhole ? [] : [6])
      })
  )
})

/** The columns of a table as the registry of each destination records them. */
const registries = {
  duckdb: (folder: string, table: string) => recordedIn(duckdb.with({ path: join(folder, "t.duckdb") }), table),
  sqlite: (folder: string, table: string) => recordedIn(sqlite.with({ path: join(folder, "t.sqlite") }), table),
  "the lake": async (folder: string, table: string) => {
    const manifests = join(folder, "lake", "_manifest")
    const newest = readdirSync(manifests)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .at(-1)
    return JSON.parse(readFileSync(join(manifests, newest ?? ""), "utf8")).tables[table].registry
  }
}

const recordedIn = async (out: Destination, table: string) => {
  const [row] = await sql(out, `SELECT columns FROM _millrace_tables WHERE table_name = '${table}'`)
  return JSON.parse(String(row?.["columns"])).columns
}

describe.each(Object.entries(registries))("the registry of columns in %s", (where, recorded) => {
  it("says what a history compares, what the last run was allowed to change, and whose items a table has", () =>
    inFolder(async (folder) => {
      const load = (objects: Objects, table: object) =>
        loading(places[where as keyof typeof registries](folder, "scd2"), { nested: "tables", ...table })(objects)
      const marks = async (table: string, mark: string) =>
        (await recorded(folder, table)).flatMap((column: Readonly<Record<string, unknown>>) =>
          mark in column ? [`${String(column["name"])} ${String(column[mark])}`] : []
        )
      await load([{ id: 1, a: 1, tags: ["x"] }], {})
      expect(await marks("things", "compared")).toEqual(["a true", "tags__digest true"])
      expect(await marks("things", "contract")).toEqual([])
      expect(await marks("things__tags", "parent")).toEqual(["_parent_id things,id"])
      expect(await marks("things__tags", "key")).toEqual(["_parent_id true", "_index true"])

      await load([{ id: 1, a: 2 }], { contract: "quarantine" })
      expect(await marks("things", "compared")).toEqual(["a true", "tags__count true", "tags__digest true"])
      expect(await marks("things", "contract")).toEqual(
        ["id", "a", "_run_id", "valid_from", "valid_to", "is_current"].map((name) => `${name} quarantine`)
      )
      expect(await marks("things__tags", "parent")).toEqual(["_parent_id things,id"])

      await load([{ id: 1, a: 3 }], { fingerprint: ["a"] })
      expect(await marks("things", "compared")).toEqual(["a true"])
      expect(await marks("things", "contract")).toEqual([])
    }))
})

describe.each(Object.entries(places).filter(([name]) => !name.startsWith("files")))("%s", (_, place) => {
  const warningsOf = ({ warnings }: Awaited<ReturnType<ReturnType<typeof loading>>>) =>
    warnings.map(({ message }) => message)

  it("a table that was frozen evolves once the user says so, and the run says it once", () =>
    inFolder(async (folder) => {
      const out = place(folder, "merge")
      await loading(out, { contract: "freeze" })([{ id: 1, v: 1 }])

      const report = await loading(out)([{ id: 2, v: "x" }])

      expect(warningsOf(report)).toEqual([
        "sink out: table things had contract: freeze until this run, which has contract: evolve"
      ])
      expect(await sql(out, "SELECT id, v FROM things ORDER BY id")).toEqual([
        { id: 1, v: "1" },
        { id: 2, v: "x" }
      ])
      expect(warningsOf(await loading(out)([{ id: 3, v: "y" }]))).toEqual([])
      expect(warningsOf(await loading(out, { contract: "freeze" })([{ id: 3, v: "y" }]))).toEqual([])
    }))

  it("a column that comes into the fingerprint or leaves it makes no version of an equal row, and the run says it", () =>
    inFolder(async (folder) => {
      const out = place(folder, "scd2")
      const versions = async () =>
        (await sql(out, "SELECT id, a, b FROM things ORDER BY id, valid_from")).map(({ a, b, id }) => [id, a, b])
      const load = (fingerprint: ReadonlyArray<string>, objects: Objects) => loading(out, { fingerprint })(objects)
      await load(
        ["a"],
        [
          { id: 1, a: 1, b: 1 },
          { id: 2, a: 1, b: 1 }
        ]
      )
      await load(
        ["a"],
        [
          { id: 1, a: 1, b: 1 },
          { id: 2, a: 1, b: 2 }
        ]
      )
      expect(await versions()).toEqual([
        [1, 1, 1],
        [2, 1, 1]
      ])

      const more = await load(
        ["a", "b"],
        [
          { id: 1, a: 1, b: 1 },
          { id: 2, a: 1, b: 2 }
        ]
      )
      expect(warningsOf(more)).toEqual([
        "sink out: the history of table things compares b from this run on, also with values that changed before it"
      ])
      expect(await versions()).toEqual([
        [1, 1, 1],
        [2, 1, 1],
        [2, 1, 2]
      ])

      const fewer = await load(
        ["b"],
        [
          { id: 1, a: 5, b: 1 },
          { id: 2, a: 1, b: 3 }
        ]
      )
      expect(warningsOf(fewer)).toEqual(["sink out: the history of table things no longer compares a"])
      expect(await versions()).toEqual([
        [1, 1, 1],
        [2, 1, 1],
        [2, 1, 2],
        [2, 1, 3]
      ])
    }))

  it("a fingerprint goes on with the column that it named, if another name comes for its column", () =>
    inFolder(async (folder) => {
      const out = place(folder, "scd2")
      const load = loading(out, { fingerprint: ["net_price"] })
      await load([{ id: 1, "Net Price": 1 }])
      await load([{ id: 1, "net-price": 2 }])
      await load([{ id: 1, "net-price": 3 }])

      expect(await sql(out, "SELECT net_price, net_price_1atbhag, is_current FROM things ORDER BY valid_from")).toEqual(
        [
          { net_price: 1, net_price_1atbhag: null, is_current: expect.toSatisfy((is) => !is) },
          { net_price: null, net_price_1atbhag: 2, is_current: expect.toSatisfy(Boolean) }
        ]
      )
    }))
})

describe("the registry of columns in DuckDB", () => {
  const inDuckDb = (use: (path: string, load: ReturnType<typeof loading>) => Promise<void>) => () =>
    inFolder((folder) => {
      const path = join(folder, "t.duckdb")
      return use(path, loading(duckdb.with({ path, write: "merge" })))
    })
  const things = (path: string) => sql(duckdb.with({ path }), "SELECT * EXCLUDE (_run_id) FROM things ORDER BY id")
  const two = [{ id: 1, "Net Price": 11, "net-price": 12 }]

  it(
    "says whose each column is, and the types that it has had",
    inDuckDb(async (path, load) => {
      await load([{ id: 1, "Net Price": 11 }])
      await load([{ id: 2, "Net Price": 0.5, n: 1 }])

      const [{ columns = "" } = {}] = await sql(duckdb.with({ path }), "SELECT columns FROM _millrace_tables LIMIT 1")
      const known = JSON.parse(String(columns))
      expect(known.version).toBe(1)
      expect(
        known.columns.map(({ from, name, types }: { from?: string; name: string; types: Array<Array<string>> }) => [
          name,
          from,
          types.map(([type]) => type)
        ])
      ).toEqual([
        ["id", undefined, ["BIGINT"]],
        ["net_price", "Net Price", ["BIGINT", "DOUBLE"]],
        ["_run_id", undefined, ["VARCHAR"]],
        ["n", undefined, ["BIGINT"]]
      ])
    })
  )

  it(
    "is made anew of the stored columns where somebody has deleted it",
    inDuckDb(async (path, load) => {
      await load(two)
      await alter(path, "DROP TABLE _millrace_tables")

      await load([{ id: 2, "Net Price": 21 }])

      expect(Object.keys((await things(path))[0] ?? {})).toEqual(["id", "net_price_0d9guid", "net_price_1atbhag"])
      expect((await things(path)).at(-1)).toEqual({ id: 2, net_price_0d9guid: 21, net_price_1atbhag: null })
    })
  )

  it(
    "takes over the names that an older version recorded",
    inDuckDb(async (path, load) => {
      await load([{ id: 1, "Net Price": 11 }])
      await alter(path, `UPDATE _millrace_tables SET columns = '["id","net_price","_run_id"]'`)

      await load([{ id: 2, "Net Price": 21 }])
      await load(two)

      expect(await things(path)).toEqual([
        { id: 1, net_price: 11, net_price_1atbhag: 12 },
        { id: 2, net_price: 21, net_price_1atbhag: null }
      ])
    })
  )

  it(
    "keeps the table of a list whose name an older version did not record",
    inDuckDb(async (path) => {
      const load = loading(duckdb.with({ path, write: "merge" }), { nested: "tables" })
      await load([{ id: 1, "Net Price": [1] }])
      await alter(path, `UPDATE _millrace_tables SET columns = replace(columns, '"from":"Net Price__count",', '')`)

      await load([{ id: 2, "Net Price": [2] }])
      await load([{ id: 3, "net-price": [3] }])

      const items = (table: string) => sql(duckdb.with({ path }), `SELECT value FROM ${table} ORDER BY value`)
      expect(await items("things__net_price")).toEqual([{ value: 1 }, { value: 2 }])
      expect(await items("things__net_price_1atbhag")).toEqual([{ value: 3 }])
    })
  )

  it(
    "of a newer version is refused, and nothing changes",
    inDuckDb(async (path, load) => {
      await load([{ id: 1, v: 1 }])
      const newer = `{"version":2,"columns":{"id":"of another shape"}}`
      await alter(path, `UPDATE _millrace_tables SET columns = '${newer}'`)

      await expect(load([{ id: 2, v: 2 }])).rejects.toThrow(
        "the columns of table things are recorded by a newer version of Millrace; update this one, or write another table"
      )

      expect(await things(path)).toEqual([{ id: 1, v: 1 }])
      expect(
        await sql(duckdb.with({ path }), "SELECT DISTINCT columns FROM _millrace_tables WHERE table_name = 'things'")
      ).toEqual([{ columns: newer }])
    })
  )

  it(
    "holds a table of 1,600 columns",
    inDuckDb(async (path, load) => {
      const wide = (id: number, from: number) => ({
        id,
        ...Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`Column ${from + at}`, id]))
      })
      await load([wide(1, 0)])
      await load([wide(2, 800)])

      const [counted] = await sql(
        duckdb.with({ path }),
        "SELECT count(*)::INTEGER AS n FROM duckdb_columns() WHERE table_name = 'things'"
      )
      expect(counted).toEqual({ n: 1602 })
    })
  )
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
