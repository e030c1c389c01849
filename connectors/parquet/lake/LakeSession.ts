/**
 * Where files are made and changed: a private folder, an own DuckDB for SQL, and transfers to and from the store.
 *
 * Guarantee: a file that this session has put into the store and that is in no manifest yet is removed when the session
 * closes, as are all local files. If the removal fails, the file is an orphan, and `removeOrphans` removes it later.
 */
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Bounds from "#engine/ColumnBounds"
import type * as Codec from "#engine/ColumnCodec"
import * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import * as GrowingFile from "#engine/GrowingParquetFile"
import type * as ObjectStore from "#engine/ObjectStore"
import { openLazily } from "#engine/openDuckdbLazily"
import * as Footer from "#engine/ParquetFooter"
import * as PageBuffer from "#engine/ParquetPageBuffer"
import { footerOf } from "#engine/readParquetFooter"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { edgeColumns, inspect } from "../format/fileSql.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import * as Partition from "../manifest/Partition.ts"
import * as PrivateFolder from "../manifest/PrivateFolder.ts"
import { faultMessage, takeFile } from "../manifest/takeFile.ts"
import type { Options } from "../options.ts"
import * as Shipments from "./Shipments.ts"

export interface LakeSession {
  readonly store: ObjectStore.ObjectStore
  readonly database: Database.Database
  readonly folder: string
  readonly options: Options
  readonly runId: string
  /** Tells two writers of one run apart. */
  readonly writerId: string
  /** Feeds the least and greatest values of files into queries. */
  readonly edges: Effect.Effect<Feed.Feed, Database.DatabaseError>
  /** The buffer for bytes that are copied from file to file. */
  readonly buffer: Uint8Array
  /** The buffers for the pages of files. */
  readonly pages: PageBuffer.Pool
  /** The files in the store that are in no manifest. */
  shipped: Array<Pick<Manifest.DataFile, "path">>
  /** The files fetched from the store, by their local paths. */
  readonly fetched: Map<string, Manifest.DataFile>
  names: number
  /** The rows of all tables that were written. They are numbered, so that a row says which rows of other tables came before it. */
  written: number
}

/** A finished local file that is not in the store. */
export interface LocalFile {
  readonly path: string
  readonly file: Manifest.DataFile
}

/** The table and the partition of a file: they decide its path and its facts in the manifest. */
export interface Belonging {
  readonly table: string
  /** The columns whose least and greatest values the manifest keeps. */
  readonly edges: ReadonlyArray<string>
  readonly partition: Manifest.DataFile["partition"]
  /** The run of all its rows, if it is one run. */
  readonly runId?: string
}

export const open = Effect.fnUntraced(function* (
  options: Options,
  directory: string,
  store: ObjectStore.ObjectStore,
  runId: string
): Effect.fn.Return<LakeSession, Sink.SinkError, Scope.Scope> {
  const writerId = randomBytes(4).toString("hex")
  let opened: LakeSession | undefined
  yield* Effect.addFinalizer(() =>
    Effect.forEach(opened?.shipped ?? [], ({ path }) => Effect.ignore(store.remove(path)), { discard: true })
  )
  const folder = yield* PrivateFolder.create(Path.join(directory, ".millrace"), "parquet-", (left) =>
    Shipments.settle(store, left)
  )
  const database = retrying(yield* openLazily({ threads: 1, memory: "192MB", spill: `${folder}/spill` }))
  const edges = yield* Effect.cached(database.feed(edgeColumns))
  const buffer = new Uint8Array(1024 * 1024)
  const pages = PageBuffer.pool(8 * 1024 * 1024)
  opened = {
    store,
    database,
    folder,
    options,
    runId,
    writerId,
    edges,
    buffer,
    pages,
    shipped: [],
    fetched: new Map(),
    names: 0,
    written: 0
  }
  return opened
})

/** Begins a local file, under a new name. */
export const newFile = (session: LakeSession, table: string): GrowingFile.GrowingFile => {
  const number = String(++session.names).padStart(5, "0")
  const { schema } = session.options
  const suffix = schema === undefined ? "" : `.${schema}`
  const name = `${session.runId}-${session.writerId}-${number}${suffix}.parquet`
  const words = { "millrace.run_id": session.runId, "millrace.table": table, [nameWord]: name }
  return GrowingFile.create(Path.join(session.folder, name), session.buffer, words)
}

/** A file says its own name in its footer: another one that was put in its place is noticed by whoever reads the footer. */
const nameWord = "millrace.file"

/** Fails if the footer of a fetched file is that of another file. Older ones do not say their names. */
export const assertNamed = (session: LakeSession, path: string, footer: Footer.Footer) => {
  const file = session.fetched.get(path)
  const name = Footer.wordOf(footer, nameWord)
  return file === undefined || name === undefined || name === Path.basename(file.path)
    ? Effect.void
    : failure(faultMessage(session.store, file, `is another file, ${name}, in its place`))()
}

/** Adds the rows of a query to a file, as row groups. Returns the size of the file in bytes. */
export const append = Effect.fnUntraced(function* (session: LakeSession, to: GrowingFile.GrowingFile, query: string) {
  const fragment = Path.join(session.folder, "fragment.parquet")
  yield* encode(session, query, fragment)
  yield* local(`cannot write ${to.path}`, () => to.compress(fragment, compressionOf(session)))
  return to.bytes
})

/** Writes the rows of a query into an uncompressed Parquet file: pages that DuckDB compresses have no checksums. */
export const encode = ({ database, options: { row_group = groupRows } }: LakeSession, query: string, file: string) =>
  database.run(
    `COPY (${query}) TO ${Database.literal(file)} (FORMAT parquet, COMPRESSION uncompressed, ROW_GROUP_SIZE ${row_group})`
  )

