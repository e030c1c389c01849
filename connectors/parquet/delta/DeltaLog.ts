/**
 * The Delta logs of a lake: `pages/_delta_log/00000000000000000007.json` is version 7 of table `pages`.
 *
 * Guarantee: a log follows the manifests and decides nothing. A manifest has the version of the log for each table. The versions
 * are written after the manifest, only if they do not exist. If a process was killed before that, the next one that opens the
 * lake writes them.
 */

import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "#engine/Duckdb"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import * as PrivateFolder from "../manifest/PrivateFolder.ts"
import { headOf } from "./deltaPlace.ts"
import { changeOf, emptyOf, hasDelta, jumpOf, type Versioned, wholeOf } from "./deltaVersion.ts"

/** The last version of each existing log. */
export type Heads = Map<string, number>

/** The heads in a listing. */
const headsOf = (objects: ReadonlyArray<{ readonly path: string }>): Heads => {
  const heads: Heads = new Map()
  for (const { path } of objects) {
    const [, table, digits] = /^([^/]+)\/_delta_log\/(\d{20})\.json$/.exec(path) ?? []
    if (table === undefined || digits === undefined) continue
    heads.set(table, Math.max(headOf(heads, table), Number(digits)))
  }
  return heads
}

/**
 * The heads of the logs of a lake that is opened to write, after missing versions are written. `listed`: the files of the
 * logs, listed after the manifest was read.
 */
export const open = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>
): Effect.fn.Return<Heads, Sink.SinkError> {
  const heads = headsOf(listed)
  if (Option.isSome(newest)) yield* follow(store, heads, newest.value)
  return heads
})

/** Writes the missing versions up to a manifest. `before`: the manifest before it, if it is loaded. */
export const follow = Effect.fn("parquet.followDelta")(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  newest: Manifest.Manifest,
  before?: Manifest.Manifest
): Effect.fn.Return<void, Sink.SinkError> {
  const isBehind = ({ tables }: Manifest.Manifest) =>
    Object.entries(tables).some(([name, state]) => hasDelta(state) && state.delta.version > headOf(heads, name))
  if (!isBehind(newest)) return
  const read = Effect.fnUntraced(
    function* (version: number | null) {
      if (version === null) return undefined
      return version === before?.version ? before : Option.getOrUndefined(yield* Manifest.findVersion(store, version))
    },
    Effect.mapError(failure(`cannot read ${store.location}`))
  )

  // Goes back to the last manifest that the logs have, or to the oldest one that is kept.
  let last = yield* read(newest.previous)
  let first = newest.version
  while (last !== undefined && isBehind(last)) {
    first = last.version
    last = yield* read(last.previous)
  }
  for (let version = first; version <= newest.version; version++) {
    const next = version === newest.version ? newest : yield* read(version)
    if (next === undefined) continue
    const [manifest, previous] = [next, last]
    const behind = Object.entries(manifest.tables).flatMap(([name, state]) =>
      hasDelta(state) && state.delta.version > headOf(heads, name) ? [[name, state] as const] : []
    )
    yield* Effect.forEach(
      behind,
      ([name, state]) => followTable(store, heads, { manifest, table: name, before: previous?.tables[name], state }),
      { concurrency: 8, discard: true }
    )
    last = next
  }
})

interface Step {
  readonly manifest: Manifest.Manifest
  readonly table: string
  readonly before: Manifest.TableState | undefined
  readonly state: Versioned
}

/** Writes the versions of one table's log up to a manifest. */
const followTable = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, heads: Heads, step: Step) {
  const { before, manifest, state, table } = step
  const { version } = state.delta
  const head = headOf(heads, table)
  const follows = head === version - 1 && (before?.delta?.version ?? -1) === head
  if (follows) {
    yield* putVersion(store, table, version, changeOf(manifest, table, head === -1 ? undefined : before, state))
  } else {
    const active = yield* activeIn(store, table, head)
    yield* putVersion(store, table, head + 1, jumpOf(manifest, table, active, state))
    for (let at = head + 2; at <= version; at++) yield* putVersion(store, table, at, emptyOf(manifest))
  }
  heads.set(table, version)
  if (version > 0 && version % checkpointEvery === 0) yield* putCheckpoint(store, manifest, table, state)
})

/** A reader of a log reads its last checkpoint and no more versions than this. */
const checkpointEvery = 100

