import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { postgres } from "#connectors/postgres/index"
import { rows } from "#library/rows"
import { run } from "#library/run"
import { databaseUrl } from "./database.ts"
import { query } from "./readTable.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("a program that loads into Postgres", () => {
  it("writes a table again where the role quotes all identifiers, and gives the URL as plain text", async () => {
    const own = new URL(url ?? "")
    own.searchParams.set("options", "-c quote_all_identifiers=on")
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program in JavaScript passes
    const options = { url: own.href, write: "merge" } as unknown as Parameters<typeof postgres.with>[0]
    const load = (price: number) =>
      run(
        {
          name: "quoting",
          source: rows([{ id: 1, name: "lantern", price, tags: ["a"], at: new Date(0) }], {
            table: "quoting",
            key: "id"
          }),
          sinks: { db: postgres.with(options) }
        },
        { journal: "temporary" }
      )

    await load(1.5)
    const report = await load(2.5)

    expect(report.status).toBe("done")
    expect(await query(Redacted.make(url ?? ""), 'SELECT id, name, price FROM "quoting"')).toEqual([
      { id: "1", name: "lantern", price: 2.5 }
    ])
  })

  it("keeps what somebody has written into a column of their own, and calls no row changed for it", async () => {
    const db = postgres.with({ url: Redacted.make(url ?? ""), write: "merge" })
    const load = (objects: ReadonlyArray<object>) =>
      run(
        { name: "noting", source: rows(objects, { table: "noting", key: "id" }), sinks: { db } },
        { journal: "temporary" }
      )
    await load([
      { id: 1, v: 1 },
      { id: 2, v: 1 }
    ])
    await query(Redacted.make(url ?? ""), "ALTER TABLE noting ADD COLUMN note text")
    await query(Redacted.make(url ?? ""), "UPDATE noting SET note = 'mine ' || id")

    await load([
      { id: 1, v: 1 },
      { id: 2, v: 2 },
      { id: 3, v: 1 }
    ])

    expect(await query(Redacted.make(url ?? ""), "SELECT id, v, note FROM noting ORDER BY id")).toEqual([
      { id: "1", v: "1", note: "mine 1" },
      { id: "2", v: "2", note: "mine 2" },
      { id: "3", v: "1", note: null }
    ])
    expect(
      await query(Redacted.make(url ?? ""), "SELECT count(DISTINCT _run_id) AS runs FROM noting WHERE id > 1")
    ).toEqual([{ runs: "1" }])
  })
})
