/** The tables of a sink: their columns, how many rows they have, and what to ask of them first. */
import * as Effect from "effect/Effect"
import { literal } from "../../duckdb/Database.ts"
import * as Column from "../../pipeline/Column.ts"
import type * as Queries from "../../pipeline/Queries.ts"
import { sinkTablesOf } from "../export/tablesOfSink.ts"
import { questionsOf } from "../notebook/questions.ts"
import type { ColumnInfo, Question, TableInfo, TablesAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"

/** With `isOwnOnly`, of the tables that the pipeline file defines. */
export const exploreTables = Effect.fn("exploreTables")(function* (explorer: Explorer.Explorer, isOwnOnly = false) {
  const { layout, loaded, name, sink } = explorer
  const defined = sinkTablesOf(loaded.pipeline, sink, layout)
  const { found, rows } = yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const all = yield* columnsIn(queries)
      const isAsked = (name: string) => !isOwnOnly || defined.some(({ table }) => table.name === name)
      const found = new Map([...all].filter(([name]) => isAsked(name)))
      const counts = [...found.keys()].map(
        (table) => `SELECT ${literal(table)} AS name, count(*) AS n FROM ${Column.quote(table)}`
      )
      const counted = counts.length === 0 ? [] : yield* Explorer.rowsOf(queries, counts.join("\nUNION ALL "))
      return { found, rows: new Map(counted.map((row) => [String(row["name"]), Number(row["n"])])) }
    })
  )
  const own = defined.filter(({ table }) => found.has(table.name))
  const infoOf = (table: string): TableInfo => {
    const known = own.find((one) => one.table.name === table)?.table
    return {
      name: table,
      description: known?.description ?? "",
      key: known?.key ?? [],
      isOwn: known !== undefined,
      rows: rows.get(table) ?? 0,
      columns: found.get(table) ?? []
    }
  }
  const names = own.map(({ table }) => table.name)
  const others = [...found.keys()].filter((table) => !names.includes(table)).toSorted()
  const keepsRuns = found.has("_millrace_runs")
  const answer: TablesAnswer = {
    pipeline: loaded.pipeline.name,
    sink: name,
    tables: [...names, ...others].map(infoOf),
    questions: questionsOf(own, keepsRuns).map(({ chart, sql, title, values = {} }): Question => {
      const said = Object.entries(values).reduce(
        (text, [key, value]) => text.replaceAll(`$${key}`, literal(value)),
        sql
      )
      return { title, sql: said, ...(chart === undefined ? {} : { chart }) }
    })
  }
  return answer
})

/** The columns of each table, in their order. */
export const columnsIn = (queries: Queries.Queries) =>
  Effect.map(
    Explorer.rowsOf(
      queries,
      `SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_catalog = current_database()
        ORDER BY table_name, ordinal_position`
    ),
    (rows) => {
      const tables = new Map<string, Array<ColumnInfo>>()
      for (const { column_name: column, data_type: type, table_name: table } of rows) {
        const columns = tables.get(String(table)) ?? []
        columns.push({ name: String(column), type: String(type) })
        tables.set(String(table), columns)
      }
      return tables
    }
  )
