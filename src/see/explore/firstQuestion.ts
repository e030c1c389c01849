/** The question that the SQL view begins with: what is newest in the main table of a pipeline, by what its columns hold. */
import * as Effect from "effect/Effect"
import { sinkTablesOf } from "../export/tablesOfSink.ts"
import { type ColumnContents, columnContents, namingColumn } from "./columnContents.ts"
import type { Question } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { isNumeric, quote } from "./gridSql.ts"

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
      return questionOf({ name, key, hasVersions }, contents)
    })
  )
})

interface MainTable {
  readonly name: string
  readonly key: ReadonlyArray<string>
  /** Whether the table keeps the versions of its rows. */
  readonly hasVersions: boolean
}

export const questionOf = (
  { hasVersions, key, name }: MainTable,
  contents: ReadonlyArray<ColumnContents>
): Question => {
  const naming = namingColumn(contents, key)
  const first = [...(naming === undefined ? [] : [naming]), ...key]
  const others = contents.filter(
    (column) => !first.includes(column.name) && isWorthSeeing(column) && !versionColumns.includes(column.name)
  )
  const shown = [...first, ...others.map((column) => column.name)].slice(0, Math.max(mostColumns, first.length))
  if (hasVersions && key.length > 0) return { title: "What changed last", sql: changesSql(name, key, shown, contents) }
  const newest = timeOf(contents)
  const columns = [...new Set([...shown, ...(newest === undefined ? [] : [newest])])].map(quote).join(", ")
  return newest === undefined
    ? { title: `The first rows of ${name}`, sql: `SELECT ${columns}\nFROM ${quote(name)}\nLIMIT 100` }
    : {
        title: `The newest rows of ${name}`,
        sql: `SELECT ${columns}\nFROM ${quote(name)}\nORDER BY ${quote(newest)} DESC NULLS LAST\nLIMIT 100`
      }
}

/** The versions of rows, the last one first, with what was before in its numbers. */
const changesSql = (
  name: string,
  key: ReadonlyArray<string>,
  shown: ReadonlyArray<string>,
  contents: ReadonlyArray<ColumnContents>
): string => {
  const columns = shown.flatMap((column) => {
    const known = contents.find((one) => one.name === column)
    const before = `lag(${quote(column)}) OVER versions AS ${quote(`${column}_before`)}`
    return known !== undefined && isNumeric(known) && !key.includes(column) ? [before, quote(column)] : [quote(column)]
  })
  return `SELECT * FROM (
  SELECT ${[...columns, "row_number() OVER versions AS version", quote("valid_from")].join(", ")}
  FROM ${quote(name)}
  WINDOW versions AS (PARTITION BY ${key.map(quote).join(", ")} ORDER BY valid_from)
) AS changes
ORDER BY version > 1 DESC, valid_from DESC
LIMIT 100`
}

/** What Millrace keeps for itself is not, nor what is empty, everywhere the same, or too long to read. */
const isWorthSeeing = ({ distinct, filled, length, name }: ColumnContents): boolean =>
  !name.startsWith("_") && filled > 0 && distinct > 1 && length <= widest

const versionColumns = ["valid_from", "valid_to", "is_current"]

/** The time that differs most; when a row was read, if it has no time of its own. */
const timeOf = (contents: ReadonlyArray<ColumnContents>): string | undefined => {
  const times = contents.filter(({ distinct, type }) => /^(?:TIMESTAMP|DATE)/i.test(type) && distinct > 1)
  const own = times.filter(({ filled, name }) => filled >= 0.5 && !name.startsWith("_"))
  return [...own.toSorted((a, b) => b.distinct - a.distinct), ...times][0]?.name
}