const putVersion = Effect.fnUntraced(
  function* (store: ObjectStore.ObjectStore, table: string, version: number, bytes: Uint8Array) {
    const path = pathOf(table, version)
    if (yield* store.putIfAbsent(path, bytes)) return
    // The file exists after a lost answer and a retry, or if another run does the same at this moment.
    const there = yield* store.get(path)
    if (Option.isSome(there) && Buffer.compare(there.value, bytes) !== 0) {
      return yield* failure(
        `the commit is done, but ${path} in ${store.location} is not of this lake: something else writes to the Delta table; remove ${table}/_delta_log, and the next run writes it again`
      )()
    }
  },
  (effect, store, table) =>
    Effect.mapError(
      effect,
      failure(`the commit is done, but the Delta log of ${table} in ${store.location} is not: the next run writes it`)
    )
)

/** The paths of the files that a log names up to a version. */
const activeIn = Effect.fnUntraced(
  function* (store: ObjectStore.ObjectStore, table: string, head: number) {
    const active = new Set<string>()
    for (let version = 0; version <= head; version++) {
      const found = yield* store.get(pathOf(table, version))
      const text = Option.match(found, { onNone: () => "", onSome: (bytes) => new TextDecoder().decode(bytes) })
      for (const line of text.split("\n")) {
        if (line === "") continue
        const action: unknown = yield* Effect.try({
          try: (): unknown => JSON.parse(line),
          catch: failure(`${pathOf(table, version)} is not JSON`)
        })
        const [added, removed] = [pathIn(action, "add"), pathIn(action, "remove")]
        if (added !== undefined) active.add(added)
        if (removed !== undefined) active.delete(removed)
      }
    }
    return active
  },
  (effect, store, table) =>
    Effect.mapError(effect, failure(`cannot read the Delta log of ${table} in ${store.location}`))
)

const pathIn = (action: unknown, kind: "add" | "remove"): string | undefined => {
  const file: unknown = typeof action === "object" && action !== null ? Reflect.get(action, kind) : undefined
  const path: unknown = typeof file === "object" && file !== null ? Reflect.get(file, "path") : undefined
  return typeof path === "string" ? path : undefined
}

const pathOf = (table: string, version: number): string => `${folderOf(table)}${String(version).padStart(20, "0")}.json`

export const folderOf = (table: string): string => `${table}/_delta_log/`

/**
 * A checkpoint of a Delta log: the whole state of a table at one version, as a Parquet file, so that a reader need not read
 * the versions before it. DuckDB writes it, because our own Parquet writer has no maps.
 *
 * It is not a commit: a log means the same without it.
 */
const putCheckpoint = (store: ObjectStore.ObjectStore, manifest: Manifest.Manifest, table: string, state: Versioned) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* PrivateFolder.create(tmpdir(), "millrace-delta-")
      const [lines, file] = [Path.join(folder, "actions.json"), Path.join(folder, "checkpoint.parquet")]
      const actions = wholeOf(manifest, table, state)
      const text = actions.map((action) => `${JSON.stringify(action)}\n`).join("")
      yield* Effect.promise(() => Fs.writeFile(lines, text))
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: Path.join(folder, "spill") })
      const read = `read_json(${Database.literal(lines)}, format = 'newline_delimited', columns = {${columns}})`
      yield* database.run(`COPY (FROM ${read}) TO ${Database.literal(file)} (FORMAT parquet, COMPRESSION snappy)`)
      const log = `${table}/_delta_log/`
      const { version } = state.delta
      yield* store.putFile(`${log}${String(version).padStart(20, "0")}.checkpoint.parquet`, file)
      const last = JSON.stringify({ version, size: actions.length })
      yield* store.put(`${log}_last_checkpoint`, new TextEncoder().encode(last))
    })
  ).pipe(
    Effect.mapError(
      failure(`the commit is done, but not the checkpoint of the Delta log of ${table}: it can be left out`)
    )
  )

const actionTypes = {
  protocol:
    "STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures VARCHAR[])",
  metaData:
    "STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), " +
    "schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), createdTime BIGINT)",
  txn: "STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)",
  add:
    "STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, " +
    "dataChange BOOLEAN, stats VARCHAR)",
  remove: "STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN)"
}
const columns = Object.entries(actionTypes)
  .map(([name, type]) => `${name}: ${Database.literal(type)}`)
  .join(", ")
