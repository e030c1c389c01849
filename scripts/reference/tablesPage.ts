/**
 * `docs/reference/tables.md`: every table that a source fills, as `millrace plan` says it of the pipelines that are shipped,
 * and the tables that the DuckDB sink keeps, as a database has them after a run.
 */
import { execFile } from "node:child_process"
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Schema from "effect/Schema"
import { connectors } from "#connectors/index"
import { code, page, table } from "./markdown.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A pipeline for each source, and for each way in which one reads. */
const pipelines = [
  "quickstart.yaml",
  "extract-products.yaml",
  "agent-jobs.yaml",
  "gov-search.yaml",
  "gov-corpus.yaml",
  "monitor.yaml",
  "site-history.yaml"
]

const Plan = Schema.Struct({
  source: Schema.String,
  tables: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      description: Schema.String,
      key: Schema.Array(Schema.String),
      columns: Schema.Array(
        Schema.Struct({
          name: Schema.String,
          type: Schema.String,
          nullable: Schema.Boolean,
          description: Schema.optionalKey(Schema.String)
        })
      )
    })
  )
})
type Plan = typeof Plan.Type
type PlannedTable = Plan["tables"][number]

/** What the tables of the DuckDB sink itself are for. */
const ledger: Readonly<Record<string, string>> = {
  _millrace_runs: "one row per run that committed: its counts, how it ended, the key of its caller (`once`)",
  _millrace_loads:
    "one row per table that a commit wrote: the number of rows, the write disposition, and how many rows of which runs it added and removed, with the sums of their hashes",
  _millrace_checks: "one row per check of a run, with its result",
  _millrace_profiles:
    "one row per run and column: the number of filled and of distinct values, and the whole profile as JSON",
  _millrace_state: "one row per pipeline: the checkpoint from which its next run starts",
  _millrace_tables:
    "one row per table: the pipeline that it belongs to, whether it is shared, and its columns (JSON): the name of each column in the source, and its types"
}

export const tablesPage = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-docs-"))
  try {
    await cp(join(root, "pipelines"), folder, {
      recursive: true,
      filter: (path) => !/\/(out|\.millrace)(\/|$)/.test(path)
    })
    const [plans, own] = await Promise.all([
      Promise.all(pipelines.map((file) => planOf(folder, file))),
      ledgerOf(folder)
    ])
    const missing = connectors
      .flatMap(({ sources }) => sources)
      .filter(({ type }) => plans.every(({ source }) => source !== type))
    if (missing.length > 0)
      throw new Error(`no shipped pipeline shows the tables of ${missing.map(({ type }) => type).join()}`)
    const names = Object.keys(ledger).sort().join()
    if ([...own.keys()].sort().join() !== names)
      throw new Error(`the DuckDB sink keeps other tables: ${[...own.keys()].join()}`)
    return whole(plans, own)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const whole = (plans: ReadonlyArray<Plan>, own: ReadonlyMap<string, string>): string => {
  const rejects = plans[0]?.tables.at(-1)
  return page(
    "Tables",
    "Every table that a run fills, from `bin/millrace plan` of the files in `pipelines/`, and every table that " +
      "the DuckDB sink keeps " +
      "beside them. Names are those of the default `table.name`. A column may be null unless the table says NOT NULL.",
    [
      "Every row has `_run_id` (the run that loaded it). Most have `_fetched_at` (when it was read), " +
        "`_source_url` (its URL) and `_job_id` (the job of the service that read it). With `shared: true` rows " +
        "also have `_pipeline`; with `write: scd2` they have " +
        "`valid_from`, `valid_to` and `is_current`.",
      ...plans.flatMap((plan, index) => [
        `## ${plan.source}, as \`pipelines/${pipelines[index] ?? ""}\` has it`,
        ...plan.tables.slice(0, -1).flatMap(section)
      ]),
      "## Rejects",
      "Every main table has a table `NAME__rejects` for the rows that did not fit.",
      ...(rejects === undefined ? [] : section({ ...rejects, name: "NAME__rejects" })),
      "## What the DuckDB sink keeps",
      "These tables are written in the same transaction as the rows. In Parquet, the [manifest](manifest.md) has " +
        "the same facts.",
      ...[...own].flatMap(([name, columns]) => [`### ${name}`, `${ledger[name] ?? ""}.`, columns])
    ]
  )
}

const section = ({ columns, description, key, name }: PlannedTable): ReadonlyArray<string> => [
  `### ${name}`,
  `${description}. Key: ${key.length === 0 ? "none" : key.map(code).join(", ")}.`,
  table(
    ["column", "type", "what it holds"],
    columns.map((column) => [code(column.name), code(typeOf(column)), column.description ?? ""])
  )
]

const typeOf = ({ nullable, type }: PlannedTable["columns"][number]): string =>
  `${type.replaceAll('"', "")}${nullable ? "" : " NOT NULL"}`

/** The columns of each type, in the order in which the table has the first of them. */
const byType = (columns: PlannedTable["columns"]): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const groups = new Map<string, Array<string>>()
  for (const column of columns) {
    const kind = typeOf(column)
    groups.set(kind, [...(groups.get(kind) ?? []), column.name])
  }
  return [...groups]
}

const millrace = async (folder: string, ...args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)(join(root, "bin/millrace"), args, { cwd: folder })).stdout

const planOf = async (folder: string, file: string): Promise<Plan> =>
  Schema.decodeSync(Schema.fromJsonString(Plan))(await millrace(folder, "plan", file, "--json"))

/** Loads one row, which needs no network, and asks the database for its own tables. */
const ledgerOf = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const file = "one-row.yaml"
  await writeFile(
    join(folder, file),
    "source: { type: search_gov, queries: [17 U.S.C. 101] }\nsinks: { warehouse: { type: duckdb, path: ./one-row.duckdb } }\n"
  )
  await millrace(folder, "run", file)
  const instance = await DuckDBInstance.create(join(folder, "one-row.duckdb"), { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const rows = await connection.runAndReadAll(
    "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() WHERE starts_with(table_name, '_millrace_') ORDER BY table_name, column_index"
  )
  connection.closeSync()
  instance.closeSync()
  const tables = new Map<string, Array<PlannedTable["columns"][number]>>()
  for (const [owner, name, type, nullable] of rows.getRows()) {
    const known = tables.get(String(owner)) ?? []
    tables.set(String(owner), [...known, { name: String(name), type: String(type), nullable: nullable === true }])
  }
  return new Map(
    Array.from(tables, ([name, columns]) => [
      name,
      table(
        ["type", "columns"],
        byType(columns).map(([type, names]) => [code(type), names.map(code).join(", ")])
      )
    ])
  )
}
