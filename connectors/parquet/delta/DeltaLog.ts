/**
 * The Delta logs of a lake: `pages/_delta_log/00000000000000000007.json` is version 7 of table `pages`.
 *
 * Guarantee: a log follows the manifests and decides nothing. A manifest has the version of the log for each table, and a digest of
 * each version that a reader of the newest one needs. The versions are written after the manifest, only if they do not exist. What
 * is missing or has other bytes is written again from the manifests by the next run that opens the lake. A version that Millrace
 * did not write is reported, and nothing is written over it.
 */

import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Digest from "#base/Digest"
import * as DigestedJson from "#base/DigestedJson"
import * as Database from "#engine/Duckdb"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import { goOn } from "../manifest/ManifestError.ts"
import * as PrivateFolder from "../manifest/PrivateFolder.ts"
import { headOf } from "./deltaPlace.ts"
import { changeOf, pathOf as filePathOf, hasDelta, jumpOf, type Versioned, wholeOf } from "./deltaVersion.ts"

/** The last version of each existing log. */
export type Heads = Map<string, number>

/** A version of a log that is to be written. */
export interface Version {
  readonly table: string
  readonly version: number
  readonly bytes: Uint8Array
}

/** What a look at the logs found. */
interface Found {
  readonly heads: Heads
  readonly healed: ReadonlyArray<Healed>
}

/** A file that was not as it was written, and is again. */
export interface Healed {
  readonly path: string
  /** What was wrong with it. */
  readonly fault: string
}

/**
 * The heads of the logs of a lake that is opened to write, after what is missing or damaged is written again. `listed`: the
 * files of the logs, listed after the manifest was read. `checked`: the tables whose versions are read and compared; of the others
 * only missing ones are found.
 */
export const open = Effect.fn("parquet.openDelta")(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>,
  checked: ReadonlySet<string>
): Effect.fn.Return<Found, Sink.SinkError> {
  const logs = logsOf(listed)
  const heads: Heads = new Map([...logs].map(([table, { versions }]) => [table, Math.max(-1, ...versions)]))
  const healed: Array<Healed> = []
  const tables = Object.entries(Option.getOrUndefined(newest)?.tables ?? {})
  for (const name of checked) yield* assertOurs(store, name, Option.getOrUndefined(newest), listed)
  if (Option.isNone(newest)) return { heads, healed }
  yield* Effect.forEach(
    tables,
    ([name, state]) =>
      hasDelta(state)
        ? Effect.map(
            checkTable(store, { name, state, log: logs.get(name) ?? nothing, isRead: checked.has(name) }),
            (bad) => ({ name, state, bad })
          ).pipe(
            Effect.flatMap((table) => heal(store, newest.value, table)),
            Effect.map((written) => {
              heads.set(name, Math.max(headOf(heads, name), state.delta.version))
              healed.push(...written)
            })
          )
        : Effect.void,
    { concurrency: 8, discard: true }
  )
  return { heads, healed }
})

/** A manifest that is published next, with the digests of its versions, and these versions. `before`: the one that it follows. */
export const prepare = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  before: Manifest.Manifest | undefined,
  next: Manifest.Manifest
) {
  const fresh: Array<Version> = []
  const tables: Record<string, Manifest.TableState> = {}
  for (const [table, state] of Object.entries(next.tables)) {
    const old = before?.tables[table]
    if (!hasDelta(state) || (state.delta.version === old?.delta?.version && state.delta.digests !== undefined)) {
      tables[table] = state
      continue
    }
    const { version } = state.delta
    const bytes = yield* versionOf(store, { manifest: next, table, before: old, state })
    const known = old?.delta?.version === version - 1 && version % checkpointEvery > 0 ? old.delta.digests : undefined
    tables[table] = { ...state, delta: { ...state.delta, digests: [...(known ?? []), Digest.short(bytes)] } }
    fresh.push({ table, version, bytes })
  }
  return { manifest: { ...next, tables }, fresh }
})

