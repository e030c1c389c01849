/** The tables of a sink: their columns, their numbers of rows, and first queries. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { literal } from "#engine/Duckdb"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import { sinkTablesOf } from "../export/tablesOfSink.ts"
import { questionsOf } from "../notebook/questions.ts"
import { runsOf } from "../pastRuns.ts"
import { collectReport } from "../report/collectReport.ts"
import { isRead, runOf } from "../report/reportRuns.ts"
import { evidenceColumns, evidenceTable } from "../why/evidenceOf.ts"
import type { ColumnInfo, Question, RunsAnswer, TableInfo, TablesAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"

/** `isForFolder`: only the tables that the pipeline file defines, with queries in the SQL of DuckDB. */
export const exploreTables = Effect.fn("exploreTables")(function* (explorer: Explorer.Explorer, isForFolder: boolean) {
  const { layout, loaded, name, sink } = explorer
  const isDuckDb = explorer.isDuckDb || isForFolder
  const defined = sinkTablesOf(loaded.pipeline, sink, layout)
  const { found, rows } = yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const all = yield* columnsIn(explorer, queries)
      const isAsked = (name: string) => !isForFolder || defined.some(({ table }) => table.name === name)
      const found = new Map([...all].filter(([name]) => isAsked(name)))
      const counts = [...found].map(([table, columns]) => {
        const current = Sink.isHistory(columns) ? "count(*) FILTER (WHERE is_current)" : "CAST(NULL AS BIGINT)"
        return `SELECT ${literal(table)} AS name, count(*) AS n, ${current} AS current FROM ${Column.quote(table)}`
      })
      const counted = counts.length === 0 ? [] : yield* Explorer.rowsOf(queries, counts.join("\nUNION ALL "))
      return { found, rows: new Map(counted.map((row) => [String(row["name"]), row])) }
    })
  )
  const own = defined.filter(({ table }) => found.has(table.name))
  const infoOf = (table: string): TableInfo => {
    const known = own.find((one) => one.table.name === table)?.table
    const current = rows.get(table)?.["current"] ?? null
    const history = table.replace(/_current$/, "")
    const isView = known === undefined && history !== table && (rows.get(history)?.["current"] ?? null) !== null
    return {
      name: table,
      description: known?.description ?? "",
      key: known?.key ?? [],
      isOwn: known !== undefined,
      isRecord: isRecord(explorer, table),
      ...evidenceOf(explorer, table),
      rows: Number(rows.get(table)?.["n"] ?? 0),
      ...(current === null || isView ? {} : { current: Number(current) }),
      ...(isView ? { currentOf: history } : {}),
      columns: (found.get(table) ?? []).map((column): ColumnInfo => {
        const description = Column.named(known?.columns ?? [], column.name)?.description
        return description === undefined ? column : { ...column, description }
      })
    }
  }
  const names = own.map(({ table }) => table.name)
  const others = [...found.keys()].filter((table) => !names.includes(table)).toSorted()
  const keepsRuns = found.has("_millrace_runs")
  const questions = questionsOf(own, keepsRuns, isDuckDb ? "DuckDB" : "Postgres")
  const answer: TablesAnswer = {
    pipeline: loaded.pipeline.name,
    sink: name,
    dialect: isDuckDb ? "DuckDB" : "Postgres",
    tables: [...names, ...others].map(infoOf),
    questions: questions.map(({ sql, title, values = {} }): Question => {
      const filled = Object.entries(values).reduce(
        (text, [key, value]) => text.replaceAll(`$${key}`, literal(value)),
        sql
      )
      return { title, sql: filled }
    })
  }
  return answer
})

/**
 * Whether Millrace writes the table about its runs. Of the tables of a source these are its errors and its jobs: they have a
 * column `error`, or their key is the id of a job.
 */
const isRecord = ({ layout }: Explorer.Explorer, name: string): boolean => {
  const table = layout.tables.find((one) => one.name === name)
  if (table === undefined) return name.startsWith("_millrace_")
  if (table === layout.main) return false
  return (
    table === layout.rejects ||
    Column.named(table.columns, "error") !== undefined ||
    ["job_id", "run_id"].includes(table.key.join())
  )
}

/** The tables in which a page without a server finds the evidence that `millrace why` prints. */
const evidenceOf = (
  { layout: { tables } }: Explorer.Explorer,
  name: string
): Pick<TableInfo, "evidence" | "reading"> => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) return {}
  const place = evidenceTable(table, tables)
  const on = place && evidenceColumns(place, table)
  return {
    ...(place === undefined || on === undefined
      ? {}
      : { evidence: { sources: place.sources.name, main: place.main.name, on } }),
    ...(table.reading === undefined ? {} : { reading: table.reading.version })
  }
}

/** The columns of each table, in their order. */
export const columnsIn = ({ isDuckDb }: Explorer.Explorer, queries: Queries.Queries) =>
  isDuckDb ? columnsByCatalog(queries) : columnsByName(queries)

/** Queries of a Postgres sink cannot read its catalog. */
const columnsByName = Effect.fnUntraced(function* (queries: Queries.Queries) {
  const tables = new Map<string, ReadonlyArray<ColumnInfo>>()
  for (const { name } of yield* Explorer.rowsOf(queries, "SHOW TABLES")) {
    const columns = yield* Explorer.rowsOf(queries, `DESCRIBE ${Column.quote(String(name))}`)
    const infos = columns.map((column) => ({
      name: String(column["column_name"]),
      type: String(column["column_type"])
    }))
    tables.set(String(name), infos)
  }
  return tables
})

const columnsByCatalog = (queries: Queries.Queries) =>
  Effect.map(
    Explorer.rowsOf(
      queries,
      `SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_catalog = current_database()
        ORDER BY table_name, ordinal_position`
    ),
    (rows): ReadonlyMap<string, ReadonlyArray<ColumnInfo>> => {
      const tables = new Map<string, Array<ColumnInfo>>()
      for (const { column_name: column, data_type: type, table_name: table } of rows) {
        const columns = tables.get(String(table)) ?? []
        columns.push({ name: String(column), type: String(type) })
        tables.set(String(table), columns)
      }
      return tables
    }
  )

/** The runs of the pipeline, and one of them with its errors. */
export const exploreRuns = Effect.fn("exploreRuns")(function* ({ loaded, path }: Explorer.Explorer) {
  const { runs, unread } = yield* runsOf({ path, pipeline: loaded.pipeline })
  const newestFirst = runs.filter(isRead).toSorted((a, b) => (a.startedAt > b.startedAt ? -1 : 1))
  const answer: RunsAnswer = { runs: newestFirst.map(runOf), notes: unread }
  return answer
})

/** One run, in the form of `millrace report --json`. */
export const exploreRun = Effect.fn("exploreRun")(({ loaded, path }: Explorer.Explorer, run: string) =>
  Effect.scoped(collectReport(path, loaded, run))
)
