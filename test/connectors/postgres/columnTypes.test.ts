import { isDeepStrictEqual } from "node:util"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf } from "#testing/SinkBench"
import { canonical, seed } from "#testing/specimens"
import { times } from "../../thoroughness.ts"
import { columnTypes } from "../columnTypes.ts"
import { databaseUrl, placeOf } from "./database.ts"
import { readTable } from "./readTable.ts"

const url = await databaseUrl()
const count = times(400, 5000)

/** What JSON says of a number that has no sign there: 0 for -0. */
const unsigned = (cell: unknown): unknown => {
  if (cell === 0) return 0
  if (Array.isArray(cell)) return cell.map(unsigned)
  if (typeof cell !== "object" || cell === null) return cell
  return Object.fromEntries(Object.entries(cell).map(([name, inner]) => [name, unsigned(inner)]))
}

const differences = (expected: ReadonlyArray<Table.Row>, read: ReadonlyArray<Table.Row>) =>
  Array.from({ length: Math.max(expected.length, read.length) }, (_, at) => [
    unsigned(expected[at]),
    unsigned(read[at])
  ])
    .filter(([row, other]) => !isDeepStrictEqual(row, other))
    .slice(0, 3)

describe.skipIf(url === undefined).each(columnTypes)("$type", ({ rowsFrom, table }) => {
  it.effect(
    `${count} rows come back from Postgres as they went in, but those that it cannot hold (MILLRACE_SEED=${seed})`,
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const place = placeOf(url ?? "", directory)
        const sink = postgres.with(place)
        const drawn = rowsFrom(seed, count)

        const rows = yield* Effect.scoped(
          Effect.gen(function* () {
            const tables = [{ table, write: "append" as const }]
            const writer = yield* sink.open({ pipeline: "suite", runId: "run", directory, evolve: true, tables })
            const rows = drawn.filter((row) => writer.rowError?.(table.name, row) === undefined)
            for (let at = 0; at < rows.length; at += 700)
              yield* writer.write(Table.batch(table, rows.slice(at, at + 700)))
            yield* writer.commit(commitOf("run", 1))
            return rows
          })
        )

        const expected = rows.map((row) => canonical(table, row))
        expect(rows.length).toBeGreaterThan(count / 4)
        expect(differences(expected, yield* readTable(place, table))).toEqual([])
        const seen = (yield* sink.rows(directory, table)).toSorted((a, b) => Number(a["id"]) - Number(b["id"]))
        expect(differences(expected, seen)).toEqual([])
      })
  )
})