/** Writes the versions of a manifest that was just published, and their checkpoints. */
export const follow = Effect.fn("parquet.followDelta")(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  manifest: Manifest.Manifest,
  fresh: ReadonlyArray<Version>
): Effect.fn.Return<void, Sink.SinkError> {
  yield* Effect.forEach(
    fresh,
    Effect.fnUntraced(function* ({ bytes, table, version }) {
      yield* putVersion(store, table, version, bytes)
      heads.set(table, version)
      const state = manifest.tables[table]
      if (hasDelta(state) && isCheckpoint(state)) yield* putCheckpoint(store, manifest, table, state)
    }),
    { concurrency: 8, discard: true }
  )
})

interface Step {
  readonly manifest: Manifest.Manifest
  readonly table: string
  readonly before: Manifest.TableState | undefined
  readonly state: Versioned
}

/** The version of a table's log that a manifest adds. If it is not the next one, the log has versions that no manifest knows. */
const versionOf = (store: ObjectStore.ObjectStore, { before, manifest, state, table }: Step) => {
  const head = before?.delta?.version ?? -1
  return state.delta.version === head + 1
    ? Effect.succeed(changeOf(manifest, table, head === -1 ? undefined : before, state))
    : Effect.map(activeAfter(store, table, head === -1 ? undefined : before, [head, state.delta.version]), (active) =>
        jumpOf(manifest, table, active, state)
      )
}

/** A reader of a log reads its last checkpoint and no more versions than this. */
const checkpointEvery = 100

/** Whether the version of this state has a checkpoint: what is before it needs no guard. */
const isCheckpoint = ({ delta }: Versioned): boolean => delta.version > 0 && delta.digests?.length === 1

/** The names in the log of a table. */
interface Log {
  readonly versions: ReadonlySet<number>
  /** The versions with a checkpoint, and whether there is a file that names the last one. */
  readonly checkpoints: ReadonlySet<number>
  readonly hasHint: boolean
}

const nothing: Log = { versions: new Set(), checkpoints: new Set(), hasHint: false }

const logsOf = (objects: ReadonlyArray<{ readonly path: string }>): ReadonlyMap<string, Log> => {
  const logs = new Map<string, { versions: Set<number>; checkpoints: Set<number>; hasHint: boolean }>()
  for (const { path } of objects) {
    const [, table, digits, kind] =
      /^([^/]+)\/_delta_log\/(?:(\d{20})\.(json|checkpoint\.parquet)|_last_checkpoint)$/.exec(path) ?? []
    if (table === undefined) continue
    const log = logs.get(table) ?? { versions: new Set(), checkpoints: new Set(), hasHint: false }
    logs.set(table, log)
    if (digits === undefined) log.hasHint = true
    else if (kind === "json") log.versions.add(Number(digits))
    else log.checkpoints.add(Number(digits))
  }
  return logs
}

/** What a reader of the newest version of a log would not find as it was written. */
interface Bad {
  readonly versions: ReadonlyArray<number>
  readonly checkpoint: boolean
}

/** Compares a log with the manifest. `isRead`: its files are read; otherwise only missing ones are found. */
const checkTable = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  of: { readonly name: string; readonly state: Versioned; readonly log: Log; readonly isRead: boolean }
): Effect.fn.Return<Bad, Sink.SinkError> {
  const { isRead, log, name, state } = of
  const { digests, version } = state.delta
  const first = digests === undefined ? Math.max(-1, ...log.versions) + 1 : version - digests.length + 1
  const isExpected = digests !== undefined && (first > 0 || log.hasHint || log.checkpoints.size > 0)
  const named = log.hasHint ? Math.max(-1, ...[...log.checkpoints].filter((at) => at <= version)) : -1
  const checkpoint = isExpected ? (isRead ? yield* checkpointIn(store, name, version) : named) : -1
  const isMissing = isExpected && checkpoint < Math.max(first, 0)
  const needed = rangeOf(Math.max(first, checkpoint + 1), version)
  const versions = yield* Effect.filter(
    needed,
    (at) => {
      const digest = digests?.[at - first]
      if (!log.versions.has(at)) return Effect.succeed(true)
      return isRead && digest !== undefined ? isOther(store, name, at, digest) : Effect.succeed(false)
    },
    { concurrency: 16 }
  )
  return { versions, checkpoint: isMissing }
})