/** The most rows of a row group, by default. */
export const groupRows = 20_480
/** The size in bytes at which a file ends, by default. */
export const rotate = 128 * 1024 * 1024

/** How the pages of files are compressed. */
export const compressionOf = ({ options }: LakeSession): Codec.Compression => ({
  codec: options.compression ?? "zstd",
  level: options.level ?? 1
})

/** Finishes a file, and reads back that it has all rows. */
export const finish = Effect.fnUntraced(function* (
  session: LakeSession,
  growing: GrowingFile.GrowingFile,
  belonging: Belonging
): Effect.fn.Return<LocalFile, Sink.SinkError> {
  const { path, bounds, ...finished } = yield* local(`cannot write ${growing.path}`, growing.finish)
  const readBack = `cannot read back ${path}, a file of table ${belonging.table}`
  const own = belonging.edges.filter((column) => !Object.hasOwn(belonging.partition, column))
  const edges = edgesOf(bounds, own)
  const { min, max, rows } =
    edges === undefined
      ? yield* inspect(session.database, path, own).pipe(Effect.mapError(failure(readBack)))
      : { ...edges, rows: (yield* local(readBack, () => footerOf(path))).rows }
  if (rows !== finished.rows) {
    return yield* failure(`${path} should hold ${finished.rows} rows of ${belonging.table} and holds ${rows}`)()
  }
  // All rows of a file have the values of its partition.
  const both = Object.fromEntries(
    belonging.edges.flatMap((column) => {
      const value = Object.hasOwn(belonging.partition, column) ? belonging.partition[column] : undefined
      return value === undefined ? [] : [[column, value] as const]
    })
  )
  const folder = Partition.folderOf(Object.entries(belonging.partition).map(([column, value]) => ({ column, value })))
  const name = `${belonging.table}/${folder}${Path.basename(path)}`
  const run = belonging.runId === undefined ? {} : { run_id: belonging.runId }
  return {
    path,
    file: {
      path: name,
      ...finished,
      partition: belonging.partition,
      min: { ...min, ...both },
      max: { ...max, ...both },
      ...run
    }
  }
})

/** The least and greatest values for the manifest; undefined if only SQL can find them. */
const edgesOf = (bounds: GrowingFile.FileBounds | undefined, columns: ReadonlyArray<string>) => {
  const known = columns.flatMap((column) => {
    const found = bounds?.get(column)
    return found !== undefined && Bounds.hasText(found.type) ? [[column, found] as const] : []
  })
  if (bounds === undefined || known.length < columns.length) return undefined
  const edge = (of: "min" | "max") =>
    Object.fromEntries(
      known.map(([column, { bounds, type }]) => [column, bounds === undefined ? null : Bounds.textOf(type, bounds[of])])
    )
  return { min: edge("min"), max: edge("max") }
}

/** Puts a file into the store. */
export const ship = (
  session: LakeSession,
  { path, file }: LocalFile
): Effect.Effect<Manifest.DataFile, Sink.SinkError> =>
  Effect.as(putting(session, file, session.store.putFile(file.path, path)), file)

/** Puts these bytes into the store. */
export const shipBytes = (session: LakeSession, path: string, bytes: Uint8Array): Effect.Effect<void, Sink.SinkError> =>
  putting(session, { path }, session.store.put(path, bytes))

/** The session has the file before it is put: if the call fails, the file may be in the store. */
const putting = <A, E>(session: LakeSession, file: Pick<Manifest.DataFile, "path">, put: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    session.shipped.push(file)
    return Effect.andThen(Shipments.note(session.folder, session.store, file.path), put)
  }).pipe(Effect.mapError(failure(session.store.location)))

/** Removes a file of this session from the store that no manifest will name, because another file has its rows. */
export const unship = Effect.fnUntraced(function* (session: LakeSession, { path }: Pick<Manifest.DataFile, "path">) {
  const left = session.shipped.filter((other) => other.path !== path)
  if (left.length === session.shipped.length) return
  yield* session.store.remove(path).pipe(Effect.mapError(failure(session.store.location)))
  session.shipped = left
})

/** Fetches a file of a manifest, checks its size, and keeps it here until it is discarded. */
export const fetch = Effect.fnUntraced(function* (
  session: LakeSession,
  file: Manifest.DataFile
): Effect.fn.Return<string, Sink.SinkError> {
  const path = Path.join(session.folder, `fetched-${++session.names}.parquet`)
  const fault = yield* takeFile(session.store, file, path)
  if (fault !== undefined) return yield* failure(fault)()
  session.fetched.set(path, file)
  return path
})

/** Removes a local file. */
export const discard = (path: string) => local(`cannot remove ${path}`, () => Fs.rm(path, { force: true }))

/** File calls cannot be stopped half-way, so an interruption waits for them. */
export const local = <A>(doing: string, run: () => Promise<A>) =>
  Effect.uninterruptible(Effect.tryPromise({ try: run, catch: failure(doing) }))

/**
 * A database that repeats a statement once, with more memory, if it ran out of memory. This is safe: no transaction is
 * open, a failed statement has changed nothing, a file that it had begun is written from its beginning, and the rows of a
 * feed are read again.
 */
export const retrying = (database: Database.Database): Database.Database => ({
  ...database,
  run: (sql, values) => database.retryWithMoreMemory(database.run(sql, values)),
  query: (sql, columns, values) => database.retryWithMoreMemory(database.query(sql, columns, values)),
  values: (sql) => database.retryWithMoreMemory(database.values(sql))
})
