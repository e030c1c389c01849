import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Database, memory } from "#connectors/memory/index"
import type * as Sink from "#engine/Sink"
import * as SinkSuite from "#testing/SinkSuite"

type Destination = Sink.Destination<never>

const noop = {
  checkpoint: { runId: "", state: 0 },
  run: { runId: "", pipeline: "", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} },
  checks: [],
  complete: true
}

/** A destination whose plans, or whose writers, are not what they should be. */
const amended = (amend: (plan: Sink.Plan) => Sink.Plan) => (destination: Destination) => ({
  ...destination,
  open: (plan: Sink.Plan) => destination.open(amend(plan))
})
const bent = (bend: (writer: Sink.Writer) => Sink.Writer) => (destination: Destination) => ({
  ...destination,
  open: (plan: Sink.Plan) => Effect.map(destination.open(plan), bend)
})

/** The memory sink with one thing wrong: each breaks one law. */
const flaws: ReadonlyArray<readonly [what: string, broken: RegExp, bend: (destination: Destination) => Destination]> = [
  [
    "rows that are visible before the commit",
    /written and not committed is not there/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        Effect.map(destination.open(plan), (writer) => ({
          ...writer,
          write: (batch) => Effect.andThen(writer.write(batch), writer.commit(noop))
        }))
    })
  ],
  [
    "a checkpoint that is not kept",
    /its checkpoint is where the next run resumes/,
    (destination) => ({
      ...destination,
      open: (plan) => Effect.map(destination.open(plan), (writer) => ({ ...writer, resume: Option.none() }))
    })
  ],
  [
    "rows in another order",
    /rows in the order written/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        Effect.map(destination.open(plan), (writer) => ({
          ...writer,
          write: (batch) => writer.write({ ...batch, rows: batch.rows.toReversed() })
        }))
    })
  ],
  [
    "numbers that went through a double",
    /come back equal/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        Effect.map(destination.open(plan), (writer) => ({
          ...writer,
          write: (batch) =>
            writer.write({
              ...batch,
              rows: batch.rows.map((row) => ({
                ...row,
                whole: typeof row["whole"] === "bigint" ? BigInt(Number(row["whole"])) : null
              }))
            })
        }))
    })
  ],
  [
    "merge that only adds",
    /merge twice with one key/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        destination.open({ ...plan, tables: plan.tables.map((table) => ({ ...table, write: "append" as const })) })
    })
  ],
  [
    "replace that only adds",
    /replace makes the new rows the table/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        destination.open({ ...plan, tables: plan.tables.map((table) => ({ ...table, write: "append" as const })) })
    })
  ],
  [
    "children that outlive their parent's change",
    /merging a parent replaces its children/,
    (destination) => ({
      ...destination,
      open: (plan) =>
        destination.open({
          ...plan,
          tables: plan.tables.map((each) =>
            each.table.parent === undefined ? each : { ...each, write: "append" as const }
          )
        })
    })
  ],
  [
    "a history in which everything is a change",
    /an unchanged fingerprint makes no version/,
    amended((plan) => ({
      ...plan,
      tables: plan.tables.map((each) => ({ ...each, fingerprint: each.table.columns.map(({ name }) => name) }))
    }))
  ],
  [
    "a history in which nothing is a change",
    /a changed fingerprint makes a version/,
    amended((plan) => ({ ...plan, tables: plan.tables.map((each) => ({ ...each, fingerprint: [] })) }))
  ],
  [
    "versions that are closed by a run that did not see everything",
    /nothing where it is not complete/,
    bent((writer) => ({ ...writer, commit: (commit) => writer.commit({ ...commit, complete: true }) }))
  ],
  [
    "versions that nothing closes",
    /closes what a complete run did not see/,
    bent((writer) => ({ ...writer, commit: (commit) => writer.commit({ ...commit, complete: false }) }))
  ],
  ["keys that are forgotten", /a key that is kept/, bent((writer) => ({ ...writer, retainKeys: () => Effect.void }))],
  [
    "a run that is written twice where it is written again",
    /leaves its rows once, and the others/,
    amended((plan) => ({ ...plan, again: false }))
  ],
  [
    "a history that a run makes twice",
    /leaves the history as one run would/,
    amended((plan) => ({ ...plan, again: false }))
  ],
  ["columns that never change", /a new column is added/, amended((plan) => ({ ...plan, evolve: false }))],
  [
    "columns that change where they may not",
    /does not evolve, the destination keeps/,
    amended((plan) => ({ ...plan, evolve: true }))
  ],
  [
    "columns that it does not tell",
    /tells the columns that were there/,
    bent((writer) => ({ ...writer, columns: () => Option.none() }))
  ],
  [
    "rows that a broken run removes",
    /by a run that is not complete removes nothing/,
    bent((writer) => ({ ...writer, commit: (commit) => writer.commit({ ...commit, complete: true }) }))
  ],
  [
    "rows that a whole run leaves",
    /removes what a complete run did not write/,
    bent((writer) => ({ ...writer, commit: (commit) => writer.commit({ ...commit, complete: false }) }))
  ],
  [
    "keys that replace forgets",
    /except the keys that it was told to keep/,
    bent((writer) => ({ ...writer, retainKeys: () => Effect.void }))
  ],
  [
    "a merge that takes a visit for a change",
    /differs in nothing but its run and its visit/,
    amended((plan) => ({
      ...plan,
      tables: plan.tables.map((each) => ({ ...each, table: { ...each.table, visit: {} } }))
    }))
  ],
  [
    "a receipt that counts what was handed over",
    /took the place of as superseded/,
    bent((writer) => ({
      ...writer,
      commit: (commit) =>
        Effect.map(writer.commit(commit), (receipt) => ({
          ...receipt,
          tables: Object.fromEntries(
            Object.entries(receipt.tables).map(([table, counts]) => [
              table,
              { ...counts, written: counts.received, superseded: 0 }
            ])
          )
        }))
    }))
  ],
  [
    "tables that are anybody's",
    /belongs to the pipeline that wrote it first/,
    amended((plan) => ({ ...plan, pipeline: "anybody" }))
  ],
  [
    "owners that it does not tell",
    /side by side/,
    (destination) => ({ ...destination, owners: () => Effect.succeed(new Map()) })
  ],
  [
    "a shared history in which everybody closes",
    /closes one's own keys that it did not see/,
    (destination) => ({
      ...destination,
      // Each row is then of whoever looks.
      open: (plan) => destination.open({ ...plan, pipeline: "first" })
    })
  ],
  [
    "rows that readers do not see",
    /rows are those that any other reader sees/,
    (destination) => ({ ...destination, rows: () => Effect.succeed([]) })
  ]
]

describe("the suite finds", () => {
  for (const [what, broken, bend] of flaws) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const law = SinkSuite.laws.find((each) => broken.test(each.sentence))
        if (law === undefined) return expect.fail(`no law says ${broken}`)

        const exit = yield* Effect.exit(
          SinkSuite.check(law, {
            destination: (directory) => bend(memory.with({ name: directory })),
            closing: (directory) => bend(memory.with({ name: directory, removed: "close" })),
            read: (directory, table) => Effect.sync(() => Database.rows(directory, table.name)),
            layer: Layer.empty,
            secondWriter: "fails to open"
          })
        )

        expect(Exit.isFailure(exit)).toBe(true)
      })
    )
  }
})
