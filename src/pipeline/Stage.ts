/**
 * The contract of the stage: where the rows of a run wait between its source and its sinks, so that steps can change
 * them and checks can look at them all.
 *
 * Rows leave in the order in which they came. A table that has lost rows also loses the children of those rows. The
 * stage of a held run stays, and gives the same rows when it is opened again.
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

/** A row on its way: what it says of its thing travels with it, since a step may take away what told. */
export interface Staged {
  /** The row, with a cell for each column of its table. */
  readonly row: Table.Row
  /** Whether what the row is about is there. */
  readonly presence: Table.Presence
}

/** An open stage: rows go in, steps and checks run, rows come out. Its methods fail with `StageError`. */
export interface Stage {
  /** The tables as the steps leave them, in the order given. */
  readonly tables: ReadonlyArray<Table.Table>
  /** Takes rows of a table, by its name before the steps. */
  readonly write: (table: string, rows: ReadonlyArray<Staged>) => Effect.Effect<void, StageError>
  /** Ends writing. How many rows each table has after the steps. */
  readonly finish: Effect.Effect<Readonly<Record<string, number>>, StageError>
  /** Tries every check of the plan. */
  readonly check: (facts: Facts) => Effect.Effect<ReadonlyArray<Sink.CheckRecord>, StageError>
  /** The rows of a table after the steps, by its name there. */
  readonly rows: (table: string) => Stream.Stream<ReadonlyArray<Staged>, StageError>
  /** Writes down the fingerprints of the main table's rows: what `changed` of the next run compares with. */
  readonly saveFingerprints: Effect.Effect<void, StageError>
}

/** What checks compare with beside the rows. */
export interface Facts {
  /** Rows of each table in the last good run, where there is one. */
  readonly lastRows: Readonly<Record<string, number>> | undefined
  /** Pages that could not be had. */
  readonly failed: number
  /** Rows of the main table that are as they were, and are not staged. */
  readonly revalidated?: number
  /** When the run began, in microseconds since the epoch. */
  readonly now: bigint
}

/** What a stage is opened for. */
export interface Plan {
  /** Whose file it is: "stage.duckdb" in it. */
  readonly folder: string
  /** The tables as the source has them; the first is the main one. */
  readonly tables: ReadonlyArray<Table.Table>
  /** What becomes of the rows, in order. */
  readonly steps: ReadonlyArray<Step.Step>
  /** Looked at before any row is written, so that a wrong one is reported at once. */
  readonly checks: ReadonlyArray<Check.Check>
  /** The key of the main table, by its names after the steps, where the user has said it. */
  readonly key: ReadonlyArray<string> | undefined
  /** The columns of the main table whose change makes a row a changed one, by their names after the steps. */
  readonly fingerprint: (main: Table.Table) => ReadonlyArray<string>
  /** The file with the fingerprints of the last good run, where a check compares with them. */
  readonly fingerprints: string | undefined
  /** Whether rows that are there already are kept: the stage of a held run. */
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
    /** Removes the stage of a run that needs it no more. */
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
  /** Where the key itself is wrong, and not its value. */
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
  /** Keys and list positions from the top of the file; empty: no place of it is wrong. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  /** Where the key itself is wrong, and not its value. */
  at: Schema.optionalKey(Schema.Literal("key")),
  /** What to do, where that is known. */
  hint: Schema.optionalKey(Schema.String),
  /** What else is wrong in the same file. */
  others: Schema.optionalKey(Schema.Array(Fault)),
  cause: Schema.optionalKey(Schema.Defect())
}) {}
