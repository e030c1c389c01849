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
  /** Between 0 and 1: how many values have a space. */
  readonly words: number
  /** Whether all values have the same length. */
  readonly isFixed: boolean
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
      `min(length(${begin})) AS s${at}`,
      `max(length(${begin})) AS m${at}`,
      `count(CASE WHEN ${begin} LIKE 'http%://%' THEN 1 END) AS u${at}`,
      `count(CASE WHEN ${begin} LIKE '% %' THEN 1 END) AS w${at}`
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
      links: filled === 0 ? 0 : figure(`u${at}`) / filled,
      words: filled === 0 ? 0 : figure(`w${at}`) / filled,
      isFixed: filled > 1 && figure(`s${at}`) === figure(`m${at}`)
    }
  })
})

/**
 * The column that names a row for people, beside its key: of short texts that are nearly always there and nearly always differ,
 * the one with the shortest; texts of words come before others. Undefined: none does.
 */
export const namingColumn = (
  contents: ReadonlyArray<ColumnContents>,
  key: ReadonlyArray<string>
): string | undefined => {
  const keyed = Math.max(...key.map((name) => contents.find((column) => column.name === name)?.distinct ?? 0))
  const names = contents.filter(
    (column) =>
      isText(column) &&
      !key.includes(column.name) &&
      !column.name.startsWith("_") &&
      !isMark(column) &&
      column.filled > 0.9 &&
      column.length >= 3 &&
      column.length <= 90 &&
      column.links < 0.1 &&
      column.distinct > 0.6 * keyed
  )
  const wordy = names.filter(({ words }) => words > 0.3)
  return (wordy.length > 0 ? wordy : names).toSorted((a, b) => a.length - b.length)[0]?.name
}

/** Whether values are made by a machine, such as hashes and ids: long, without a space, and all equally long. */
export const isMark = ({ isFixed, length, words }: ColumnContents): boolean => isFixed && length >= 16 && words === 0