const rangeOf = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

/** Whether a version has other bytes than were written. It fails if something else than Millrace wrote it. */
const isOther = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  version: number,
  digest: string
) {
  const bytes = yield* reading(store, table, store.get(pathOf(table, version)))
  if (Digest.isOf(bytes, digest)) return false
  if (bytes !== undefined && authorOf(bytes) === "other") return yield* notOurs(store, table, version)
  return true
})

const reading = <E>(
  store: ObjectStore.ObjectStore,
  table: string,
  get: Effect.Effect<Option.Option<Uint8Array>, E>
): Effect.Effect<Uint8Array | undefined, Sink.SinkError> =>
  get.pipe(
    Effect.map(Option.getOrUndefined),
    Effect.mapError(failure(`cannot read the Delta log of ${table} in ${store.location}`))
  )

/** The version of the last checkpoint, if it and the file that names it are as they were written; otherwise -1. */
const checkpointIn = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, table: string, version: number) {
  const bytes = yield* reading(store, table, store.get(hintOf(table)))
  const text = new TextDecoder().decode(bytes)
  const hint = DigestedJson.isDamaged(text) ? undefined : parsed(text)
  const [at, sha256] = [propertyOf(hint, "version"), propertyOf(hint, "sha256")]
  if (typeof at !== "number" || typeof sha256 !== "string" || at > version) return -1
  return Digest.isOf(yield* reading(store, table, store.get(checkpointOf(table, at))), sha256) ? at : -1
})

/**
 * Writes what is missing or damaged again: the same bytes, if the manifests before and after it are there. Otherwise a checkpoint
 * says the whole table, so that no reader of the newest version needs it, and earlier versions that need it cannot be read.
 */
const heal = Effect.fnUntraced(
  function* (
    store: ObjectStore.ObjectStore,
    newest: Manifest.Manifest,
    { bad, name, state }: { readonly bad: Bad; readonly name: string; readonly state: Versioned }
  ) {
    const { checkpoint, versions } = bad
    if (versions.length === 0 && !checkpoint) return []
    const originals = yield* originalsOf(store, newest, name, versions)
    for (const [version, bytes] of originals) yield* store.put(pathOf(name, version), bytes)
    const lost = versions.filter((version) => !originals.has(version))
    if (lost.length > 0 || checkpoint) yield* putCheckpoint(store, newest, name, state)
    for (const version of lost) {
      const isLast = version === state.delta.version
      yield* isLast
        ? store.put(pathOf(name, version), jumpOf(newest, name, new Set(), state))
        : store.remove(pathOf(name, version))
    }
    return [
      ...[...originals.keys()]
        .sort((one, other) => one - other)
        .map((version) => ({ path: pathOf(name, version), fault })),
      ...lost.map((version) => ({
        path: pathOf(name, version),
        fault: `${fault}; nothing says what it was, so a checkpoint says the whole table instead`
      })),
      ...(checkpoint ? [{ path: hintOf(name), fault: `the last checkpoint ${fault}` }] : [])
    ]
  },
  (effect, store, _, { name }) =>
    Effect.mapError(effect, failure(`cannot write the Delta log of ${name} in ${store.location}`))
)

const fault = "is gone or has other bytes than were written"

