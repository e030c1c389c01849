/** scd2 with `nested: tables`: what a reader finds who joins children to the versions of their row. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { memory } from "#connectors/memory/index"
import { parquet } from "#connectors/parquet/index"
import { postgres } from "#connectors/postgres/index"
import { sqlite } from "#connectors/sqlite/index"
import { rows, run, type Spec, sql } from "../../src/index.ts"
import { inFolder } from "../app/millrace.ts"
import { databaseUrl } from "../connectors/postgres/database.ts"

type Objects = ReadonlyArray<Readonly<Record<string, unknown>>>
type Destination = Exclude<Parameters<typeof sql>[0], string>

const url = (await databaseUrl()) ?? ""
const how = { write: "scd2", removed: "close" } as const

/** The destinations, each in this folder. */
const places: Readonly<Record<string, (folder: string) => Destination>> = {
  duckdb: (folder) => duckdb.with({ path: join(folder, "t.duckdb"), ...how }),
  sqlite: (folder) => sqlite.with({ path: join(folder, "t.sqlite"), ...how }),
  "the lake": (folder) => parquet.with({ path: join(folder, "lake"), ...how }),
  ...(url === ""
    ? {}
    : {
        postgres: () => postgres.with({ url: Redacted.make(url), schema: `s${randomUUID().slice(0, 8)}`, ...how })
      })
}

const runs = (out: Destination, folder: string, table: Spec["table"] = {}) => {
  const load = (objects: Objects, sinks: Spec["sinks"] = { out }) => {
    const source = rows(objects, { table: "things", key: "id" })
    const spec = { name: "things", directory: folder, source, sinks, table: { nested: "tables", ...table } } as const
    return run(spec, { journal: "temporary" })
  }
  const versions = async () =>
    (
      await sql(
        out,
        `SELECT p.id, p.title, t._index AS place, t.value AS tag,
          dense_rank() OVER (PARTITION BY p.id ORDER BY p.valid_from) AS version, p.is_current
        FROM things AS p LEFT JOIN things__tags AS t ON t._parent_id = p.id AND t.valid_from = p.valid_from
          AND t.valid_to IS NOT DISTINCT FROM p.valid_to AND t.is_current = p.is_current AND t._run_id = p._run_id
        ORDER BY p.id, version, place`
      )
    ).map(({ id, is_current, tag, title, version }) => {
      return `${id} v${version}${is_current === true || is_current === 1 ? " now" : ""}: ${title} ${tag}`
    })
  return { load, versions }
}

describe.each(Object.entries(places))("%s", (_, place) => {
  it("a change of a list alone is a new version, and each version has the items that it had", () =>
    inFolder(async (folder) => {
      const { load, versions } = runs(place(folder), folder)
      await load([
        { id: 1, title: "one", tags: ["a", "b"] },
        { id: 2, title: "two", tags: ["a"] },
        { id: 3, title: "three", tags: ["c"] }
      ])
      const report = await load([
        { id: 1, title: "one", tags: ["b", "a"] },
        { id: 2, title: "two", tags: ["a"] }
      ])
      expect(report).toMatchObject({ status: "done" })

      expect(await versions()).toEqual([
        "1 v1: one a",
        "1 v1: one b",
        "1 v2 now: one b",
        "1 v2 now: one a",
        "2 v1 now: two a",
        "3 v1: three c"
      ])
    }))

  it("a list that is not in the fingerprint makes no version, and its items are those of the version", () =>
    inFolder(async (folder) => {
      const { load, versions } = runs(place(folder), folder, { fingerprint: ["title"] })
      await load([{ id: 1, title: "one", tags: ["a", "b"] }])
      await load([{ id: 1, title: "one", tags: ["c"] }])
      expect(await versions()).toEqual(["1 v1 now: one a", "1 v1 now: one b"])

      await load([{ id: 1, title: "uno", tags: ["d"] }])

      expect(await versions()).toEqual(["1 v1: one a", "1 v1: one b", "1 v2 now: uno d"])
    }))

  it("a list that a row has no more ends with the version that had it", () =>
    inFolder(async (folder) => {
      const { load, versions } = runs(place(folder), folder)
      await load([{ id: 1, title: "one", tags: ["a"] }])

      await load([
        { id: 1, title: "one" },
        { id: 2, title: "two", tags: [null] }
      ])

      expect(await versions()).toEqual(["1 v1: one a", "1 v2 now: one null", "2 v1 now: two null"])
    }))

  it("a list that no row of a run has ends with the versions that had it", () =>
    inFolder(async (folder) => {
      const { load, versions } = runs(place(folder), folder)
      await load([
        { id: 1, title: "one", tags: ["a"] },
        { id: 2, title: "two", tags: ["b"] }
      ])

      await load([{ id: 1, title: "one" }])
      expect(await versions()).toEqual(["1 v1: one a", "1 v2 now: one null", "2 v1: two b"])

      await load([{ id: 1, title: "one", tags: ["c"] }])
      expect(await versions()).toEqual(["1 v1: one a", "1 v2: one null", "1 v3 now: one c", "2 v1: two b"])
    }))

  it("a list in a struct, and lists in its items, have the versions of their row", () =>
    inFolder(async (folder) => {
      const out = place(folder)
      const { load } = runs(out, folder)
      const offers = (price: number) => ({ id: 1, of: { offers: [{ prices: [price, 2] }] }, n: null, m: 1 })
      await load([offers(1)])
      await load([offers(1)])
      await load([offers(3)])

      const found = await sql(
        out,
        `SELECT c.value, c.is_current FROM things AS p JOIN things__of__offers AS o
          ON o._parent_id = p.id AND o.valid_from = p.valid_from JOIN things__of__offers__prices AS c
          ON c._parent_id = p.id AND c._parent_index = o._index AND c.valid_from = p.valid_from
        ORDER BY c.valid_from, c._index`
      )
      expect(found.map(({ value }) => value)).toEqual([1, 2, 3, 2])
    }))
})

