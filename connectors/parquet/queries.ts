/**
 * SQL queries of the tables of a folder or bucket. Each table is a view of the files that the manifest names.
 *
 * The files of a local folder are read in place. Those of another store are fetched for the first query that names their
 * table. A query that reads a table without its name in the text fails; it does not find the table empty.
 */
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { quote } from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { queries as queriesOf } from "#engine/duckdbQueries"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { noRowsSql, placeOf, rowsSql } from "./format/filesSql.ts"
import { openLake } from "./lake/openLake.ts"
import * as Manifest from "./manifest/Manifest.ts"
import * as PrivateFolder from "./manifest/PrivateFolder.ts"
import { sizeFault, takeFile, vacuumed } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const queries = Effect.fn("parquet.queries")(function* (
  options: Options,
  directory: string,
  { asOf, file: out }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, Sink.SinkError, ObjectStore.ObjectStores | Scope.Scope> {
  const { newest, store } = yield* openLake(options, directory)
  const within = Effect.mapError(failure(`cannot read ${store.location}`))
  const manifest = asOf === undefined ? Option.getOrUndefined(newest) : yield* within(manifestOf(store, asOf))
  if (manifest === undefined) {
    const what =
      asOf === undefined ? "has no tables yet: run the pipeline first" : `does not have run ${asOf.runId} any more`
    return yield* failure(`${store.location} ${what}`)()
  }
  const folder = yield* PrivateFolder.create(tmpdir(), "millrace-sql-").pipe(within)
  const database = yield* within(Database.open({ threads: 2, memory: "1GB", spill: Path.join(folder, "spill") }))
  const gone = asOf === undefined ? undefined : vacuumed(store.location, asOf.runId)
  let number = 0
  const tables = Object.entries(manifest.tables).map(([name, state]) => {
    const files = state.files.map((file): Place => {
      const own = Path.join(store.location, file.path)
      // DuckDB would read `name=value` folders above the lake as columns of the table.
      const isOwn = !store.location.includes("=") && existsSync(own)
      return { file, isOwn, path: isOwn ? own : placeOf(folder, number++, file) }
    })
    return { name, state, files }
  })

  /** Makes the view of a table. If a file of it is damaged, the other tables can still be queried. */
  const show = Effect.fnUntraced(function* ({ files, name, state }: (typeof tables)[number]) {
    const faults = yield* Effect.forEach(
      files,
      ({ file, isOwn, path }) => (isOwn ? sizeFault(store, file, path) : takeFile(store, file, path, gone)),
      { concurrency: 8 }
    )
    const fault = faults.find((one) => one !== undefined)
    const paths = files.map(({ path }) => Database.literal(path))
    const rows = fault === undefined ? rowsSql(state, paths) : noRowsSql(state, fault)
    yield* within(database.run(`CREATE OR REPLACE VIEW ${quote(name)} AS ${rows}`))
  })

  const waiting = new Set<(typeof tables)[number]>()
  for (const table of tables) {
    if (table.files.every(({ isOwn }) => isOwn)) {
      yield* show(table)
      continue
    }
    const unfetched = noRowsSql(
      table.state,
      `table ${table.name} is fetched only for a query that has its name in it: write the name as it is`
    )
    yield* within(database.run(`CREATE VIEW ${quote(table.name)} AS ${unfetched}`))
    waiting.add(table)
  }
  // One query at a time fetches files. If that fails, the next query tries again.
  const turn = yield* Semaphore.make(1)
  const fetched = (sql: string) =>
    turn.withPermits(1)(
      Effect.forEach(
        Array.from(waiting).filter(({ name }) => isIn(name, sql)),
        (table) =>
          Effect.andThen(
            show(table),
            Effect.sync(() => waiting.delete(table))
          ),
        { discard: true }
      )
    )

  const paths = tables.flatMap(({ files }) => files.map(({ path }) => path))
  const { ask, toParquet } = yield* queriesOf(database, { files: paths, out }, failure)
  return {
    ask: (sql) => Effect.andThen(fetched(sql), ask(sql)),
    toParquet: (sql) => Effect.andThen(fetched(sql), toParquet(sql))
  }
})

/** A file, and its local path, also before it is fetched. */
interface Place {
  readonly file: Manifest.DataFile
  readonly isOwn: boolean
  readonly path: string
}

/** Whether a query has the name of a table anywhere, also in quotes. */
const isIn = (name: string, sql: string): boolean => {
  const [plain, said] = [name.toLowerCase(), sql.toLowerCase()]
  return said.includes(plain) || said.includes(plain.replaceAll('"', '""'))
}

/** The last manifest of a run. */
const manifestOf = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { runId }: Sink.RunRecord) {
  const all = yield* Manifest.readAll(store, ({ run, version }) => ({ run: run.run_id, version }))
  const version = all.findLast(({ run }) => run === runId)?.version
  return version === undefined ? undefined : yield* Manifest.readVersion(store, version)
})
