/**
 * A manifest: the state of all tables of a folder after one commit. `_manifest/000000000007.json` is the seventh.
 *
 * Guarantee: the highest manifest, with the lists that it names, is the whole truth. A file that neither names does not count.
 * Manifests never change, and the next one is put only if it does not exist, so of two writers one wins and the other notices.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as DigestedJson from "#base/DigestedJson"
import { ColumnProfile } from "#engine/ColumnProfile"
import type * as ObjectStore from "#engine/ObjectStore"
import { said } from "./DataFile.ts"
import * as FileLists from "./FileLists.ts"
import { ManifestError, repair, repairOfOlder } from "./ManifestError.ts"
import { TableState } from "./TableState.ts"

export { DataFile } from "./DataFile.ts"
export { ManifestError } from "./ManifestError.ts"
export { columnsOf, hashOf, TableState } from "./TableState.ts"

const count = Schema.Int

/**
 * The state of the tables of a folder after one commit: their columns and files, the run and the checkpoints. After reading,
 * `files` has all files of a table, also those of its lists.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { rows, run } from "millrace"
 * import { fileStore } from "millrace/connectors/file"
 * import { type Manifest, parquet, readManifest } from "millrace/connectors/parquet"
 *
 * const lake = parquet.with({ path: "./one-lake" })
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { lake } })
 * const read = fileStore.open("./one-lake").pipe(Effect.flatMap(readManifest), Effect.flatMap(Effect.fromOption))
 * const { tables }: Manifest = await Effect.runPromise(read)
 * console.log(tables["numbers"]?.rows) // 1
 * ```
 */
export const Manifest = Schema.Struct({
  format: said(
    Schema.Literals(["millrace-manifest-1", "millrace-manifest-2"]),
    "the version of this form: 2 if a table has `lists`"
  ),
  version: said(count, "the number of the manifest, which is also in its name"),
  previous: said(Schema.NullOr(count), "the number of the manifest that it follows; null for the first"),
  writer: said(Schema.String, "a random text that distinguishes two writers of the same run"),
  run: said(
    Schema.Struct({
      run_id: said(Schema.String, "its id"),
      pipeline: said(Schema.String, "the pipeline that ran"),
      started_at: said(Schema.String, "when it began"),
      committed_at: said(Schema.String, "when it committed"),
      facts: said(Schema.Record(Schema.String, Schema.Finite), "counts, such as `discovered` and `credits`"),
      rows: said(Schema.Record(Schema.String, Schema.Finite), "the rows that it loaded into each table"),
      once: Schema.optionalKey(said(Schema.String, "the key that its caller gave it (`--once`)"))
    }),
    "the run that committed this manifest"
  ),
  checks: Schema.optionalKey(
    said(
      Schema.Array(
        Schema.Struct({
          check: said(Schema.String, "the check, as the pipeline file has it"),
          table: said(Schema.String, "the table that it looked at"),
          passed: said(Schema.Boolean, "whether it passed"),
          found: said(Schema.String, "what it found")
        })
      ),
      "the checks before the commit"
    )
  ),
  profiles: Schema.optionalKey(
    said(
      Schema.Array(ColumnProfile),
      "the profiles of the columns of the run; absent in older manifests, and while the run still reads"
    )
  ),
  checkpoints: said(
    Schema.Record(
      Schema.String,
      Schema.Struct({
        run_id: said(Schema.String, "the run that set it"),
        state: said(Schema.Unknown, "what the source wrote for its next run")
      })
    ),
    "the checkpoint of each pipeline that writes here"
  ),
  tables: said(Schema.Record(Schema.String, TableState), "every table of the lake"),
  owners: Schema.optionalKey(
    said(
      Schema.Record(Schema.String, Schema.String),
      "the pipeline that each table belongs to; absent in older manifests, where the runs of earlier manifests say it"
    )
  ),
  digest: Schema.optionalKey(
    said(
      Schema.String,
      "the SHA-256 of the text before this member, which is the last one; absent in older manifests. A manifest with other bytes is refused"
    )
  )
})
export type Manifest = typeof Manifest.Type

/**
 * The newest manifest of a store; none: nothing was committed. It fails with `ObjectStoreError`, and with
 * `ManifestError` if the manifest cannot be read.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import { rows, run } from "millrace"
 * import { fileStore } from "millrace/connectors/file"
 * import { parquet, readManifest } from "millrace/connectors/parquet"
 *
 * await run({ source: rows([{ id: 1 }], { table: "n" }), sinks: { lake: parquet.with({ path: "./read-lake" }) } })
 * const manifest = await Effect.runPromise(Effect.flatMap(fileStore.open("./read-lake"), readManifest))
 * console.log(Option.getOrThrow(manifest).version, Option.getOrThrow(manifest).previous) // 1 null
 * ```
 */
