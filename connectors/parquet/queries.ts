/** Questions to the tables of a folder or bucket, each a view of the files that its manifest names. */
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Database from "../../src/duckdb/Database.ts"
import { queries as queriesOf } from "../../src/duckdb/queries.ts"
import { quote } from "../../src/pipeline/Column.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import type * as Queries from "../../src/pipeline/Queries.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { failure } from "./failure.ts"
import { noRowsSql, placeOf, rowsSql } from "./format/filesSql.ts"
import * as Manifest from "./lake/Manifest.ts"
import { openLake } from "./lake/openLake.ts"
import * as PrivateFolder from "./lake/PrivateFolder.ts"
import { sizeFault, takeFile, vacuumed } from "./lake/takeFile.ts"
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
  const folder = yield* PrivateFolder.make(tmpdir(), "millrace-sql-").pipe(within)
  const database = yield* within(Database.open({ threads: 2, memory: "1GB", spill: Path.join(folder, "spill") }))
  const files: Array<string> = []
  const gone = asOf === undefined ? undefined : vacuumed(store.location, asOf.runId)
  /** The file itself where the lake is a folder of this machine; otherwise a copy. */
  const local = Effect.fnUntraced(function* (file: Manifest.DataFile) {
    const own = Path.join(store.location, file.path)
    // The names of folders above the lake are no values of its tables.
    const isOwn = !store.location.includes("=") && existsSync(own)
    const place = isOwn ? own : placeOf(folder, files.length, file)
    files.push(place)
    return { place, fault: yield* isOwn ? sizeFault(store, file, own) : takeFile(store, file, place, gone) }
  })
  for (const [name, state] of Object.entries(manifest.tables)) {
    const taken = yield* Effect.forEach(state.files, local)
    const fault = taken.find((file) => file.fault !== undefined)?.fault
    const paths = taken.map(({ place }) => Database.literal(place))
    // The other tables can be asked meanwhile.
    const rows = fault === undefined ? rowsSql(state, paths) : noRowsSql(state, fault)
    yield* within(database.run(`CREATE VIEW ${quote(name)} AS ${rows}`))
  }
  return yield* queriesOf(database, { files, out }, failure)
})

/** The last manifest of a run. */
const manifestOf = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { runId }: Sink.RunRecord) {
  const all = yield* Manifest.readAll(store, ({ run, version }) => ({ run: run.run_id, version }))
  const version = all.findLast(({ run }) => run === runId)?.version
  return version === undefined ? undefined : yield* Manifest.readVersion(store, version)
})
