/**
 * The rows of a destination that answers SQL: each row is read, so that the database compares its own checksums, and the keys of
 * merge and scd2 are looked through for doubles.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { duckdb } from "#connectors/duckdb/index"
import * as Column from "#engine/Column"
import { writeOf } from "#engine/planOf"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { type Loaded, layoutOf } from "#see/loadPipeline"

export const verifyRows = Effect.fnUntraced(function* (loaded: Loaded, name: string) {
  const { pipeline } = loaded
  const sink = pipeline.sinks[name]
  const findings: Array<Sink.Finding> = []
  const found = { tables: 0, rows: 0, findings }
  if (sink?.queries === undefined) return found
  const layout = yield* layoutOf(loaded)
  const opened = yield* Effect.result(sink.queries(pipeline.directory, {}))
  if (opened._tag === "Failure") {
    findings.push(openOf(name, `${name}: ${opened.failure.message}`))
    return found
  }
  const runs = yield* Effect.orElseSucceed(sink.runs(pipeline.directory), () => [])
  const stored = new Set(
    runs.flatMap((run) => Object.entries(run.rows).flatMap(([table, rows]) => (rows > 0 ? [table] : [])))
  )
  for (const table of layout.tables.filter((one) => stored.has(one.name))) {
    const write = writeOf(sink, layout, table)
    const counted = yield* Effect.result(
      tableOf(opened.success, sink, {
        table,
        write,
        loaded: write === "append" ? loadedBy(runs, table.name) : undefined
      })
    )
    if (counted._tag === "Failure") findings.push(openOf(table.name, `table ${table.name}: ${counted.failure.message}`))
    else {
      found.tables += 1
      found.rows += counted.success.rows
      findings.push(...counted.success.findings)
    }
  }
  return found
}, Effect.scoped)

/** The tables of a DuckDB file that no pipeline of a folder names. */
export const verifyDatabase = Effect.fnUntraced(function* (path: string) {
  const findings: Array<Sink.Finding> = []
  const found = { tables: 0, rows: 0, findings }
  const sink = duckdb.with({ path })
  const read = Effect.gen(function* () {
    if (sink.queries === undefined) return
    const queries = yield* sink.queries(process.cwd(), {})
    const answer = yield* queries.ask(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
    )
    for (const { name } of (yield* Stream.runCollect(answer.rows)).flat()) {
      found.rows += yield* rowsOf(queries, sink, String(name))
      found.tables += 1
    }
  })
  yield* Effect.catch(read, ({ message }) => Effect.sync(() => void findings.push(openOf(path, message))))
  return found
}, Effect.scoped)

const openOf = (path: string, message: string): Sink.Finding => ({ path, message, outcome: "open" })

/** The rows that the runs of the record loaded into a table. */
const loadedBy = (runs: ReadonlyArray<Sink.RunRecord>, table: string): number =>
  runs.reduce((sum, { rows }) => sum + (rows[table] ?? 0), 0)

interface Looked {
  readonly table: Table.Table
  readonly write: Sink.WriteDisposition
  /** The rows that its runs loaded, if each load adds rows. */
  readonly loaded: number | undefined
}

const tableOf = Effect.fnUntraced(function* <R>(
  queries: Queries.Queries,
  sink: Sink.Destination<R>,
  { loaded, table, write }: Looked
) {
  const name = Column.quote(table.name)
  const rows = yield* rowsOf(queries, sink, table.name)
  const findings: Array<Sink.Finding> = []
  const lost = (message: string) => findings.push(openOf(table.name, `table ${table.name}: ${message}`))
  if (loaded !== undefined && rows < loaded) lost(`it has ${rows} rows, and its runs loaded ${loaded}`)
  const key = [...(sink.shared === true ? [Sink.pipelineColumn.name] : []), ...table.key].map(Column.quote).join(", ")
  if (table.key.length === 0 || (write !== "merge" && write !== "scd2")) return { rows, findings }
  const where = write === "scd2" ? "WHERE is_current" : ""
  const doubled = `SELECT 1 AS one FROM ${name} ${where} GROUP BY ${key} HAVING count(*) > 1`
  const [doubles = 0] = yield* numbers(queries, `SELECT count(*) FROM (${doubled}) AS doubles`)
  if (doubles > 0) lost(`${doubles} keys have several ${write === "scd2" ? "current versions" : "rows"}`)
  if (write !== "scd2") return { rows, findings }
  const before = `lag(valid_to) OVER (PARTITION BY ${key} ORDER BY valid_from, valid_to)`
  const versions = `SELECT valid_from, ${before} AS ended FROM ${name}`
  const [overlaps = 0] = yield* numbers(
    queries,
    `SELECT count(*) FROM (${versions}) AS versions WHERE ended > valid_from`
  )
  if (overlaps > 0) lost(`${overlaps} versions begin before the one before them ends`)
  return { rows, findings }
})

/** Reads each row of a table, and counts them. */
const rowsOf = <R>(queries: Queries.Queries, { type }: Sink.Destination<R>, table: string) => {
  const all = type === "postgres" ? `sum(hashtext(t::text))` : "bit_xor(hash(t))"
  return Effect.map(numbers(queries, `SELECT count(*), ${all} FROM ${Column.quote(table)} AS t`), ([rows = 0]) => rows)
}

/** The numbers of the only row of a query. */
const numbers = Effect.fnUntraced(function* (queries: Queries.Queries, sql: string) {
  const answer = yield* queries.ask(sql)
  const chunks = yield* Stream.runCollect(answer.rows)
  const row = [...chunks].flat()[0] ?? {}
  return answer.columns.map(({ name }) => Number(row[name] ?? 0))
})
