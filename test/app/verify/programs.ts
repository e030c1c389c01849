/** The schedule and the service of a folder: how they start again, and whether they have what they had. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Ledger } from "#engine/ScheduleLedger"
import * as ScheduleStore from "#engine/ScheduleStore"
import { task } from "../../engine/schedule/simulated.ts"
import { served } from "../../service/served.ts"

type Row = Readonly<Record<string, unknown>>

/** The rows of a database, by table. */
export type Rows = ReadonlyMap<string, ReadonlyArray<Row>>

/** The rows of all tables of a file. */
export const rowsOf = (file: string): Rows => {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#'"
    )
    .all()
    .map(({ name }) => String(name))
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).all()] as const)
  database.close()
  return new Map(rows)
}

/** The rows of a whole database that another one does not have with the same values, and that it does not name as set aside. */
export const unnamed = (whole: readonly [Rows, Rows], found: Rows): ReadonlyArray<string> => {
  const aside = found.get("set_aside") ?? []
  return [...whole[0]].flatMap(([table, rows]) => {
    // The texts of a file that was copied are as many changes as they are statements.
    if (table === "set_aside" || table === "schema_digest") return []
    // What two starts have differently, such as leases, says nothing of damage.
    const same = Object.keys(rows[0] ?? {}).filter(
      (column) => valuesOf(rows, column) === valuesOf(whole[1].get(table) ?? [], column)
    )
    const textOf = (row: Row) => JSON.stringify(same.map((column) => row[column]))
    const there = (found.get(table) ?? []).map(textOf)
    const missing = rows.map(textOf).filter((text) => {
      const at = there.indexOf(text)
      if (at !== -1) there.splice(at, 1)
      return at === -1
    })
    const named = aside.filter((one) => one["table"] === table)
    return named.length >= missing.length || named.some(({ key }) => key === "{}")
      ? []
      : missing.map((text) => `${table} ${text}`)
  })
}

const valuesOf = (rows: ReadonlyArray<Row>, column: string): string =>
  JSON.stringify(rows.map((row) => String(row[column])).sort())

interface Started {
  /** Why it did not start. */
  readonly fault?: string
  /** Whether it has all that it had. */
  readonly isWhole: boolean
}

/** Opens the schedule of a folder, and reads what waits. `turn`: decides on one more time. */
export const startSchedule = (folder: string, turn?: number): Promise<Started> => {
  const use = Effect.gen(function* () {
    const ledger = yield* Ledger
    for (const name of ["a", "b"]) {
      yield* ledger.adopt(task(name, "0 2 * * *"), 1000)
      const due = (turn ?? 0) * 1000
      const decided = { due, state: "waiting", makesUp: false, beginAt: due, message: null } as const
      if (turn !== undefined) yield* ledger.decide(name, [decided])
    }
    const dues = (yield* ledger.open).map((one) => one.due)
    return { isWhole: dues.sort().join() === "1000,1000,2000,2000,3000,3000" }
  })
  const file = join(folder, ".millrace/schedule.sqlite")
  return Effect.runPromise(started(Effect.provide(use, ScheduleStore.layer(file))))
}

/** Starts the service of a folder, and asks for its job, which it makes if it has none. */
export const startService = (folder: string): Promise<Started> => {
  const data = join(folder, ".millrace/service")
  mkdirSync(data, { recursive: true })
  const noted = join(folder, "job.txt")
  const use = Effect.gen(function* () {
    const service = yield* served({ database: Redacted.make(join(data, "service.sqlite")), allowPrivate: true })
    if (!existsSync(noted)) {
      const job = yield* service.ask("POST", "/v2/batch/scrape", { body: { urls: ["http://127.0.0.1:9/a"] } })
      writeFileSync(noted, String(job.body.id))
    }
    const answer = yield* service.ask("GET", `/v2/batch/scrape/${readFileSync(noted, "utf8")}`)
    // A job that is lost is not found: no answer is half of one.
    if (answer.status !== 200 && answer.status !== 404)
      return yield* Effect.die(new Error(`${answer.status} ${JSON.stringify(answer.body)}`))
    return { isWhole: answer.status === 200 && answer.body.total === 1 }
  })
  return Effect.runPromise(started(Effect.scoped(use)))
}

/** The messages of an error and of its causes. */
const wordsOf = (error: unknown): string =>
  error instanceof Error ? [error.message, wordsOf(error.cause)].filter((text) => text !== "").join(": ") : ""

const started = <E>(start: Effect.Effect<Started, E>): Effect.Effect<Started> =>
  Effect.catchCause(start, (cause) => Effect.succeed({ fault: wordsOf(Cause.squash(cause)), isWhole: false }))
