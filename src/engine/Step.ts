/**
 * A step between source and sinks: how it changes the rows of a table.
 *
 * All steps but `map` are SQL of DuckDB on the staged rows. They run in order, and each uses the result of the step before.
 * When a step renames a column of a key, the key has the new name.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { columnName, columnNames, exactlyOne, tableName } from "./KeySchemas.ts"

const expression = Schema.NonEmptyString

const kinds = {
  where: Schema.optionalKey(
    expression.annotate({ description: "keep the rows for which this SQL expression is true: status_code = 200" })
  ),
  derive: Schema.optionalKey(
    Schema.Record(columnName, expression).annotate({
      description: "columns from SQL expressions: { words: \"len(string_split(markdown, ' '))\" }"
    })
  ),
  select: Schema.optionalKey(
    Schema.NonEmptyArray(columnName).annotate({ description: "keep these columns only, in this order" })
  ),
  drop: Schema.optionalKey(columnNames.annotate({ description: "leave columns out" })),
  rename: Schema.optionalKey(
    Schema.Record(columnName, columnName).annotate({ description: "new names for columns: { markdown: body }" })
  ),
  dedupe: Schema.optionalKey(
    columnNames.annotate({ description: "keep the last of the rows that are equal in these columns" })
  ),
  mask: Schema.optionalKey(
    Schema.Record(columnName, Schema.Literals(["hash", "redact", "remove"])).annotate({
      description: "hash: SHA-256 of salt and value; redact: *** in its place; remove: null in its place"
    })
  )
}

const map = Schema.optionalKey(
  Schema.NonEmptyString.annotate({
    description:
      "a module with a function that changes a row: ./clean.ts; it exports `columns`, and must be before all other steps"
  })
)

/**
 * A step between source and sinks, as in a pipeline file: one key beside `table` says how it changes the rows.
 *
 * @example
 * ```ts
 * import { rows, run, type Step } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * const steps: ReadonlyArray<Step.Step> = [{ where: "age >= 18" }, { derive: { decade: "age // 10" } }]
 * const source = rows([{ age: 12 }, { age: 36 }], { table: "people" })
 * await run({ source, sinks: { out: memory.with({ name: "adults" }) }, steps })
 * console.log(Database.rows("adults", "people").map(({ age, decade }) => [age, decade])) // [[36n, 3n]]
 * ```
 */
export const Step = Schema.Struct({
  table: Schema.optionalKey(tableName.annotate({ description: "the table; default: the main table" })),
  ...kinds,
  map,
  salt: Schema.optionalKey(
    Schema.RedactedFromValue(Schema.NonEmptyString).annotate({
      description: "a secret that is hashed with each value, so that nobody can find the value by trying"
    })
  )
}).check(exactlyOne("step", [...Object.keys(kinds), "map"]))
export type Step = typeof Step.Type

/**
 * Whether DuckDB runs the step: every step but `map`, which `mappedSource` applies to the source.
 *
 * @internal
 */
export const isSql = (step: Step): boolean => step.map === undefined

/**
 * The kind of a step of SQL: "where", "derive" ...
 *
 * @internal
 */
export const kindOf = (step: Step): keyof typeof kinds =>
  // The schema's filter proves that there is one.
  Struct.keys(kinds).find((kind) => step[kind] !== undefined) ?? "where"

/**
 * The columns that steps make: derived columns, and the new names of renamed ones.
 *
 * @internal
 */
export const made = (steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps.flatMap(({ derive = {}, rename = {} }) => [...Object.keys(derive), ...Object.values(rename)])

/**
 * The name that a column has after the steps of its table; undefined: a step changes its values.
 *
 * @internal
 */
export const nameAfter = (steps: ReadonlyArray<Step>, column: string): string | undefined =>
  steps.reduce<string | undefined>((now, { derive = {}, mask = {}, rename = {} }) => {
    if (now === undefined) return undefined
    const made = [...Object.keys(derive), ...Object.keys(mask)]
    return made.some((name) => name.toLowerCase() === now.toLowerCase()) ? undefined : (rename[now] ?? now)
  }, column)
