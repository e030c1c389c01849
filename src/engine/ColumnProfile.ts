/**
 * The profile of one column in one run: how many values it has, how many are different, how long or how large they are.
 *
 * A profile is small, whatever the rows are, so every sink keeps it with its run. It describes the rows that the run gave to
 * its sinks, and not the whole table.
 */
import * as Schema from "effect/Schema"

const withDescription = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/** A number, or the text of a day, a moment or a boolean. */
const Bound = Schema.Union([Schema.Finite, Schema.String])

/**
 * The profile of a column in one run. Sinks keep it in `_millrace_profiles`. Lengths are in characters or items.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const out = memory.with({ name: "profiled" })
 * const { runId } = await run({ source: rows([{ age: 36 }, { age: null }], { table: "people" }), sinks: { out } })
 * const [details] = await Effect.runPromise(out.details?.(".", [runId]) ?? Effect.succeed([]))
 * const age = details?.profiles.find(({ column }) => column === "age")
 * console.log(age?.rows, age?.filled, age?.max) // 2 1 36
 * ```
 */
export const ColumnProfile = Schema.Struct({
  table: withDescription(Schema.String, "the table"),
  column: withDescription(Schema.String, "the column"),
  type: withDescription(Schema.String, "its SQL type"),
  rows: withDescription(Schema.Int, "the rows of the run"),
  filled: withDescription(
    Schema.Int,
    "the rows whose value is not null; beyond 100,000 rows, only one batch of eight is read, and counts are scaled"
  ),
  distinct: withDescription(
    Schema.NullOr(Schema.Int),
    "the number of distinct values; null for lists, structs and JSON"
  ),
  distinct_exact: withDescription(
    Schema.Boolean,
    "true: they were counted; false: they were estimated, to about 3%, because there are very many, or they are very long"
  ),
  length: withDescription(
    Schema.NullOr(Schema.Struct({ min: Schema.Finite, mean: Schema.Finite, max: Schema.Finite })),
    "the characters of texts, or the items of lists"
  ),
  min: withDescription(Schema.NullOr(Bound), "the least number, date or time"),
  max: withDescription(Schema.NullOr(Bound), "the greatest number, date or time"),
  mean: withDescription(Schema.NullOr(Schema.Finite), "the mean of the numbers"),
  quantiles: withDescription(
    Schema.NullOr(
      Schema.Struct({
        p05: Schema.Finite,
        p25: Schema.Finite,
        p50: Schema.Finite,
        p75: Schema.Finite,
        p95: Schema.Finite,
        p99: Schema.Finite
      })
    ),
    "quantiles of the numbers, from a sample of at most 1,024 of them"
  ),
  top: withDescription(
    Schema.NullOr(Schema.Array(Schema.Struct({ value: Schema.String, count: Schema.Int }))),
    "the most frequent values, if there are at most 64 distinct ones"
  )
})
export type ColumnProfile = typeof ColumnProfile.Type