export const readManifest = Effect.fn("parquet.readManifest")(function* (
  store: ObjectStore.ObjectStore
): Effect.fn.Return<Option.Option<Manifest>, ObjectStore.ObjectStoreError | ManifestError> {
  const last = (yield* paths(store)).at(-1)
  return last === undefined ? Option.none<Manifest>() : Option.some(yield* readAt(store, last, repair))
})

/** Maps all manifests of a store, the oldest first. Only one manifest at a time is in memory. */
export const readAll = Effect.fnUntraced(function* <A>(store: ObjectStore.ObjectStore, ask: (summary: Summary) => A) {
  const all = yield* paths(store)
  const read = (path: string) => Effect.map(decodedAt(store, path, decodeSummary, adviceFor(path, all)), ask)
  return yield* Effect.forEach(all, read, { concurrency: 4 })
})

/** A manifest as a verification finds it: with the digest of the version of each Delta log, or with what is wrong. */
export interface Inspected {
  readonly path: string
  readonly version: number
  readonly fault?: string
  readonly logs: ReadonlyMap<string, { readonly version: number; readonly digest: string | undefined }>
}

/** Looks at each manifest of a store and at the lists that it names, the oldest first. */
export const inspectAll = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore) {
  const lists = new Map<string, Effect.Effect<unknown, ObjectStore.ObjectStoreError | ManifestError>>()
  const listAt = Effect.fnUntraced(function* (path: string) {
    const known = lists.get(path) ?? (yield* Effect.cached(FileLists.read(store, path)))
    lists.set(path, known)
    return yield* known
  })
  const inspect = Effect.fnUntraced(function* (path: string) {
    const { tables } = yield* decodedAt(store, path, decodeText)
    const all = Object.values(tables).flatMap((table) => table.lists ?? [])
    yield* Effect.forEach(all, (list) => listAt(list.path), { discard: true })
    return new Map(
      Object.entries(tables).flatMap(([name, { delta }]) =>
        delta === undefined ? [] : [[name, { version: delta.version, digest: delta.digests?.at(-1) }] as const]
      )
    )
  })
  return yield* Effect.forEach(
    yield* paths(store),
    (path): Effect.Effect<Inspected, ObjectStore.ObjectStoreError> => {
      const version = Number(path.slice(folder.length, -".json".length))
      return inspect(path).pipe(
        Effect.map((logs) => ({ path, version, logs })),
        Effect.catchTag("ManifestError", ({ message }) =>
          Effect.succeed({ path, version, fault: message, logs: new Map<string, never>() })
        )
      )
    },
    { concurrency: 4 }
  )
})

/** The run of each manifest of a store, the oldest first. */
export const readRuns = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore) {
  const all = yield* paths(store)
  return yield* Effect.forEach(all, (path) => runAt(store, path, adviceFor(path, all)), { concurrency: 4 })
})

/** The run of one manifest by its number. */
export const readRun = (store: ObjectStore.ObjectStore, version: number) => runAt(store, pathOf(version))

/** The newest run that a condition holds for. `skipsDamaged`: a run whose manifest is damaged is taken for none. */
export const findRun = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  isIt: (run: Manifest["run"]) => boolean,
  { skipsDamaged }: { readonly skipsDamaged: boolean }
) {
  const all = yield* paths(store)
  const newest = all.toReversed()
  const read = (path: string) => Effect.result(runAt(store, path, adviceFor(path, all)))
  for (let at = 0; at < newest.length; at += 8) {
    for (const run of yield* Effect.forEach(newest.slice(at, at + 8), read, { concurrency: 8 })) {
      if (Result.isSuccess(run) && isIt(run.success)) return Option.some(run.success)
      const isSkipped = Result.isSuccess(run) || (skipsDamaged && run.failure._tag === "ManifestError")
      if (!isSkipped) return yield* Effect.fail(run.failure)
    }
  }
  return Option.none<Manifest["run"]>()
})

/** One manifest by its number. */
export const readVersion = (store: ObjectStore.ObjectStore, version: number) => readAt(store, pathOf(version))

/** The same; none if it does not exist. */
const findVersion = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, version: number) {
  const bytes = yield* store.get(pathOf(version))
  return Option.isNone(bytes)
    ? Option.none<Manifest>()
    : Option.some(yield* whole(store, yield* decodeAt(pathOf(version), bytes.value, decodeText)))
})

/** The same; none if it is damaged too. */
export const readable = (store: ObjectStore.ObjectStore, version: number) =>
  findVersion(store, version).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.catchTag("ManifestError", () => Effect.undefined)
  )

