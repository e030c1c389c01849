/** Where a value of an exported folder comes from: what `millrace why` says, by the tables that the folder has. */

import { current, evidenceIn, notesWithout, readingOf, textIn, textOf } from "../../why/evidenceRows.ts"
import type { Context, Evidence, WhyModel } from "../../why/WhyModel.ts"
import type { RowsAnswer, RunsAnswer, TableInfo, TablesAnswer, WhyQuestion } from "../ExploreApi.ts"
import { contextsTable } from "../folderFiles.ts"
import { literal, quote } from "../gridSql.ts"

type Row = Readonly<Record<string, unknown>>

interface Folder {
  readonly tables: TablesAnswer
  readonly runs: RunsAnswer
  readonly ask: (sql: string) => Promise<RowsAnswer>
}

export const folderWhy = async (folder: Folder, { column, key, table }: WhyQuestion): Promise<WhyModel> => {
  const info = folder.tables.tables.find(({ name }) => name === table)
  const known = info?.columns.find(({ name }) => name === column)
  if (info === undefined || known === undefined) throw new Error(`there is no column ${table}.${column}`)
  const [row] = current(await rowsOf(folder, info.name, key))
  if (row === undefined) throw new Error(`table ${table} has no such row`)
  const { run_id: runId, ...reading } = readingOf(row)
  const run = folder.runs.runs.find((one) => one.run_id === runId)
  const found = await evidenceFor(folder, info, row, column)
  const evidence = await inContext(folder, found)
  const value = row[column] ?? null
  const isLacking = evidence.some(({ context, span }) => context === null && span !== null)
  return {
    pipeline: folder.tables.pipeline,
    sink: folder.tables.sink,
    table,
    key,
    column,
    type: known.type,
    value,
    row: { ...reading, run_id: runId },
    run: run === undefined ? null : { started_at: run.started_at, status: run.status },
    engine: await engineOf(folder, reading.job_id),
    reading: info.reading === undefined ? null : { column: info.reading, version: row[info.reading] ?? null },
    evidence,
    notes: [
      ...notesWithout(table, info.evidence !== undefined, evidence, value),
      ...(isLacking ? (folder.tables.contexts ?? []) : [])
    ]
  }
}

const evidenceFor = async (folder: Folder, { evidence, name }: TableInfo, row: Row, column: string) => {
  if (evidence === undefined) return []
  const { main, on, sources } = evidence
  const values = Object.entries(on).map(([own, theirs]) => [own, row[theirs] ?? null] as const)
  const all = await rowsOf(folder, sources, Object.fromEntries(values))
  return evidenceIn(all, { main: { name: main }, table: { name }, row, column })
}

/** Each with the text around its place, if the export had the page. */
const inContext = async (
  { ask }: Folder,
  found: ReadonlyArray<Omit<Evidence, "context">>
): Promise<ReadonlyArray<Evidence>> => {
  const urls = [...new Set(found.map(({ url }) => url))]
  if (urls.length === 0) return []
  const rows = recordsOf(
    await ask(`SELECT * FROM ${quote(contextsTable)} WHERE url IN (${urls.map((url) => literal(url)).join(", ")})`)
  )
  const nameOf = (parts: ReadonlyArray<unknown>): string => JSON.stringify(parts)
  const contexts = new Map(
    rows.map((row): readonly [string, Context] => [
      nameOf([row["url"], Number(row["span_from"]), Number(row["span_to"]), row["value"]]),
      {
        before: textIn(row, "before") ?? "",
        marked: textIn(row, "marked") ?? "",
        after: textIn(row, "after") ?? "",
        source: textIn(row, "source") ?? "",
        matches: row["matches"] === true
      }
    ])
  )
  return found.map((one) => ({
    ...one,
    context: (one.span && contexts.get(nameOf([one.url, ...one.span, one.value]))) ?? null
  }))
}

/** Who read the values of a job, as the table of jobs has it. */
const engineOf = async (folder: Folder, job: string | null): Promise<WhyModel["engine"]> => {
  for (const { columns, key, name } of folder.tables.tables) {
    const id = ["job_id", "run_id"].find((one) => key.join() === one)
    if (job === null || id === undefined || !columns.some((column) => column.name === "engine")) continue
    const [row] = await rowsOf(folder, name, { [id]: job })
    const engine = row && textIn(row, "engine")
    if (row !== undefined && engine != null) return { name: engine, model: textIn(row, "model") }
  }
  return null
}

/** The rows of a table whose columns have these values, those of the last run first. */
const rowsOf = async (
  { ask, tables }: Folder,
  table: string,
  values: Readonly<Record<string, unknown>>
): Promise<ReadonlyArray<Row>> => {
  const columns = tables.tables.find(({ name }) => name === table)?.columns ?? []
  const same = Object.entries(values).map(([name, value]) => {
    const type = columns.find((column) => column.name === name)?.type ?? "VARCHAR"
    if (value === null) return `${quote(name)} IS NULL`
    // A moment has several spellings.
    return type.startsWith("TIMESTAMP")
      ? `${quote(name)} = CAST(${literal(textOf(value))} AS TIMESTAMP)`
      : `CAST(${quote(name)} AS VARCHAR) = ${literal(textOf(value))}`
  })
  const only = same.length === 0 ? "" : ` WHERE ${same.join(" AND ")}`
  const order = columns.some(({ name }) => name === "_run_id") ? " ORDER BY _run_id DESC" : ""
  return recordsOf(await ask(`SELECT * FROM ${quote(table)}${only}${order} LIMIT 1000`))
}

const recordsOf = ({ columns, rows }: RowsAnswer): ReadonlyArray<Row> =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))
