/**
 * The contract of the stage: where the rows of a run wait between its source and its sinks, so that steps can change
 * them and checks can look at them all.
 *
 * Rows leave in the order in which they arrived. If a step removes rows of a table, the children of those rows are removed
 * too. The stage of a held run stays, and gives the same rows when it is opened again.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Check from "./Check.ts"
import type * as Sink from "./Sink.ts"
import type * as Step from "./Step.ts"
import type * as Table from "./Table.ts"

/** A row in the stage, with its presence: a step may remove the column from which the presence follows. */
export interface Staged {
  /** The row, with a cell for each column of its table. */
  readonly row: Table.Row
  /** Whether the thing that the row is about was seen, is gone, or could not be read. */
  readonly presence: Table.Presence
}

/** An open stage: rows go in, steps and checks run, rows come out. Its methods fail with `StageError`. */
export interface Stage {
  /** The tables after the steps, in the order of the plan. */
  readonly tables: ReadonlyArray<Table.Table>
  /** Takes rows of a table, by its name before the steps. */
  readonly write: (table: string, rows: ReadonlyArray<Staged>) => Effect.Effect<void, StageError>
  /** Ends writing, takes the steps, and returns the number of rows that each table then has. */
  readonly finish: Effect.Effect<Readonly<Record<string, number>>, StageError>
  /** Runs every check of the plan. */
  readonly check: (facts: Facts) => Effect.Effect<ReadonlyArray<Sink.CheckRecord>, StageError>
  /** The rows of a table after the steps, by its name after the steps. */
  readonly rows: (table: string) => Stream.Stream<ReadonlyArray<Staged>, StageError>
  /** Saves the fingerprints of the rows of the main table, for the check `changed` of the next run. */
  readonly saveFingerprints: Effect.Effect<void, StageError>
}

/** What checks need beside the rows. */
export interface Facts {
  /** The rows of each table in the last successful run; undefined: there was none. */
  readonly lastRows: Readonly<Record<string, number>> | undefined
  /** The number of pages that could not be fetched. */
  readonly failed: number
  /** The number of unchanged rows of the main table, which are not staged. */
  readonly revalidated?: number
  /** When the run began, in microseconds since the epoch. */
  readonly now: bigint
}

/** What a stage is opened for. */
export interface Plan {
  /** The folder of the stage: its file there is "stage.duckdb". */
  readonly folder: string
  /** The tables as the source has them; the first is the main one. */
  readonly tables: ReadonlyArray<Table.Table>
  /** The steps, in order. */
  readonly steps: ReadonlyArray<Step.Step>
  /** The checks. They are compiled before any row is written, so that a wrong check is reported at once. */
  readonly checks: ReadonlyArray<Check.Check>
  /** The user's key of the main table, by the names of columns after the steps; undefined: the user set none. */
  readonly key: ReadonlyArray<string> | undefined
  /** The columns that decide whether a row of the main table has changed, by their names after the steps. */
  readonly fingerprint: (main: Table.Table) => ReadonlyArray<string>
  /** The file with the fingerprints of the last successful run; undefined: no check uses them. */
  readonly fingerprints: string | undefined
  /** Whether the rows that are already in the stage are kept: the stage of a held run. */
  readonly reopen: boolean
}

/**
 * The stages of this program, as a service: `Stages.layer` of `millrace` implements it with DuckDB.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import { Stage, Stages, Table } from "millrace"
 *
 * const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ age: Schema.Int }) })
 * const plan: Stage.Plan = {
 *   folder: process.cwd(),
 *   tables: [people],
 *   steps: [{ where: "age >= 18" }],
 *   checks: [],
 *   key: undefined,
 *   fingerprint: () => ["age"],
 *   fingerprints: undefined,
 *   reopen: false
 * }
 * const adults = Effect.gen(function* () {
 *   const stage = yield* (yield* Stage.Stages).open(plan)
 *   yield* stage.write("people", [12, 36].map((age) => ({ row: { age }, presence: "seen" })))
 *   return yield* stage.finish
 * })
 * console.log(await Effect.runPromise(Effect.scoped(adults).pipe(Effect.provide(Stages.layer)))) // { people: 1 }
 * ```
 */
export class Stages extends Context.Service<
  Stages,
  {
    readonly open: (plan: Plan) => Effect.Effect<Stage, StageError, Scope.Scope>
    /** Removes the stage in a folder. */
    readonly remove: (folder: string) => Effect.Effect<void>
  }
>()("millrace/pipeline/Stages") {}

/**
 * What is wrong with a step or a check. `path` is the place in the file: ["steps", 2, "where"].
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Stage } from "millrace"
 *
 * console.log(Schema.is(Stage.Fault)({ message: "no column age", path: ["steps", 0, "where"] })) // true
 * ```
 */
export const Fault = Schema.Struct({
  /** What is wrong, in words. */
  message: Schema.String,
  /** Keys and list positions from the top of the file. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  /** "key": the key itself is wrong, and not its value. */
  at: Schema.optionalKey(Schema.Literal("key")),
  /** What to do, where that is known. */
  hint: Schema.optionalKey(Schema.String)
})
export interface Fault extends Schema.Schema.Type<typeof Fault> {}

/**
 * Steps or checks that are wrong, or a stage that cannot continue. `path` is the place in the pipeline file.
 *
 * @example
 * ```ts
 * import { Stage } from "millrace"
 *
 * const wrong = new Stage.StageError({ message: "there is no column age", path: ["steps", 0, "where"] })
 * console.log(wrong.path.join(".")) // "steps.0.where"
 * ```
 */
export class StageError extends Schema.TaggedError<StageError>()("StageError", {
  message: Schema.String,
  /** Keys and list positions from the top of the file; empty: the fault is not in the file. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  /** "key": the key itself is wrong, and not its value. */
  at: Schema.optionalKey(Schema.Literal("key")),
  /** What to do, where that is known. */
  hint: Schema.optionalKey(Schema.String),
  /** The other faults of the same file. */
  others: Schema.optionalKey(Schema.Array(Fault)),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
