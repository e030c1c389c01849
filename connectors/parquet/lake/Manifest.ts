/**
 * A manifest: what the tables of a folder are, as of one commit. `_manifest/000000000007.json` is the seventh.
 *
 * The law: the highest manifest is the whole truth. A file that it does not name is not there; manifests never change,
 * and the next one is put only where none is, so of two writers one wins and the other learns of it.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Column from "../../../src/pipeline/Column.ts"
import { toSql } from "../../../src/pipeline/Column.ts"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"

export const DataFile = Schema.Struct({
  path: Schema.String,
  rows: Schema.Int,
  bytes: Schema.Int,
  sha256: Schema.String,
  /** The values that all of its rows have in the partition columns. */
  partition: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  /**
   * The least and the greatest value, as DuckDB shows them, of the columns that say whether a file may hold a row: those
   * of the key and of the parent's, `_run_id`, and where a history ends.
   */
  min: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  max: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  /** The run that all of its rows are of; absent where there are several, and in manifests of version 0.1. */
  run_id: Schema.optionalKey(Schema.String)
})
export type DataFile = typeof DataFile.Type

export const TableState = Schema.Struct({
  /** The names and SQL types, in order; a file written before a column was added lacks it. */
  columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
  schema_hash: Schema.String,
  key: Schema.Array(Schema.String),
  partition: Schema.Array(Schema.String),
  rows: Schema.Int,
  bytes: Schema.Int,
  files: Schema.Array(DataFile)
})
export type TableState = typeof TableState.Type

export const Manifest = Schema.Struct({
  format: Schema.Literal("millrace-manifest-1"),
  version: Schema.Int,
  previous: Schema.NullOr(Schema.Int),
  /** Tells two writers of one run apart. */
  writer: Schema.String,
  run: Schema.Struct({
    run_id: Schema.String,
    pipeline: Schema.String,
    started_at: Schema.String,
    committed_at: Schema.String,
    facts: Schema.Record(Schema.String, Schema.Finite),
    rows: Schema.Record(Schema.String, Schema.Finite),
    /** The key that its caller gave it. */
    once: Schema.optionalKey(Schema.String)
  }),
  /** What was checked before the commit. */
  checks: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ check: Schema.String, table: Schema.String, passed: Schema.Boolean, found: Schema.String })
    )
  ),
  /** Where each pipeline that writes here goes on from. */
  checkpoints: Schema.Record(Schema.String, Schema.Struct({ run_id: Schema.String, state: Schema.Unknown })),
  tables: Schema.Record(Schema.String, TableState),
  /** The pipeline that each table belongs to; absent in older manifests, for which `owners.ts` knows it. */
  owners: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type Manifest = typeof Manifest.Type

/** A manifest that is there and cannot be understood. */
export class ManifestError extends Schema.TaggedError<ManifestError>()("ManifestError", {
  path: Schema.String,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The highest manifest of a store: none where nothing was ever committed. */
export const readManifest = Effect.fn("parquet.readManifest")(function* (store: ObjectStore.ObjectStore) {
  const last = (yield* paths(store)).at(-1)
  return last === undefined ? Option.none<Manifest>() : Option.some(yield* readAt(store, last))
})

/** What is asked of every manifest of a store, the oldest first. One manifest after the other is in memory, not all. */
export const readAll = Effect.fnUntraced(function* <A>(store: ObjectStore.ObjectStore, ask: (manifest: Manifest) => A) {
  const read = (path: string) => Effect.map(readAt(store, path), ask)
  return yield* Effect.forEach(yield* paths(store), read, { concurrency: 4 })
})

/** The newest manifest that is what is looked for. */
export const findNewest = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  isIt: (manifest: Manifest) => boolean
) {
  const newest = (yield* paths(store)).toReversed()
  for (let at = 0; at < newest.length; at += 8) {
    const some = yield* Effect.forEach(newest.slice(at, at + 8), (path) => readAt(store, path), { concurrency: 8 })
    const found = some.find(isIt)
    if (found !== undefined) return Option.some(found)
  }
  return Option.none<Manifest>()
})

/** One manifest by its number. */
export const readVersion = (store: ObjectStore.ObjectStore, version: number) => readAt(store, pathOf(version))

/** Which of these files no manifest names. The newest are read first, and no more than it takes. */
export const neverNamed = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, files: ReadonlyArray<string>) {
  const left = new Set(files)
  const newest = (yield* paths(store)).toReversed()
  const strike = (path: string) =>
    Effect.map(readAt(store, path), ({ tables }) => {
      for (const table of Object.values(tables)) for (const file of table.files) left.delete(file.path)
    })
  for (let at = 0; at < newest.length && left.size > 0; at += 16) {
    yield* Effect.forEach(newest.slice(at, at + 16), strike, { concurrency: 8, discard: true })
  }
  return [...left]
})

export const pathOf = (version: number): string => `${folder}${String(version).padStart(12, "0")}.json`

export const encode = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 1)}\n`)

/** A table's columns as a manifest keeps them. */
export const columnsOf = (columns: ReadonlyArray<Column.Column>): TableState["columns"] =>
  columns.map(({ name, type }) => ({ name, type: toSql(type) }))

export const hashOf = (columns: TableState["columns"]): string =>
  createHash("sha256").update(JSON.stringify(columns)).digest("hex")

const folder = "_manifest/"

const paths = (store: ObjectStore.ObjectStore) =>
  Effect.map(store.list(folder), (objects) =>
    objects.map(({ path }) => path).filter((path) => /^_manifest\/\d{12}\.json$/.test(path))
  )

const readAt = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, path: string) {
  const broken = (message: string) => (cause?: unknown) =>
    new ManifestError({ path, message: `${path} ${message}`, ...(cause === undefined ? {} : { cause }) })
  const bytes = yield* store.get(path)
  if (Option.isNone(bytes)) return yield* broken("was listed and is gone; manifests must not be removed")()
  return yield* decode(new TextDecoder().decode(bytes.value)).pipe(
    Effect.mapError(broken("is no manifest of this version of millrace"))
  )
})

const decode = Schema.decodeEffect(Schema.fromJsonString(Manifest))