/** The bytes of versions, from the manifests before and after each. A version whose manifests are gone or damaged is left out. */
const originalsOf = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Manifest.Manifest,
  table: string,
  wanted: ReadonlyArray<number>
) {
  const originals = new Map<number, Uint8Array>()
  const least = Math.min(...wanted)
  let after: Manifest.Manifest | undefined = newest
  for (let number = newest.version - 1; number >= 0 && originals.size < wanted.length; number--) {
    const before: Manifest.Manifest | undefined = number === 0 ? undefined : yield* Manifest.readable(store, number)
    const [old, state] = [before?.tables[table], after?.tables[table]]
    const isKnown = number === 0 || before !== undefined
    if (after !== undefined && isKnown && hasDelta(state) && old?.delta?.version !== state.delta.version) {
      const { digests, version } = state.delta
      if (wanted.includes(version)) {
        const bytes = yield* versionOf(store, { manifest: after, table, before: old, state })
        if (digests === undefined || Digest.isOf(bytes, digests.at(-1) ?? "")) originals.set(version, bytes)
      }
      if (version <= least) break
    }
    after = before
  }
  return originals
})

/** A version of a log after that of the manifest. */
export interface Beyond {
  readonly table: string
  readonly version: number
  readonly path: string
  /** The number of our manifest that it is of; `"other"`: another program wrote it; undefined: it cannot be read. */
  readonly author: number | "other" | undefined
  /** The run that it names. */
  readonly runId: string | undefined
}

/** The versions of a table's log that are after that of the manifest. */
export const beyond = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  newest: Manifest.Manifest | undefined,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>
): Effect.fn.Return<ReadonlyArray<Beyond>, Sink.SinkError> {
  const known = newest?.tables[table]?.delta?.version ?? -1
  const later = [...(logsOf(listed).get(table)?.versions ?? [])].filter((version) => version > known)
  return yield* Effect.forEach(later, (version) =>
    Effect.map(reading(store, table, store.get(pathOf(table, version))), (bytes) => ({
      table,
      version,
      path: pathOf(table, version),
      author: bytes && authorOf(bytes),
      runId: bytes && runIn(bytes)
    }))
  )
})

/** Removes our versions of a table's log that are after that of the manifest, because theirs is lost. */
export const removeBeyond = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  { path, table, version }: Beyond
) {
  yield* store.remove(path)
  yield* store.remove(checkpointOf(table, version))
})

/** Fails if a log has versions after that of the manifest which Millrace did not write, or whose manifest is gone. */
const assertOurs = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  newest: Manifest.Manifest | undefined,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>
) {
  for (const { author, path, version } of yield* beyond(store, table, newest, listed)) {
    if (author === "other") return yield* notOurs(store, table, version)
    if (author === undefined || author <= (newest?.version ?? 0)) continue
    // Another writer may have committed after this one read the manifest.
    const manifest = Manifest.pathOf(author)
    if ((yield* reading(store, table, store.get(manifest))) !== undefined) continue
    return yield* failure(
      `${manifest} in ${store.location} is gone, and ${path} shows that it was there; put it back from a backup, or ${goOn}`
    )()
  }
})

/**
 * Compares the versions that no reader of the newest one needs with the digests of their manifests, and writes them again.
 * Returns those that were not as they were written.
 */
export const healHistory = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Manifest.Manifest,
  inspected: ReadonlyArray<Manifest.Inspected>
) {
  const found: Array<Healed> = []
  for (const [name, state] of Object.entries(newest.tables)) {
    if (!hasDelta(state)) continue
    const stated = new Map(
      inspected
        .flatMap(({ logs }) => [logs.get(name)].flatMap((log) => log ?? []))
        .map((log) => [log.version, log.digest])
    )
    const first = state.delta.version - (state.delta.digests?.length ?? 1) + 1
    const versions = yield* Effect.filter(
      rangeOf(0, first - 1),
      (version) => {
        const digest = stated.get(version)
        return digest === undefined ? Effect.succeed(false) : isOther(store, name, version, digest)
      },
      { concurrency: 16 }
    )
    found.push(...(yield* heal(store, newest, { bad: { versions, checkpoint: false }, name, state })))
  }
  return found
})

