/** Rows of a table that a request names: a part of them for a grid. */
import { createReadStream } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type * as Queries from "#engine/Queries"
import type { QueryResult } from "#engine/Queries"
import * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { failed, wrong } from "../CliFailure.ts"
import { asCsv, jsonOf } from "../sql/answerText.ts"
import { count } from "../summary.ts"
import { writingFile } from "../writingFile.ts"
import type { CellValue, ColumnInfo, ProfileAnswer, RowsAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { filtersIn } from "./filters.ts"
import { longestFind } from "./findWords.ts"
import {
  allSql,
  countSql,
  filledSql,
  filteredSql,
  isOfCurrent,
  longestCell,
  type Part,
  partSql,
  type Selection
} from "./gridSql.ts"
import * as Profile from "./profileSql.ts"

const mostRows = 500
/** The maximum number of characters of a cell, if one row is shown. */
const longestValue = 1_000_000

export const exploreRows = Effect.fn("exploreRows")(function* (explorer: Explorer.Explorer, params: URLSearchParams) {
  const offset = yield* wholeNumber(params, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = yield* wholeNumber(params, "limit", 100, mostRows)
  const isWhole = params.get("whole") === "true"
  if (isWhole && limit !== 1) return yield* wrong("`whole` is for one row: set limit=1")
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const part: Part = { ...(yield* selectionIn(explorer, queries, params)), offset, limit, isWhole }
      const answer = yield* Effect.flatMap(queries.ask(partSql(part)), (found) =>
        gridRows(found, { rows: mostRows, cell: isWhole ? longestValue : longestCell, characters: 64_000_000 })
      )
      const rows: RowsAnswer = { ...answer, columns: part.columns }
      if (params.get("count") !== "true") return rows
      const sql = countSql(part, answer.rows.length)
      const [counted] = sql === undefined ? [] : yield* Explorer.rowsOf(queries, sql)
      const withTotal: RowsAnswer = {
        ...rows,
        total: Number(counted?.["n"] ?? offset + answer.rows.length),
        empty: yield* emptyIn(queries, part, answer)
      }
      return withTotal
    })
  )
})

const emptyIn = Effect.fnUntraced(function* (queries: Queries.Queries, part: Part, { rows }: RowsAnswer) {
  const question = filledSql(part, rows)
  if (question === undefined) return []
  const [filled] = yield* Explorer.rowsOf(queries, question.sql)
  return question.names.filter((_, at) => Number(filled?.[`n${at}`]) === 0)
})

/** The rows that a request wants, after a look at whether the table and its columns are there. */
const selectionIn = Effect.fn("selectionIn")(function* (
  explorer: Explorer.Explorer,
  queries: Queries.Queries,
  params: URLSearchParams
) {
  const table = params.get("table") ?? ""
  const find = params.get("find") ?? ""
  if (find.length > longestFind) return yield* wrong(`\`find\` must have at most ${longestFind} characters`)
  const where = filtersIn(params.get("where") ?? "")
  if (where === undefined)
    return yield* wrong('`where` must be a list of filters, such as [{"column":"language","kind":"is","value":"en"}]')
  const columns = (yield* columnsIn(explorer, queries)).get(table)
  if (columns === undefined) return yield* wrong(`there is no table ${table} in sink ${explorer.name}`)
  const order = params.get("order") ?? ""
  const named = [...(order === "" ? [] : [order.replace(/^-/, "")]), ...where.map(({ column }) => column)]
  const unknown = named.find((name) => !columns.some((column) => column.name === name))
  if (unknown !== undefined) return yield* wrong(`table ${table} has no column ${unknown}`)
  const key = explorer.layout.tables.find((one) => one.name === table)?.key ?? []
  const dialect = explorer.isDuckDb ? "DuckDB" : "Postgres"
  const selection: Selection = { table, columns, key, dialect, find, where, order }
  return selection
})

