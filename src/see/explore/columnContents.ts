/** What columns of a table hold, by its first rows: how much is there, how much of it differs, how long it is. */
import * as Effect from "effect/Effect"
import type * as Queries from "#engine/Queries"
import type { ColumnInfo } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { isText, quote } from "./gridSql.ts"

export interface ColumnContents extends ColumnInfo {
  /** Between 0 and 1: of the rows. */
  readonly filled: number
  /** How many different values there are. */
  readonly distinct: number
  /** Characters of a value as text. */
  readonly length: number
  /** Between 0 and 1: how many values are addresses of pages. */
  readonly links: number
}

const mostRows = 500

/** In the SQL that DuckDB and Postgres share. */
export const columnContents = Effect.fnUntraced(function* (
  queries: Queries.Queries,
  table: string,
  columns: ReadonlyArray<ColumnInfo>
) {
  const parts = columns.map(({ name }, at) => {
    const text = `CAST(${quote(name)} AS VARCHAR)`
    const begin = `left(${text}, 100)`
    return [
      `count(${quote(name)}) AS f${at}`,
      `count(DISTINCT ${begin}) AS d${at}`,
      `avg(length(${text})) AS l${at}`,
      `count(CASE WHEN ${begin} LIKE 'http%://%' THEN 1 END) AS u${at}`
    ].join(", ")
  })
  const from = `(SELECT * FROM ${quote(table)} LIMIT ${mostRows}) AS part`
  const [row = {}] = yield* Explorer.rowsOf(queries, `SELECT count(*) AS n, ${parts.join(", ")} FROM ${from}`)
  const figure = (name: string): number => Number(row[name] ?? 0)
  const rows = figure("n")
  return columns.map((column, at): ColumnContents => {
    const filled = figure(`f${at}`)
    return {
      ...column,
      filled: rows === 0 ? 0 : filled / rows,
      distinct: figure(`d${at}`),
      length: figure(`l${at}`),
      links: filled === 0 ? 0 : figure(`u${at}`) / filled
    }
  })
})

/**
 * The column that names a row for people, beside its key: of short texts that are nearly always there, that with most different
 * values. Undefined: none does.
 */
export const namingColumn = (contents: ReadonlyArray<ColumnContents>, key: ReadonlyArray<string>): string | undefined => {
  const keyed = Math.max(...key.map((name) => contents.find((column) => column.name === name)?.distinct ?? 0))
  const names = contents.filter(
    (column) =>
      isText(column) &&
      !key.includes(column.name) &&
      !column.name.startsWith("_") &&
      column.filled > 0.9 &&
      column.length >= 3 &&
      column.length <= 90 &&
      column.links < 0.1 &&
      column.distinct > 0.6 * keyed
  )
  return names.toSorted((a, b) => b.distinct - a.distinct)[0]?.name
}
