/**
 * The state of a folder of files. `_millrace.json` has the state after a commit: the tables, and the checkpoint of each
 * pipeline. Each commit also has a record of its run that never changes.
 */
import * as Schema from "effect/Schema"
import type * as Column from "#engine/Column"
import { toSql } from "#engine/Column"
import { ColumnProfile } from "#engine/ColumnProfile"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import { columnFromSql } from "#engine/columnFromSql"
import * as Instant from "#engine/Instant"
import type * as Sink from "#engine/Sink"

const Kind = Schema.Union([
  Schema.Struct({
    format: Schema.Literal("csv"),
    header: Schema.Boolean,
    delimiter: Schema.String,
    formulas: Schema.optionalKey(Schema.Literals(["text", "keep"]))
  }),
  Schema.Struct({ format: Schema.Literals(["jsonl", "arrow", "parquet"]) })
])

export const TableState = Schema.Struct({
  /** Its name beside `_millrace.json`. It may not lead out of the folder, because another program may have written the state. */
  file: Schema.String.check(
    Schema.isPattern(/^(?!\.{1,2}$)[^/\\\0]+$/, { expected: "the name of a file in its folder" })
  ),
  kind: Kind,
  description: Schema.String,
  /** The pipeline that owns it. */
  owner: Schema.String,
  rows: Schema.Int,
  bytes: Schema.Int,
  key: Schema.Array(Schema.String),
  /** The columns in order, with their SQL types. */
  columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
  /** All columns that runs have written; absent: an older version wrote the table. */
  registry: Schema.optionalKey(ColumnRegistry.Registry)
})
export type TableState = typeof TableState.Type

export const State = Schema.Struct({
  format: Schema.Literal("millrace-files-1"),
  /** The number of the commit. */
  commit: Schema.Int,
  run_id: Schema.String,
  pipeline: Schema.String,
  committed_at: Schema.String,
  tables: Schema.Record(Schema.String, TableState),
  checkpoints: Schema.Record(Schema.String, Schema.Struct({ run_id: Schema.String, state: Schema.Unknown }))
})
export type State = typeof State.Type

export const CommitRecord = Schema.Struct({
  run: Schema.Struct({
    run_id: Schema.String,
    pipeline: Schema.String,
    started_at: Schema.String,
    committed_at: Schema.String,
    facts: Schema.Record(Schema.String, Schema.Finite),
    rows: Schema.Record(Schema.String, Schema.Finite),
    once: Schema.optionalKey(Schema.String)
  }),
  checks: Schema.Array(
    Schema.Struct({ check: Schema.String, table: Schema.String, passed: Schema.Boolean, found: Schema.String })
  ),
  profiles: Schema.Array(ColumnProfile),
  /** The size of the files of its tables. */
  bytes: Schema.Record(Schema.String, Schema.Int)
})
export type CommitRecord = typeof CommitRecord.Type

export const decodeState = Schema.decodePromise(Schema.fromJsonString(State))
export const decodeRecord = Schema.decodePromise(Schema.fromJsonString(CommitRecord))

/** Makes the state and the record of a commit. */
export const afterCommit = (
  before: State | undefined,
  { checkpoint, checks, profiles = [], run }: Sink.Commit,
  pipeline: string,
  tables: Readonly<Record<string, TableState>>
): { readonly state: State; readonly record: CommitRecord } => {
  const committed_at = Instant.textOf(run.committedAt)
  const { facts, once, rows, runId: run_id } = run
  return {
    state: {
      format: "millrace-files-1",
      commit: (before?.commit ?? 0) + 1,
      run_id,
      pipeline,
      committed_at,
      tables: { ...before?.tables, ...tables },
      checkpoints: {
        ...before?.checkpoints,
        [pipeline]: { run_id: checkpoint.runId, state: checkpoint.state ?? null }
      }
    },
    record: {
      run: {
        run_id,
        pipeline: run.pipeline,
        started_at: Instant.textOf(run.startedAt),
        committed_at,
        facts,
        rows,
        ...(once === undefined ? {} : { once })
      },
      checks,
      profiles,
      bytes: Object.fromEntries(Object.entries(tables).map(([name, { bytes }]) => [name, bytes]))
    }
  }
}

export const runOf = ({ run }: CommitRecord): Sink.RunRecord => ({
  runId: run.run_id,
  pipeline: run.pipeline,
  startedAt: Instant.microsOfWritten(run.started_at),
  committedAt: Instant.microsOfWritten(run.committed_at),
  facts: run.facts,
  rows: run.rows,
  ...(run.once === undefined ? {} : { once: run.once })
})

/** Convert columns to texts for the state, and back. Columns of types that this version does not know are left out. */
export const columnTexts = (columns: ReadonlyArray<Column.Column>): TableState["columns"] =>
  columns.map(({ name, type }) => ({ name, type: toSql(type) }))

export const columnsOf = ({ columns }: TableState): ReadonlyArray<Column.Column> =>
  columns.flatMap(({ name, type: text }) => {
    const type = columnFromSql(text)
    return type === undefined ? [] : [{ name, type, nullable: true }]
  })