/** Who wrote a version: the number of our manifest, or another program. Undefined: it cannot be read. */
const authorOf = (bytes: Uint8Array): number | "other" | undefined => {
  const lines = new TextDecoder().decode(bytes).split("\n")
  const actions = lines.filter((line) => line !== "").map(parsed)
  if (actions.length === 0 || actions.includes(undefined)) return undefined
  const txn = actions.map((action) => propertyOf(action, "txn")).find((found) => propertyOf(found, "appId") === appId)
  const number = propertyOf(txn, "version")
  if (typeof number === "number") return number
  const isOurs = actions.some((action) => propertyOf(propertyOf(action, "commitInfo"), "engineInfo") === appId)
  return isOurs ? 0 : "other"
}

const appId = "millrace"

/** The run that a version names, if it can be read. */
const runIn = (bytes: Uint8Array): string | undefined => {
  const [line = ""] = new TextDecoder().decode(bytes).split("\n")
  const run = propertyOf(propertyOf(propertyOf(parsed(line), "commitInfo"), "operationParameters"), "run_id")
  return typeof run === "string" ? run : undefined
}

/** JSON; undefined: it is not. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const propertyOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const notOurs = ({ location }: ObjectStore.ObjectStore, table: string, version: number) =>
  failure(
    `${pathOf(table, version)} in ${location} is not of this lake: something else writes to the Delta table; remove ${table}/_delta_log, and the next run writes it again`
  )()

const putVersion = Effect.fnUntraced(
  function* (store: ObjectStore.ObjectStore, table: string, version: number, bytes: Uint8Array) {
    const path = pathOf(table, version)
    if (yield* store.putIfAbsent(path, bytes)) return
    // The file exists after a lost answer and a retry, or if another run does the same at this moment.
    const there = yield* store.get(path)
    if (Option.isSome(there) && Buffer.compare(there.value, bytes) !== 0) {
      return yield* Effect.mapError(notOurs(store, table, version), ({ message }) =>
        failure(`the commit is done, but ${message}`)()
      )
    }
  },
  (effect, store, table) =>
    Effect.mapError(
      effect,
      failure(`the commit is done, but the Delta log of ${table} in ${store.location} is not: the next run writes it`)
    )
)

/** The paths of the files that a log names before a version: those of a state at its head, and what came and went after it. */
const activeAfter = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  before: Manifest.TableState | undefined,
  [head, version]: readonly [number, number]
) {
  const active = new Set(before?.files.map((file) => filePathOf(table, file)))
  for (const at of rangeOf(head + 1, version - 1)) {
    const text = new TextDecoder().decode(yield* reading(store, table, store.get(pathOf(table, at))))
    for (const line of text.split("\n")) {
      // What cannot be read is of no manifest, and the checkpoint of this version does not have it.
      const action = parsed(line)
      const [added, removed] = ["add", "remove"].map((kind) => propertyOf(propertyOf(action, kind), "path"))
      if (typeof added === "string") active.add(added)
      if (typeof removed === "string") active.delete(removed)
    }
  }
  return active
})

const nameOf = (version: number): string => String(version).padStart(20, "0")

const pathOf = (table: string, version: number): string => `${folderOf(table)}${nameOf(version)}.json`

const checkpointOf = (table: string, version: number): string =>
  `${folderOf(table)}${nameOf(version)}.checkpoint.parquet`

/** The file that names the last checkpoint. */
const hintOf = (table: string): string => `${folderOf(table)}_last_checkpoint`

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
      const { version } = state.delta
      const sha256 = Digest.of(yield* Effect.promise(() => Fs.readFile(file)))
      yield* store.putFile(checkpointOf(table, version), file)
      yield* store.put(hintOf(table), DigestedJson.encode({ version, size: actions.length, sha256 }))
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
