import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Database, memory } from "../../connectors/memory/index.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import * as SinkSuite from "../../src/testing/SinkSuite.ts"

type Destination = Sink.Destination<never>

const noop = {
  checkpoint: { runId: "", state: 0 },
  run: { runId: "", pipeline: "", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} },
  checks: [],
  complete: true
}

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
