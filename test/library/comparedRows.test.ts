/** Rows that somebody changed by hand, found by the hash that each run recorded: in each database, and with each disposition. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { postgres } from "#connectors/postgres/index"
import { engine } from "#library/services"
import { rows, run, type Spec } from "../../src/index.ts"
import { alter, inFolder } from "../app/millrace.ts"
import { databaseUrl } from "../connectors/postgres/database.ts"

const url = (await databaseUrl()) ?? ""

const writes = ["append", "replace", "merge", "scd2"] as const
type Write = (typeof writes)[number]

/** A database with its sink, and how somebody else changes it. */
interface Place {
  readonly sink: (write: Write) => Spec["sinks"][string]
  readonly alter: (sql: string) => Promise<void>
}

const places = {
  duckdb: (folder: string): Place => {
    const path = join(folder, "t.duckdb")
    return { sink: (write) => duckdb.with({ path, write }), alter: (sql) => alter(path, sql) }
  },
  ...(url === "" ? {} : { postgres: (): Place => inPostgres(`s${randomUUID().slice(0, 8)}`) })
}

const inPostgres = (schema: string): Place => ({
  sink: (write) => postgres.with({ url: Redacted.make(url), schema, write }),
  alter: async (sql) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`SET search_path = "${schema}"`)
    await client.query(sql)
    await client.end()
  }
})

type Objects = ReadonlyArray<Readonly<Record<string, unknown>>>

const pipeline = (place: Place, folder: string, write: Write) => {
  const out = place.sink(write)
  const load = async (objects: Objects, table: Spec["table"] = {}): Promise<string> => {
    const source = rows(objects, { table: "things", key: "id" })
    const spec: Spec = {
      name: "things",
      directory: folder,
      source,
      sinks: { out },
      table: { nested: "tables", ...table }
    }
    const report = await run(spec, { journal: "temporary" })
    expect(report).toMatchObject({ status: "done" })
    return report.runId
  }
  const compared = () => Effect.runPromise(Effect.provide(out.compareRows?.(folder) ?? Effect.succeed([]), engine))
  /** What is not as it was written: tables and runs. */
  const differing = async () =>
    (await compared()).flatMap(({ recorded, run, table }) => (recorded === undefined ? [] : [`${table} ${run}`]))
  return { load, compared, differing }
}

const first = [
  { id: 1, v: "a", n: 1, tags: ["x", "y"] },
  { id: 2, v: "", n: null, tags: [] },
  { id: 3, v: "c", n: 3, tags: ["z"] }
]
const second = [
  { id: 1, v: "a", n: 1, tags: ["x", "y"] },
  { id: 3, v: "other", n: 3, tags: ["z", "w"] },
  { id: 4, v: "new", n: 4, tags: ["x"] }
]

