/** One run of a pipeline into a schema of a Postgres: rows of tables, and a commit. */
import * as Effect from "effect/Effect"
import { type Options, postgres } from "#connectors/postgres/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"

export interface Visit {
  readonly place: Options
  readonly run: string
  readonly write: Sink.WriteDisposition
  readonly rows: ReadonlyArray<readonly [Table.Table, ReadonlyArray<Table.Row>]>
  readonly pipeline?: string
  readonly evolve?: boolean
  readonly fingerprint?: ReadonlyArray<string>
}

export const planOf = ({
  evolve = true,
  fingerprint = [],
  pipeline = "p",
  place,
  rows,
  run,
  write
}: Visit): Sink.Plan => ({
  pipeline,
  runId: run,
  directory: "/",
  evolve,
  shared: place.shared ?? false,
  tables: rows.map(([table]) => ({ table, write, ...(write === "scd2" ? { fingerprint } : {}) }))
})

export const commitOf = ({ pipeline = "p", run }: Visit): Sink.Commit => {
  const at = BigInt(run.replace(/\D/g, ""))
  return {
    checkpoint: { runId: run, state: run },
    run: { runId: run, pipeline, startedAt: at, committedAt: at, facts: {}, rows: {} },
    checks: [],
    complete: true
  }
}

export const visit = (of: Visit) =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* postgres.with(of.place).open(planOf(of))
      for (const [table, rows] of of.rows) if (rows.length > 0) yield* writer.write(Table.batch(table, rows))
      return yield* writer.commit(commitOf(of))
    })
  )
