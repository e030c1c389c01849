/** The question that the SQL view begins with: what is newest in the main table of a pipeline, by what its columns hold. */
import * as Effect from "effect/Effect"
import { historyColumns } from "#engine/WriteDisposition"
import { sinkTablesOf } from "../export/tablesOfSink.ts"
import { sqlName } from "../sql/sqlName.ts"
import { type ColumnContents, columnContents, isMark, namingColumn } from "./columnContents.ts"
import { isNumeric, isTime } from "./columnTypes.ts"
import type { Question } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { isText, quote } from "./gridSql.ts"

const mostColumns = 8
const widest = 120

/** Undefined: the pipeline has loaded no table yet. */
export const firstQuestion = Effect.fn("firstQuestion")(function* (explorer: Explorer.Explorer) {
  const { layout, loaded, sink } = explorer
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const present = yield* columnsIn(explorer, queries)
      const main = sinkTablesOf(loaded.pipeline, sink, layout).find(({ table }) => present.has(table.name))
      if (main === undefined) return undefined
      const { key, name } = main.table
      const contents = yield* columnContents(queries, name, present.get(name) ?? [])
      const hasVersions = main.write === "scd2" && contents.some((column) => column.name === "valid_from")
      const reserved = explorer.isDuckDb ? yield* Explorer.rowsOf(queries, reservedWords) : undefined
      return questionOf(
        { name, key, hasVersions },
        contents,
        reserved && new Set(reserved.map((row) => String(row["name"])))
      )
    })
  )
})

/** No names of columns without quotes. */
const reservedWords = "SELECT keyword_name AS name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"

interface MainTable {
  readonly name: string
  readonly key: ReadonlyArray<string>
  /** Whether the table keeps the versions of its rows. */
  readonly hasVersions: boolean
}

export const questionOf = (
  table: MainTable,
  contents: ReadonlyArray<ColumnContents>,
  reserved?: ReadonlySet<string>
): Question => {
  const { key, name } = table
  const q = (column: string): string => (reserved === undefined ? quote(column) : sqlName(column, reserved))
  const naming = namingColumn(contents, key)
  const first = [...(naming === undefined ? [] : [naming]), ...key]
  const others = contents.filter((column) => !first.includes(column.name) && isWorthSeeing(column))
  const shown = [...first, ...others.map((column) => column.name)].slice(0, Math.max(mostColumns, first.length))
  if (table.hasVersions && key.length > 0) {
    // When it changed stands beside what it is.
    const changed = shown.toSpliced(first.length, 0, "valid_from")
    const numbers = others.filter((column) => shown.includes(column.name) && isNumeric(column))
    return {
      title: "What changed last",
      sql: changesSql(table, changed, new Set(numbers.map((column) => column.name)), q)
    }
  }
  const own = timeOf(contents.filter(({ filled, name }) => filled >= 0.5 && !name.startsWith("_")))
  const kind = own === undefined ? kindOf(others) : undefined
  if (kind !== undefined) {
    return {
      title: `Rows of ${name} by ${kind}`,
      sql: `SELECT ${q(kind)}, count(*) AS ${quote("rows")}\nFROM ${q(name)}\nGROUP BY ${q(kind)}\nORDER BY ${quote("rows")} DESC`
    }
  }
  const newest = own ?? timeOf(contents)
  const columns = listed([...new Set([...shown, ...(newest === undefined ? [] : [newest])])].map(q))
  return newest === undefined
    ? { title: `The first rows of ${name}`, sql: `SELECT ${columns}\nFROM ${q(name)}\nLIMIT 100` }
    : {
        title: `The newest rows of ${name}`,
        sql: `SELECT ${columns}\nFROM ${q(name)}\nORDER BY ${q(newest)} DESC NULLS LAST\nLIMIT 100`
      }
}

/** The versions of rows, the last change first, with what was before in its numbers. */
const changesSql = (
  { key, name }: MainTable,
  shown: ReadonlyArray<string>,
  numbers: ReadonlySet<string>,
  q: (name: string) => string
): string => {
  const columns = shown.flatMap((column) => (numbers.has(column) ? [q(`${column}_before`), q(column)] : [q(column)]))
  const before = [...numbers].map((column) => `lag(${q(column)}) OVER versions AS ${q(`${column}_before`)}`)
  return `SELECT ${listed(columns)}
FROM (
  SELECT ${listed(["*", ...before, "row_number() OVER versions AS version"])}
  FROM ${q(name)}
  WINDOW versions AS (PARTITION BY ${key.map(q).join(", ")} ORDER BY valid_from)
) AS changes
ORDER BY version > 1 DESC, valid_from DESC
LIMIT 100`
}

/** In lines that an editor need not break; all columns, if no row says which are worth seeing. */
const listed = (parts: ReadonlyArray<string>): string =>
  (parts.length === 0 ? ["*"] : parts).reduce((text, part) => {
    const line = text.slice(text.lastIndexOf("\n") + 1)
    return line.length + part.length > 90 ? `${text},\n  ${part}` : `${text}, ${part}`
  })

/** What Millrace keeps for itself is not, nor what is empty, everywhere the same, or not for people to read. */
const isWorthSeeing = (column: ColumnContents): boolean =>
  !column.name.startsWith("_") &&
  !versionColumns.includes(column.name) &&
  !isMark(column) &&
  column.links < 0.5 &&
  column.filled > 0 &&
  column.distinct > 1 &&
  column.length <= widest

const versionColumns = historyColumns.map(({ name }) => name)

/** The time that differs most. */
const timeOf = (contents: ReadonlyArray<ColumnContents>): string | undefined =>
  contents.filter((column) => isTime(column) && column.distinct > 1).toSorted((a, b) => b.distinct - a.distinct)[0]
    ?.name

/** The column that divides rows into the most kinds of which a reader sees each. */
const kindOf = (contents: ReadonlyArray<ColumnContents>): string | undefined =>
  contents
    .filter((column) => isText(column) && column.filled > 0.8 && column.distinct <= 20 && column.length <= 40)
    .toSorted((a, b) => b.distinct - a.distinct)[0]?.name
