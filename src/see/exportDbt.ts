/**
 * The work behind `millrace export dbt`: a `sources.yml`. What Millrace checks before a commit stands there as tests, so
 * that dbt says it of the stored rows too. A key is unique where rows of one key replace each other.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { typeSql } from "#connectors/postgres/columnSql"
import * as Column from "#engine/Column"
import { millisOf } from "#engine/KeySchemas"
import { withoutHistory } from "#engine/WriteDisposition"
import { engine } from "#library/services"
import { type Options, type SinkTable, tablesOfSink } from "./export/tablesOfSink.ts"

export const exportDbt = Effect.fn("exportDbt")(
  function* (options: Options & { readonly schema: Option.Option<string> }) {
    const { pipeline, schema, sink, tables } = yield* tablesOfSink(options)
    const { stringify } = yield* Effect.promise(() => import("yaml"))
    const source = {
      name: pipeline.name.replaceAll(/[^A-Za-z0-9_]/g, "_"),
      description: `loaded by Millrace from ${options.file}`,
      schema: Option.getOrElse(options.schema, () => schema),
      tables: tables.map(tableOf(sink.type === "postgres" ? typeSql : Column.toSql))
    }
    process.stdout.write(stringify({ version: 2, sources: [source] }, { lineWidth: 0 }))
  },
  Effect.scoped,
  Effect.provide(engine)
)

const tableOf = (spell: (type: Column.ColumnType) => string) => (sinkTable: SinkTable) => {
  const { table, checks } = sinkTable
  const fresh = checks.flatMap(({ freshness }) => freshness ?? [])[0]
  const loaded = fresh?.column ?? Column.named(table.columns, "_fetched_at")?.name
  return {
    name: table.name,
    description: literal(table.description),
    ...(loaded === undefined ? {} : { loaded_at_field: loaded }),
    ...(fresh === undefined ? {} : { freshness: { error_after: periodOf(millisOf(fresh.max)) } }),
    columns: table.columns.map((column) => {
      const tests = testsOf(sinkTable, column)
      return {
        name: column.name,
        ...(column.description === undefined ? {} : { description: literal(column.description) }),
        data_type: spell(column.type),
        ...(tests.length === 0 ? {} : { data_tests: tests })
      }
    })
  }
}

/** A period as dbt has it: the largest unit that it is a whole number of. */
const periodOf = (millis: number) => {
  const unit = units.find(([, size]) => millis % size === 0) ?? units.at(-1) ?? ["minute", 60_000]
  return { count: Math.max(1, Math.round(millis / unit[1])), period: unit[0] }
}

const units: ReadonlyArray<readonly [period: string, millis: number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
]

type Test = string | { readonly accepted_values: { readonly arguments: AcceptedValues } }

interface AcceptedValues {
  readonly values: ReadonlyArray<unknown>
  readonly quote?: false
}

const testsOf = ({ checks, table, write }: SinkTable, { name, nullable }: Column.Column): ReadonlyArray<Test> => {
  const says = (names: string | ReadonlyArray<string> | undefined): boolean =>
    (typeof names === "string" ? [names] : (names ?? [])).some(
      (column) => Column.named([{ name }], column) !== undefined
    )
  const isOwn = Column.named(withoutHistory(table.columns), name) !== undefined
  const isUnique =
    (write === "merge" && table.key.length === 1 && says(table.key)) ||
    // In a history each version of a row is a row.
    (write !== "scd2" && write !== "append" && isOwn && checks.some(({ unique }) => isAlone(unique) && says(unique)))
  const isFilled = !nullable || checks.some((check) => says(check.not_null))
  return [
    ...(isUnique ? ["unique"] : []),
    ...(isFilled ? ["not_null"] : []),
    ...checks.flatMap(({ accepted }) =>
      Object.entries(accepted ?? {}).flatMap(([column, values]) => (says(column) ? [acceptedValues(values)] : []))
    )
  ]
}

const isAlone = (names: string | ReadonlyArray<string> | undefined): boolean =>
  typeof names === "string" || names?.length === 1

/** dbt writes values as text by default. */
const acceptedValues = (values: ReadonlyArray<unknown>): Test => {
  const texts = values.flatMap((value) => (typeof value === "string" ? [literal(value)] : []))
  const isText = texts.length === values.length
  return { accepted_values: { arguments: isText ? { values: texts } : { values, quote: false } } }
}

/** A text as one of Jinja: dbt would run what stands in its braces. */
const literal = (text: string): string => text.replaceAll(/\{(?=[{%#])/g, "{{ '{' }}")
