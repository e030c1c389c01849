/** The runs that a DuckDB file has seen, read as any other reader reads it: the published copy, where there is one. */
import { existsSync } from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Database from "../../src/duckdb/Database.ts"
import type * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { failure } from "./failure.ts"
import type { Options } from "./Options.ts"
import { refusal } from "./Target.ts"

export const runs = Effect.fn("duckdb.runs")(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ReadonlyArray<Sink.RunRecord>, Sink.SinkError> {
  const file = Path.resolve(directory, options.publish ?? options.path)
  if (!existsSync(file)) return []
  return yield* Effect.scoped(read(file))
})

const read = Effect.fnUntraced(function* (file: string) {
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill: `${file}.read` }).pipe(
    Effect.mapError(failure(`cannot start DuckDB for ${file}`))
  )
  yield* database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`).pipe(Effect.mapError(refusal(file)))
  return yield* Effect.gen(function* () {
    const tables = yield* database.query(
      "SELECT table_name FROM duckdb_tables() WHERE database_name = 'target' AND table_name = '_millrace_runs'",
      [{ name: "table_name", type: { _tag: "VARCHAR" }, nullable: false }]
    )
    if (tables.length === 0) return []
    const rows = yield* database.query(
      `SELECT run_id, pipeline, started_at, committed_at, facts, "rows" FROM target.main._millrace_runs ORDER BY rowid`,
      columns
    )
    return yield* Effect.forEach(rows, (row) => decode(row))
  }).pipe(Effect.mapError(failure(`cannot read the runs of ${file}`)))
})

const columns: ReadonlyArray<Column.Column> = [
  { name: "run_id", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "pipeline", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "started_at", type: { _tag: "TIMESTAMP" }, nullable: false },
  { name: "committed_at", type: { _tag: "TIMESTAMP" }, nullable: false },
  { name: "facts", type: { _tag: "JSON" }, nullable: false },
  { name: "rows", type: { _tag: "JSON" }, nullable: false }
]

const counts = Schema.Record(Schema.String, Schema.Finite)
const Row = Schema.Struct({
  run_id: Schema.String,
  pipeline: Schema.String,
  started_at: Schema.BigInt,
  committed_at: Schema.BigInt,
  facts: counts,
  rows: counts
})
const decodeRow = Schema.decodeUnknownEffect(Schema.toType(Row))
const decode = (row: unknown): Effect.Effect<Sink.RunRecord, Schema.SchemaError> =>
  Effect.map(decodeRow(row), ({ run_id: runId, started_at: startedAt, committed_at: committedAt, ...rest }) => ({
    runId,
    startedAt,
    committedAt,
    ...rest
  }))