const wholeNumber = Effect.fnUntraced(function* (
  params: URLSearchParams,
  name: string,
  otherwise: number,
  most: number
) {
  const text = params.get(name)
  if (text === null) return otherwise
  return /^\d{1,15}$/.test(text) && Number(text) <= most
    ? Number(text)
    : yield* wrong(`${name} must be a whole number of at most ${most}, not ${text.slice(0, 40)}`)
})

const types: Readonly<Record<string, string>> = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet"
}

/**
 * All rows of a table that a page shows, as a file: CSV or Parquet, in the order of the page.
 *
 * The file is complete before its first byte is sent: what fails is said, and never is a file that ends too early.
 *
 * `name`: of the file, such as `pages.csv`. The file is there as long as the scope.
 */
export const exploreDownload = Effect.fn("exploreDownload")(function* (
  explorer: Explorer.Explorer,
  name: string,
  params: URLSearchParams
) {
  const [, table = "", format = ""] = /^(.+)\.(\w+)$/s.exec(name) ?? []
  const type = types[format]
  if (type === undefined) return yield* wrong(`a download is TABLE.csv or TABLE.parquet, not ${name.slice(0, 100)}`)
  const folder = yield* Effect.mapError(temporaryFolder("download"), ({ message }) => failed(message))
  const file = join(folder, `rows.${format}`)
  const selection = new URLSearchParams([...params, ["table", table]])
  const { loaded, sink } = explorer
  yield* Effect.scoped(
    Effect.gen(function* () {
      const queries = yield* sink.queries(loaded.pipeline.directory, format === "parquet" ? { file } : {})
      const sql = allSql(yield* selectionIn(explorer, queries, selection))
      if (format === "parquet") return yield* queries.toParquet(sql)
      const answer = yield* queries.ask(sql)
      return yield* writingFile(file, (out) => asCsv(answer, out))
    })
  )
  return { type, name: fileName(`${table}.${format}`), body: createReadStream(file) }
})

/** For the header: what a file may be called everywhere. */
const fileName = (name: string): string => name.replace(/[^\w.-]+/g, "_")

/**
 * What the columns of a table hold, in the rows that filters leave: as the profile of its last run says it, if that is of these
 * rows, and otherwise counted.
 */
export const exploreProfile = Effect.fn("exploreProfile")(function* (
  explorer: Explorer.Explorer,
  params: URLSearchParams
) {
  const table = params.get("table") ?? ""
  const names = new Set(params.getAll("columns"))
  const stored = yield* storedProfile(explorer, table)
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const { columns: all, dialect, where } = yield* selectionIn(explorer, queries, params)
      const columns = all.filter(({ name }) => names.has(name))
      const only = filteredSql({ where, columns: all })
      const [counted] = yield* Explorer.rowsOf(queries, Profile.rowsSql({ table, only }))
      const rows = Number(counted?.["n"] ?? 0)
      const source: Profile.Source = { table, only, rows, dialect }
      // A profile is of the rows that a run handed over: it speaks of the table only where these are all of its rows.
      const isWhole = where.every(isOfCurrent)
      const known = new Map(
        stored.profiles.filter((one) => isWhole && one.rows === rows).map((one) => [one.column, one] as const)
      )
      const unknown = columns.filter(({ name }) => !known.has(name))
      const found = new Map(
        (yield* figuresOf(queries, source, unknown)).map((figures) => [figures.column.name, figures] as const)
      )
      const figures = columns.flatMap((column) => {
        const profile = known.get(column.name)
        return profile === undefined ? (found.get(column.name) ?? []) : storedFigures(column, profile)
      })
      const sql = rows === 0 ? undefined : Profile.countsSql(source, figures)
      const counts = sql === undefined ? [] : yield* Explorer.rowsOf(queries, sql)
      const answer: ProfileAnswer = {
        basis:
          known.size > 0
            ? `From the profile of run ${stored.runId}; ranges and frequent values are ${Profile.basisOf(source)}.`
            : `The figures are ${Profile.basisOf(source)}.`,
        columns: Profile.summariesOf(
          source,
          figures,
          counts.map(({ at, n, value }) => ({
            at: Number(at),
            value: value === null ? null : String(value),
            count: Number(n)
          }))
        )
      }
      return answer
    })
  )
})