const writes = {
  duckdb: (folder: string, write: "merge" | "replace") => duckdb.with({ path: join(folder, "t.duckdb"), write }),
  sqlite: (folder: string, write: "merge" | "replace") => sqlite.with({ path: join(folder, "t.sqlite"), write }),
  "the lake": (folder: string, write: "merge" | "replace") => parquet.with({ path: join(folder, "lake"), write }),
  ...(url === ""
    ? {}
    : {
        postgres: (folder: string, write: "merge" | "replace") =>
          postgres.with({ url: Redacted.make(url), schema: `s${folder.slice(-6).toLowerCase()}_${write}`, write })
      })
}

describe.each(Object.entries(writes))("%s", (_, place) => {
  it.each([
    ["merge", ["2 b"]],
    ["replace", []]
  ] as const)("%s: rows of a run in which no row has a list have no items of it", (write, expected) =>
    inFolder(async (folder) => {
      const out = place(folder, write)
      const { load } = runs(out, folder)
      const items = async () =>
        (await sql(out, "SELECT _parent_id AS id, value FROM things__tags ORDER BY id")).map(
          ({ id, value }) => `${String(id)} ${String(value)}`
        )
      await load([
        { id: 1, tags: ["a"] },
        { id: 2, tags: ["b"] }
      ])
      expect(await items()).toEqual(["1 a", "2 b"])

      await load([{ id: 1, n: 1 }])

      expect(await items()).toEqual(expected)
    })
  )
})

describe.each(Object.entries(writes))("%s", (_, place) => {
  it.each([
    ["merge", ["1 1", "2 7"], ["1 3", "2 4"]],
    ["replace", ["2 7"], ["2 4"]]
  ] as const)(
    "%s: lists whose names lead to one column have a table each, whichever comes first",
    (write, one, other) =>
      inFolder(async (folder) => {
        const out = place(folder, write)
        const { load } = runs(out, folder)
        const items = async (table: string) =>
          (await sql(out, `SELECT _parent_id AS id, value FROM ${table} ORDER BY id`)).map(
            ({ id, value }) => `${String(id)} ${String(value)}`
          )
        await load([{ id: 1, "Net Price": [1] }])
        await load([{ id: 2, "net-price": [2] }])
        await load([{ id: 1, "net-price": [3], "Net Price": [1] }])
        const report = await load([{ id: 2, "net-price": [4], "Net Price": [7] }])

        expect(report).toMatchObject({ status: "done" })
        expect(await items("things__net_price")).toEqual(one)
        expect(await items("things__net_price_1atbhag")).toEqual(other)
      })
  )
})

describe.each(Object.entries(writes))("%s", (_, place) => {
  it("items whose table comes later have the key of their row as it is stored", () =>
    inFolder(async (folder) => {
      const out = place(folder, "merge")
      const { load } = runs(out, folder)
      await load([{ id: "a", n: 1 }])
      await load([{ id: 1, tags: ["x"] }])
      await load([{ id: 1, tags: ["y"] }])

      expect(
        await sql(
          out,
          "SELECT p.id, t._parent_id AS of, t.value FROM things AS p JOIN things__tags AS t ON t._parent_id = p.id"
        )
      ).toEqual([{ id: "1", of: "1", value: "y" }])
    }))
})

describe.each(Object.entries(writes))("%s", (_, place) => {
  it("items of which a run has none take a wider key with their row", () =>
    inFolder(async (folder) => {
      const out = place(folder, "merge")
      const { load } = runs(out, folder)
      await load([{ id: 1, tags: ["x"] }])
      await load([{ id: "a" }])

      expect(
        await sql(out, "SELECT p.id, t.value FROM things AS p JOIN things__tags AS t ON t._parent_id = p.id")
      ).toEqual([{ id: "1", value: "x" }])
    }))
})

it("a sink that keeps no history has no digests", () =>
  inFolder(async (folder) => {
    const out = duckdb.with({ path: join(folder, "t.duckdb"), ...how })
    const merged = duckdb.with({ path: join(folder, "m.duckdb"), write: "merge" })
    const { load } = runs(out, folder)

    await load([{ id: 1, tags: ["a"] }], { out, merged, kept: memory.with({ name: folder, write: "replace" }) })

    const columnsOf = async (sink: Destination) => Object.keys((await sql(sink, "SELECT * FROM things"))[0] ?? {})
    expect(await columnsOf(merged)).toEqual(["id", "tags__count", "_run_id"])
    expect(await columnsOf(out)).toEqual([
      "id",
      "tags__count",
      "_run_id",
      "tags__digest",
      "valid_from",
      "valid_to",
      "is_current"
    ])
  }))
