/**
 * Answers SQL on the tables of a folder. DuckDB reads the files with the column types in `_millrace.json`; nothing is guessed
 * from the contents of a file.
 *
 * Guarantee: a query sees one commit, whatever is written meanwhile.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { queries as queriesOf } from "#engine/duckdbQueries"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { attempt, failure } from "./failure.ts"
import { rootOf } from "./folder/openFolder.ts"
import { columnsOf, type TableState } from "./folder/State.ts"
import * as Versions from "./folder/Versions.ts"
import { selectFile } from "./format/selectFile.ts"
import type { Options } from "./options.ts"
import { rowsFrom } from "./table/tableFile.ts"

export const queries = Effect.fn("file.queries")(function* (
  options: Options,
  directory: string,
  { asOf, file: out }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, Sink.SinkError, Scope.Scope> {
  const root = rootOf(options, directory)
  const found = yield* attempt(`cannot read ${root}`, () =>
    asOf === undefined ? Versions.read(root) : Versions.readRun(root, asOf.runId)
  )
  if (found === undefined) {
    return yield* failure(
      asOf === undefined
        ? `${root} has no tables yet: run the pipeline first`
        : `${root} does not have run ${asOf.runId} any more: it keeps the last two commits; a lake (type: parquet) keeps more`
    )()
  }
  const within = Effect.mapError(failure(`cannot read ${root}`))
  // The folder to which DuckDB spills.
  const spill = yield* within(temporaryFolder("sql"))
  const database = yield* within(Database.open({ threads: 2, memory: "1GB", spill }))
  const files: Array<string> = []
  for (const [name, state] of Object.entries(found.state.tables)) {
    const file = Path.join(found.folder, state.file)
    const select = selectFile(state, file)
    if (select === undefined) yield* copied(database, name, { state, file })
    else {
      files.push(file)
      yield* within(database.run(`CREATE VIEW ${Column.quote(name)} AS ${select}`))
    }
  }
  return yield* queriesOf(database, { files, out }, failure)
})

/** Copies a table of a format that DuckDB does not read. */
const copied = Effect.fnUntraced(function* (
  database: Database.Database,
  name: string,
  from: { readonly state: TableState; readonly file: string }
) {
  const within = Effect.mapError(failure(`cannot read table ${name}`))
  const columns = columnsOf(from.state)
  const defined = columns.map((column) => `${Column.quote(column.name)} ${Column.toSql(column.type)}`)
  yield* within(database.run(`CREATE TABLE ${Column.quote(name)} (${defined.join(", ")})`))
  const feed = yield* within(database.feed(columns))
  const chunks = rowsFrom(from, 0)
  for (;;) {
    const next = yield* attempt(`cannot read table ${name}`, () => chunks.next())
    if (next.done === true) return
    feed.load(next.value)
    yield* within(database.run(`INSERT INTO ${Column.quote(name)} FROM ${feed.call}`))
  }
})