/** Those of these files that no manifest names. Reads the newest manifests first, and only as many as needed. */
export const neverNamed = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, files: ReadonlyArray<string>) {
  const left = new Set(files)
  const newest = (yield* paths(store)).toReversed()
  const known = new Set<string>()
  const strike = Effect.fnUntraced(function* (path: string) {
    const { tables } = yield* decodedAt(store, path, decodeText)
    for (const { files, lists = [] } of Object.values(tables)) {
      for (const file of files) left.delete(file.path)
      for (const list of lists) {
        if (known.has(list.path)) continue
        known.add(list.path)
        left.delete(list.path)
        for (const file of yield* FileLists.read(store, list.path)) left.delete(file.path)
      }
    }
  })
  for (let at = 0; at < newest.length && left.size > 0; at += 16) {
    yield* Effect.forEach(newest.slice(at, at + 16), strike, { concurrency: 8, discard: true })
  }
  return [...left]
})

/** Moves a damaged manifest to where it does not count. */
export const setAside = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, path: string) {
  const bytes = yield* store.get(path)
  const to = `${folder}damaged/${path.slice(folder.length)}`
  if (Option.isSome(bytes)) yield* store.put(to, bytes.value)
  yield* store.remove(path)
  return to
})

export const pathOf = (version: number): string => `${folder}${String(version).padStart(12, "0")}.json`

/** The text of a manifest, without the files of its lists. */
export const encode = (manifest: Manifest): Uint8Array => {
  const tables = Object.fromEntries(
    Object.entries(manifest.tables).map(([name, state]) => [name, FileLists.withoutListed(state)])
  )
  return DigestedJson.encode(Struct.omit({ ...manifest, tables }, ["digest"]))
}

const folder = "_manifest/"

const paths = (store: ObjectStore.ObjectStore) =>
  Effect.map(store.list(folder), (objects) =>
    objects.map(({ path }) => path).filter((path) => /^_manifest\/\d{12}\.json$/.test(path))
  )

const readAt = (store: ObjectStore.ObjectStore, path: string, advice = repairOfOlder) =>
  Effect.flatMap(decodedAt(store, path, decodeText, advice), (manifest) => whole(store, manifest))

/** A manifest with the files of its lists. */
const whole = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, manifest: Manifest) {
  const tables = yield* Effect.forEach(Object.entries(manifest.tables), ([name, state]) =>
    Effect.map(FileLists.withListed(store, state), (state) => [name, state] as const)
  )
  return { ...manifest, tables: Object.fromEntries(tables) }
})

const decodedAt = <A>(store: ObjectStore.ObjectStore, path: string, decode: Decode<A>, advice = repairOfOlder) =>
  Effect.flatMap(listed(store, path), (bytes) => decodeAt(path, bytes, decode, advice))

/** Only the run of a manifest: its files, which are most of it, are not decoded. */
const runAt = (store: ObjectStore.ObjectStore, path: string, advice = repairOfOlder) =>
  Effect.map(decodedAt(store, path, decodeHead, advice), ({ run }) => run)

/** What to do if one of these manifests is damaged. */
const adviceFor = (path: string, all: ReadonlyArray<string>): string => (path === all.at(-1) ? repair : repairOfOlder)

const listed = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, path: string) {
  const bytes = yield* store.get(path)
  if (Option.isNone(bytes)) return yield* broken(path, "was listed and is gone; manifests must not be removed")()
  return bytes.value
})

const decodeAt = Effect.fnUntraced(function* <A>(
  path: string,
  bytes: Uint8Array,
  decode: Decode<A>,
  advice = repairOfOlder
): Effect.fn.Return<A, ManifestError> {
  const text = new TextDecoder().decode(bytes)
  if (DigestedJson.isDamaged(text)) return yield* broken(path, `has other bytes than were written: ${advice}`)()
  const json = yield* Effect.mapError(parse(text), broken(path, `is cut off or damaged: ${advice}`))
  if (Predicate.hasProperty(json, "version") && typeof json.version === "number" && pathOf(json.version) !== path) {
    return yield* broken(path, `is manifest ${json.version}, which stands in the place of another: ${advice}`)()
  }
  return yield* Effect.mapError(decode(json), broken(path, "is not a manifest of this version of millrace"))
})

const broken = (path: string, message: string) => (cause?: unknown) =>
  new ManifestError({ path, message: `${path} ${message}`, ...(cause === undefined ? {} : { cause }) })

const parse = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))
type Decode<A> = (value: unknown) => Effect.Effect<A, Schema.SchemaError>
const decodeText: Decode<Manifest> = Schema.decodeUnknownEffect(Manifest)
const { format, run } = Manifest.fields
const decodeHead = Schema.decodeUnknownEffect(Schema.Struct({ format, run }))
/** A manifest without the files of its tables. */
const Summary = Schema.Struct({
  ...Manifest.fields,
  tables: Schema.Record(Schema.String, TableState.mapFields(Struct.omit(["files", "lists"])))
})
type Summary = typeof Summary.Type
const decodeSummary: Decode<Summary> = Schema.decodeUnknownEffect(Summary)