const figuresOf = Effect.fnUntraced(function* (
  queries: Queries.Queries,
  source: Profile.Source,
  columns: ReadonlyArray<ColumnInfo>
) {
  if (columns.length === 0) return []
  const [row] = yield* Explorer.rowsOf(queries, Profile.figuresSql(source, columns))
  return Profile.figuresIn(source, columns, row ?? {})
})

/** The profiles of a table that the newest run with rows of it has left in the sink. */
const storedProfile = Effect.fnUntraced(function* (
  { layout, loaded: { pipeline }, sink }: Explorer.Explorer,
  table: string
) {
  const none = { runId: "", profiles: [] as ReadonlyArray<ColumnProfile> }
  if (sink.details === undefined || !layout.tables.some(({ name }) => name === table)) return none
  const { directory, name } = pipeline
  const runs = yield* sink.newestRuns?.(directory, { pipeline: name, count: 10 }) ?? sink.runs(directory)
  const run = runs.findLast((one) => one.pipeline === name && !Sink.isUnfinished(one) && (one.rows[table] ?? 0) > 0)
  if (run === undefined) return none
  const [details] = yield* sink.details(directory, [run.runId])
  return { runId: run.runId, profiles: (details?.profiles ?? []).filter((one) => one.table === table) }
})

const storedFigures = (column: ColumnInfo, profile: ColumnProfile): Profile.Figures => ({
  column,
  rows: profile.rows,
  filled: profile.filled,
  distinct: profile.distinct,
  compared: comparedOf(profile.rows),
  isDistinctExact: profile.distinct_exact,
  mean: profile.mean,
  median: profile.quantiles?.p50 ?? null,
  min: boundOf(profile.min),
  max: boundOf(profile.max),
  meanLength: profile.length?.mean ?? null,
  // A profile has them where few values differ.
  top: profile.top ?? undefined
})

/** Beyond 100,000 rows, one batch of eight is looked at (`src/engine/ColumnProfile.ts`). */
const comparedOf = (rows: number): number => (rows <= 100_000 ? rows : 100_000 + (rows - 100_000) / 8)

/** Of a time, its seconds since 1970. */
const boundOf = (bound: ColumnProfile["min"]): number | null => {
  const value = typeof bound === "string" ? Date.parse(bound) / 1000 : bound
  return value === null || Number.isNaN(value) ? null : value
}

interface Limits {
  readonly rows: number
  /** The maximum number of characters of one cell. */
  readonly cell: number
  /** The maximum number of characters of all cells together, before cells are cut. */
  readonly characters: number
}

/** The rows of a result for a grid, with limits on their number and size. */
export const gridRows = Effect.fnUntraced(function* ({ columns, rows }: QueryResult, limits: Limits) {
  const cells = columns.map(({ name, type }) => ({ name, convert: jsonOf(type) }))
  const found: Array<ReadonlyArray<CellValue>> = []
  let characters = 0
  let cut: string | undefined
  yield* Stream.runForEachWhile(rows, (chunk) =>
    Effect.sync(() => {
      for (const row of chunk) {
        if (found.length === limits.rows) cut = `Only the first ${count(limits.rows)} rows are shown.`
        else if (characters > limits.characters)
          cut = `Only the first ${count(found.length)} rows are shown: their texts are long. Select fewer columns.`
        if (cut !== undefined) return false
        found.push(
          cells.map(({ convert, name }) => {
            const value = valueOf(convert(row[name]))
            if (typeof value !== "string") return value
            characters += value.length
            return value.length > limits.cell ? `${value.slice(0, limits.cell).toWellFormed()}…` : value
          })
        )
      }
      return true
    })
  )
  const answer: RowsAnswer = {
    columns: columns.map(({ name, type }) => ({ name, type: Column.toSql(type) })),
    rows: found,
    ...(cut === undefined ? {} : { cut })
  }
  return answer
})

const valueOf = (value: unknown): CellValue => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value
  return JSON.stringify(value)
}
