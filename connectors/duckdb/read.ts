/**
 * What a DuckDB file holds, found the way its readers find it: in the published copy, where there is one.
 *
 * The law: the file is opened READ_ONLY, so looking changes nothing and waits for nobody but a writer of the same file.
 */
import { existsSync } from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Cell from "../../src/duckdb/Cell.ts"
import * as Database from "../../src/duckdb/Database.ts"
import { describe, type Present } from "../../src/duckdb/describe.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import { refusal } from "./file/AttachedDatabase.ts"
import { has } from "./file/catalog.ts"
import * as Place from "./file/Place.ts"
import * as Ledger from "./ledger/LoadTables.ts"
import * as Owners from "./ledger/TableOwners.ts"
import type { Options } from "./options.ts"

/** The runs that it has seen. */
export const runs = (
  options: Options,
  directory: string
): Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError> =>
  reading(options, directory, (database, file) =>
    Ledger.runs(database, Place.of(options)).pipe(Effect.mapError(failure(`cannot read the runs of ${file}`)))
  )

/** The pipeline that owns each table. */
export const owners = (
  options: Options,
  directory: string
): Effect.Effect<ReadonlyMap<string, string>, Sink.SinkError> =>
  Effect.map(
    reading(options, directory, (database, file) =>
      Owners.read(database, Place.of(options)).pipe(
        Effect.mapError(failure(`cannot read whose the tables of ${file} are`))
      )
    ),
    (owners) => new Map(owners.map(({ pipeline, table }) => [table, pipeline]))
  )

/** The run of a pipeline under a caller's key, by the file that is written: its copy for readers may be a commit behind. */
export const ranOnce = (
  options: Options,
  directory: string,
  of: Sink.OnceKey
): Effect.Effect<Option.Option<Sink.RunRecord>, Sink.SinkError> =>
  Effect.map(
    reading({ path: options.path }, directory, (database, file) =>
      Ledger.ranOnce(database, Place.of(options), of).pipe(
        Effect.map(Option.toArray),
        Effect.mapError(failure(`cannot read the runs of ${file}`))
      )
    ),
    ([run]) => Option.fromUndefinedOr(run)
  )

/** The rows of a table, their cells as the types of the file have them. */
export const rows = (
  options: Options,
  directory: string,
  table: Table.Table
): Effect.Effect<ReadonlyArray<Table.Row>, Sink.SinkError> =>
  reading(options, directory, (database, file) =>
    rowsOf(database, Place.of(options), table).pipe(
      Effect.mapError(failure(`cannot read table ${table.name} of ${file}`))
    )
  )

const rowsOf = Effect.fnUntraced(function* (database: Database.Database, place: Place.Place, table: Table.Table) {
  if (!(yield* has(database, place, table.name))) return []
  const target = Place.named(place, table.name)
  const present = yield* describe(database, target)
  const columns = table.columns.map(({ name }) => columnOf(name, Column.named(present, name)))
  const values = columns.map(({ value }) => value).join(", ")
  return yield* database.query(`SELECT ${values} FROM ${target}`, columns)
})

/** A column that is not there is null; one of a type that we have no word for is read as text. */
const columnOf = (name: string, there: Present | undefined): Column.Column & { readonly value: string } => {
  const column: Column.Column = { name, type: there?.type ?? { _tag: "VARCHAR" }, nullable: true }
  const value =
    there === undefined
      ? "NULL"
      : there.type === undefined
        ? `CAST(${Column.quote(name)} AS VARCHAR)`
        : Cell.selected(column)
  return { ...column, value }
}

const reading = <A>(
  options: Options,
  directory: string,
  use: (database: Database.Database, file: string) => Effect.Effect<ReadonlyArray<A>, Sink.SinkError>
): Effect.Effect<ReadonlyArray<A>, Sink.SinkError> =>
  Effect.suspend(() => {
    const fault = Place.faultOf(Place.of(options))
    if (fault !== undefined) return Effect.fail(failure(fault)())
    const file = readersFile(options, directory)
    return file === undefined
      ? Effect.succeed([])
      : Effect.scoped(Effect.flatMap(openFile(file), (database) => use(database, file)))
  })

/** The file that readers open; undefined where there is none yet. */
export const readersFile = (options: Options, directory: string): string | undefined => {
  const paths = options.publish === undefined ? [options.path] : [options.publish, options.path]
  return paths.map((path) => Path.resolve(directory, path)).find((path) => existsSync(path))
}

const openFile = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<Database.Database, Sink.SinkError, Scope.Scope> {
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill: `${file}.read` }).pipe(
    Effect.mapError(failure(`cannot start DuckDB for ${file}`))
  )
  yield* database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`).pipe(Effect.mapError(refusal(file)))
  return database
})
