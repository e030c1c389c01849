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
})