describe.each(Object.entries(places))("%s", (_, placeIn) => {
  it.each(writes)("one value that was changed by hand is found, and nothing before: %s", (write) =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, differing, load } = pipeline(place, folder, write)
      const one = await load(first)
      const two = await load(second)
      const all = await compared()
      expect(all.filter(({ notCompared, recorded }) => notCompared !== undefined || recorded !== undefined)).toEqual([])
      expect(new Set(all.map(({ table }) => table))).toEqual(new Set(["things", "things__tags"]))
      expect(new Set(all.map(({ run }) => run))).toEqual(new Set(write === "replace" ? [two] : [one, two]))

      await place.alter("UPDATE things SET v = 'changed' WHERE id = 4")
      expect(await differing()).toEqual([`things ${two}`])
      await place.alter("UPDATE things SET v = 'new' WHERE id = 4")
      expect(await differing()).toEqual([])
    })
  )

  it.each(writes)("a value of a list that was changed, a null made empty, and swapped cells are found: %s", (write) =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { differing, load } = pipeline(place, folder, write)
      const only = await load(first)
      const damages = [
        [
          "UPDATE things__tags SET value = 'q' WHERE value = 'z'",
          "UPDATE things__tags SET value = 'z' WHERE value = 'q'"
        ],
        ["UPDATE things SET v = NULL WHERE id = 2", "UPDATE things SET v = '' WHERE id = 2"],
        [
          "UPDATE things SET v = CASE id WHEN 1 THEN 'c' ELSE 'a' END WHERE id IN (1, 3)",
          "UPDATE things SET v = CASE id WHEN 1 THEN 'a' ELSE 'c' END WHERE id IN (1, 3)"
        ]
      ]
      for (const [damage = "", back = ""] of damages) {
        await place.alter(damage)
        expect(await differing()).toEqual([`${damage.includes("tags") ? "things__tags" : "things"} ${only}`])
        await place.alter(back)
        expect(await differing()).toEqual([])
      }
    })
  )

  it("a row that was exchanged for a copy of another is found, though the rows are as many", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { differing, load } = pipeline(place, folder, "append")
      const only = await load([
        { id: 1, v: "a" },
        { id: 1, v: "a" },
        { id: 2, v: "b" }
      ])
      await place.alter("UPDATE things SET id = 2, v = 'b' WHERE id = 1")
      expect(await differing()).toEqual([`things ${only}`])
    }))

  it("a column that a later run adds changes no hash of the rows before it", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, differing, load } = pipeline(place, folder, "merge")
      const one = await load([
        { id: 1, v: "a" },
        { id: 2, v: "b" }
      ])
      await load([{ id: 2, v: "b", w: 2, list: [1] }])
      expect((await compared()).filter((run) => run.notCompared !== undefined)).toEqual([])
      await place.alter("UPDATE things SET w = 5 WHERE id = 1")
      expect(await differing()).toEqual([`things ${one}`])
    }))

  it("rows from before a column was widened are not compared, which is no fault", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, differing, load } = pipeline(place, folder, "merge")
      const one = await load([
        { id: 1, v: 1 },
        { id: 2, v: 2 }
      ])
      const two = await load([{ id: 2, v: 2.5 }])
      expect(await compared()).toMatchObject([
        { run: one, rows: 1, notCompared: "columns" },
        { run: two, rows: 1 }
      ])
      await place.alter("UPDATE things SET v = 3.5 WHERE id = 2")
      expect(await differing()).toEqual([`things ${two}`])
    }))

  it("a column of somebody else is no part of the hash, and one that a run begins to write is not compared before it", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, differing, load } = pipeline(place, folder, "merge")
      const one = await load([
        { id: 1, v: "a" },
        { id: 2, v: "b" }
      ])
      await place.alter("ALTER TABLE things ADD COLUMN note TEXT")
      await place.alter("UPDATE things SET note = 'mine'")
      expect(await differing()).toEqual([])
      const two = await load([{ id: 2, v: "b", note: "theirs" }])
      expect(await compared()).toMatchObject([
        { run: one, notCompared: "columns" },
        { run: two, rows: 1 }
      ])
      expect(await differing()).toEqual([])
    }))

  it("a row that was changed before a later run replaced it is named, and nothing of the rows of that run", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, differing, load } = pipeline(place, folder, "merge")
      const one = await load([
        { id: 1, v: "a" },
        { id: 2, v: "b" }
      ])
      await place.alter("UPDATE things SET v = 'changed' WHERE id = 2")
      await load([{ id: 2, v: "b" }])
      expect(await differing()).toEqual([`things ${one}`])
      expect(await compared()).toMatchObject([{ run: one, rows: 1, isChanged: true }, { rows: 1 }])
      await load([{ id: 1, v: "c" }])
      expect(await differing()).toEqual([])
    }))

  it("zeros of both signs, in columns and in objects, are what was written", () =>
    inFolder(async (folder) => {
      const { compared, load } = pipeline(placeIn(folder), folder, "append")
      const zeros = Array.from({ length: 3000 }, (_, id) => {
        const z = id === 7 ? 0.5 : id % 2 === 0 ? -0 : 0
        return { id, z, o: { z } }
      })
      const only = await load(zeros, { nested: "struct" })
      await load([{ id: 1, z: 1.5, o: { z: 1.5 } }], { nested: "struct" })
      expect(await compared()).toMatchObject([{ run: only, rows: 3000 }, { rows: 1 }])
      expect((await compared()).filter(({ notCompared, recorded }) => notCompared ?? recorded)).toEqual([])
    }))

  it("a database from before there were hashes gets them with its next commit", () =>
    inFolder(async (folder) => {
      const place = placeIn(folder)
      const { compared, load } = pipeline(place, folder, "merge")
      const one = await load(first)
      await place.alter("ALTER TABLE _millrace_loads DROP COLUMN row_hashes")
      expect(new Set((await compared()).map(({ notCompared }) => notCompared))).toEqual(new Set(["unrecorded"]))
      const two = await load(second)
      const things = (await compared()).filter(({ table }) => table === "things")
      expect(things).toMatchObject([
        { run: one, rows: 2, notCompared: "unrecorded" },
        { run: two, rows: 2 }
      ])
      expect(things[1]).not.toHaveProperty("notCompared")
    }))
})

it("rows that DuckDB hashed in another way, or filled from a default, are not compared, and it is said why", () =>
  inFolder(async (folder) => {
    const place = places.duckdb(folder)
    const { compared, load } = pipeline(place, folder, "append")
    const one = await load([{ id: 1, v: "a", w: "b" }])
    await place.alter("ALTER TABLE things ALTER w SET DEFAULT 'z'")
    const two = await load([{ id: 2, v: "a" }])
    expect(await compared()).toMatchObject([
      { run: one, rows: 1 },
      { run: two, rows: 1, notCompared: "untold" }
    ])
    await place.alter(`UPDATE _millrace_loads SET row_hashes = replace(row_hashes, '"method":"', '"method":"9')`)
    expect((await compared()).map(({ notCompared }) => notCompared)).toEqual(["method", "untold"])
  }))
