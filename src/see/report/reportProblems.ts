/**
 * What went wrong with single rows and pages of a run: rejects by reason, and errors by code, each with examples. Beside
 * them, how many rows each table has now.
 *
 * They are asked of the tables of a destination, so a run whose rows were replaced since has none there any more.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import { literal } from "#engine/Duckdb"
import type * as OutputTables from "#engine/OutputTables"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import type { Loaded } from "../loadPipeline.ts"
import type { PastRun } from "../pastRuns.ts"
import type { Problem } from "./ReportModel.ts"

/** Rejects, errors and stored rows, by the first sink of the run that SQL can be asked of. */
export const problemsOf = Effect.fnUntraced(function* (
  { pipeline }: Loaded,
  layout: OutputTables.OutputTables,
  run: PastRun,
  runs: ReadonlyArray<PastRun>
) {
  const none = { rejects: [], errors: [], stored: new Map<string, number>(), notes: [] as ReadonlyArray<string> }
  if (run.sinks.length === 0) return none
  const others = layout.tables.filter((table) => table !== layout.rejects && table !== layout.main)
  const notes: Array<string> = []
  for (const name of run.sinks) {
    const sink = pipeline.sinks[name]
    if (sink?.queries === undefined) continue
    const record = runs.findLast(({ sinks }) => sinks.includes(name))
    const isLast = record?.runId === run.runId
    const asOf = isLast || run.endedAt === undefined ? undefined : { ...run, committedAt: run.endedAt }
    const opened = yield* Effect.result(
      sink
        .queries(pipeline.directory, { asOf })
        // A DuckDB file only has the current tables.
        .pipe(
          Effect.catch((error) =>
            asOf === undefined ? Effect.fail(error) : (sink.queries?.(pipeline.directory, {}) ?? Effect.fail(error))
          )
        )
    )
    if (opened._tag === "Failure") {
      notes.push(`sink ${name} cannot be asked: ${opened.failure.message}`)
      continue
    }
    const owner = sink.shared === true ? Sink.ownerOf(pipeline.name) : undefined
    const place: RunTables = { queries: opened.success, runId: run.runId, owner }
    const answer = yield* Effect.result(
      Effect.all({
        rejects: rejectsOf(place, layout.rejects),
        errors: errorsOf(place, others),
        stored: storedRows(place, layout.tables)
      })
    )
    if (answer._tag === "Success") return { ...answer.success, notes }
    notes.push(`sink ${name} cannot be asked: ${answer.failure.message}`)
  }
  return {
    ...none,
    notes: notes.length > 0 ? notes : ["no sink of this run answers SQL, so rejects and errors are not listed"]
  }
})

interface RunTables {
  readonly queries: Queries.Queries
  readonly runId: string
  /** Whose rows they are, where several pipelines write the same tables. */
  readonly owner: string | undefined
}

const mostReasons = 20

const mostExamples = 3

const longestText = 300

/** Rejects, by reason. */
const rejectsOf = (place: RunTables, rejects: Table.Table) =>
  problemRows(place, {
    from: rejects.name,
    table: "table_name",
    reason: "reason",
    where: "coalesce(path, '')",
    text: "CAST(raw AS VARCHAR)",
    only: "true"
  })

/** Tables of a source that have errors: a column `error`, and a `code` or nothing beside it. */
const errorsOf = Effect.fnUntraced(function* (place: RunTables, tables: ReadonlyArray<Table.Table>) {
  const found: Array<Problem> = []
  for (const table of tables) {
    const has = (name: string) => table.columns.some((column) => column.name === name)
    if (!has("error")) continue
    const where = ["url", "_source_url", ...table.key].find(has)
    const { code, text } = has("code") ? { code: "code", text: "error" } : { code: "error", text: "NULL" }
    found.push(
      ...(yield* problemRows(place, {
        from: table.name,
        table: literal(table.name),
        reason: `coalesce(${code}, 'unknown')`,
        where: where === undefined ? "''" : `coalesce(CAST(${Column.quote(where)} AS VARCHAR), '')`,
        text,
        only: has("code") ? "(error IS NOT NULL OR code IS NOT NULL)" : "error IS NOT NULL"
      }))
    )
  }
  return found.toSorted((a, b) => b.count - a.count).slice(0, mostReasons)
})

/** How many rows each table has now. */
const storedRows = Effect.fnUntraced(function* ({ owner, queries }: RunTables, tables: ReadonlyArray<Table.Table>) {
  const counts = new Map<string, number>()
  const only = owner === undefined ? "" : ` WHERE _pipeline = ${literal(owner)}`
  for (const { name } of tables) {
    const rows = yield* Effect.orElseSucceed(
      answerOf(queries, `SELECT count(*) AS n FROM ${Column.quote(name)}${only}`),
      (): ReadonlyArray<Table.Row> => []
    )
    const [row] = rows
    if (row !== undefined) counts.set(name, Number(row["n"]))
  }
  return counts
})

const problemRows = (
  { owner, queries, runId }: RunTables,
  of: Readonly<Record<"from" | "table" | "reason" | "where" | "text" | "only", string>>
): Effect.Effect<ReadonlyArray<Problem>, Sink.SinkError> => {
  const ours = owner === undefined ? "" : ` AND _pipeline = ${literal(owner)}`
  const rows = answerOf(
    queries,
    `WITH found AS (
      SELECT ${of.table} AS table_name, left(${of.reason}, ${longestText}) AS reason,
        left(${of.where}, ${longestText}) AS place, left(coalesce(${of.text}, ''), ${longestText}) AS text
      FROM ${Column.quote(of.from)} WHERE _run_id = ${literal(runId)}${ours} AND ${of.only}
    ), numbered AS (
      SELECT *, count(*) OVER (PARTITION BY table_name, reason) AS n,
        row_number() OVER (PARTITION BY table_name, reason ORDER BY place, text) AS k FROM found
    )
    SELECT table_name, reason, place, text, n FROM numbered WHERE k <= ${mostExamples}
    ORDER BY n DESC, table_name, reason, k LIMIT ${mostReasons * mostExamples}`
  )
  return Effect.map(rows, grouped)
}

const grouped = (rows: ReadonlyArray<Table.Row>): ReadonlyArray<Problem> => {
  const groups = new Map<string, Problem>()
  for (const { n, place, reason, table_name: table, text } of rows) {
    const name = JSON.stringify([table, reason])
    const { examples } = groups.get(name) ?? { examples: [] }
    const example = { where: String(place), text: String(text) }
    groups.set(name, {
      table: String(table),
      reason: String(reason),
      count: Number(n),
      examples: [...examples, example]
    })
  }
  return [...groups.values()].slice(0, mostReasons)
}

const answerOf = (queries: Queries.Queries, sql: string) =>
  Effect.flatMap(queries.ask(sql), ({ rows }) =>
    Effect.map(Stream.runCollect(rows), (chunks): ReadonlyArray<Table.Row> => [...chunks].flat())
  )
